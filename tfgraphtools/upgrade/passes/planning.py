"""The imports of a module: planned before its uses are read, edited after."""

import ast

from tfgraphtools.analysis import library_uses
from tfgraphtools.analysis.scopes import nodes_of
from tfgraphtools.compat import rewrites
from tfgraphtools.upgrade import targets
from tfgraphtools.upgrade.findings import CANNOT, REWRITTEN, RUNTIME
from tfgraphtools.upgrade.passes import importing, last_resort
from tfgraphtools.upgrade.passes.spelling import NOT_FROM
from tfgraphtools.upgrade.passes.work import is_of_runtime


def plan(work):
    """Decides what each imported name becomes: `Work.plans`."""
    for alias, binding in importing.bindings_of(work.scopes).items():
        is_from = isinstance(binding.statement, ast.ImportFrom)
        name = work.names.of_binding(binding)
        if name is None or name.startswith("@"):
            continue
        if work.is_guarded(binding.statement) and not (
            last_resort.is_import(work, binding.statement) or _is_optional(work, binding)
        ):
            continue
        if _is_own(work, binding):
            continue  # what it takes is written as today's in the file that it comes from
        whole = binding.alias.name
        if not is_from and binding.alias.asname is None and targets.is_inner(whole):
            name = ".".join(whole.split(".")[:2])  # it binds the root, which has to stay
        new_plan = work.speller.plan(binding, name, is_from)
        work.plans[alias] = new_plan
        work.see(name, new_plan.today)
        _note_import(work, new_plan, name)


def _is_optional(work, binding):
    """Tells whether TensorFlow itself is tried, and without it the code has none.

    That import succeeds today, and what the name means has to be TF 1's.
    """
    for node in nodes_of(work.tree):
        if isinstance(node, ast.Try) and binding.statement in node.body:
            names = [name for name, _ in library_uses.imported_names(node)]
            return [name for name in names if targets.lies_in(name, "tensorflow")] == ["tensorflow"]
    return False


def _is_own(work, binding):
    """Tells whether what is imported comes from a file of the codebase, whatever it is there."""
    level, module, _ = binding.target
    return level > 0 or work.names.files.find(0, module, work.role.path) not in (
        None,
        work.role.path,
    )


def _note_import(work, plan, name):
    target = work.of(name)
    if target is None or target.fix == targets.IMPORT:
        if plan.new is not None:
            work.note(plan.line, name, REWRITTEN, targets.IMPORT, plan.new.statement())
    elif isinstance(target.rewrite, rewrites.Stays):
        work.note(plan.line, name, CANNOT, target.fix, target.rewrite.reason)
    elif plan.new is not None:
        status = RUNTIME if is_of_runtime(target.to) else REWRITTEN
        work.note(plan.line, name, status, target.fix, plan.new.statement())
    elif not work.takes(target) and is_of_runtime(target.to):
        work.refusals[id(plan.old.alias)] = (plan.line, name, target)


def edits(work, again=frozenset()):
    """Returns the edits of the import statements, and those that add new ones.

    Args:
      work: the `Work`.
      again: ids of the aliases that import what another edit imports further up.
    """
    removed_ids = _unused(work)
    for alias, refusal in work.refusals.items():
        if alias not in removed_ids:
            work.refused(*refusal)
    for alias in removed_ids:
        known = work.plans[alias]
        fix = known.fix or work.reasons.get(alias, targets.IMPORT)
        why = "no longer used, so no longer imported"
        if alias not in work.served and alias in work.refusals:
            fix, why = work.refusals[alias][2].fix, "never used, so no longer imported"
        work.note(known.line, known.name, REWRITTEN, fix, why)
    bindings = importing.bindings_of(work.scopes).values()
    statements = {id(binding.statement): binding.statement for binding in bindings}
    beside = anchor(work)
    home = importing.home(work.tree, beside)
    if beside is not None and work.speller.first_use <= home.end_lineno:
        home = beside  # the block that imports TensorFlow needs it itself
    added = list(work.speller.needed.get(None, {}).items())
    changes = []
    only_imports = importing.in_blocks_of_imports(work.tree)
    for key, node in statements.items():
        extra = list(work.speller.needed.get(key, {}).items())
        extra += added if node is home else []
        statement_edits = importing.statement_edits(
            node, work.plans, removed_ids | again, extra, work.text
        )
        if key in only_imports and [edit.new for edit in statement_edits] == [""]:
            statement_edits = [importing.emptied(node, work.text, statement_edits[0].fix)]
        changes += statement_edits
    lines = importing.merged([new_import for new_import, _ in added])
    place = home.end_lineno if home is not None else 1
    for line in lines:
        work.note(place, "import", REWRITTEN, added[0][1], line)
    if added and id(home) not in statements:
        changes.append(importing.inserted(home, lines, work.text, added[0][1]))
    return changes


def _unused(work):
    """Returns the ids of aliases that the upgrade made unused, or that no module has now."""
    removed_ids = {alias for alias, (kept, every) in work.served.items() if every and not kept}
    removed_ids |= {
        alias
        for alias, known in work.plans.items()
        if alias not in work.served and known.today.startswith(NOT_FROM) and known.fix
    }
    removed_ids |= {alias for alias in work.refusals if alias not in work.served}
    return {alias for alias in removed_ids if _may_go(work, alias)}


def _may_go(work, alias):
    plan = work.plans.get(alias)
    if plan is None or id(plan.old.alias) in work.speller.reused:
        return False
    if work.is_guarded(plan.old.statement):  # it may be all that stands behind an ``except``
        return False
    binding = plan.old
    if work.speller.is_public(binding):
        return False
    return not (work.role.path.endswith("__init__.py") and binding.scope is work.scopes.module)


def anchor(work):
    """Returns the import beside which new ones belong: TensorFlow's, or the first that changes.

    Not one behind the first line that needs what is imported: None then.
    """
    first = None
    for plan in work.plans.values():
        if plan.line > work.speller.first_use:
            continue
        if plan.old.scope is work.scopes.module and not importing.is_in_function(work.tree, plan):
            if plan.name.partition(".")[0] == "tensorflow":
                return plan.old.statement
            if plan.new is not None and first is None:
                first = plan.old.statement
    return first
