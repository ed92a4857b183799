"""One module's source as today's libraries want it."""

import ast
from typing import Any, List, NamedTuple, Optional

from tfgraphtools.compat.engine import rewrites
from tfgraphtools.upgrade import arguments, evidence, importing, targets, uses
from tfgraphtools.upgrade.codebase import Names
from tfgraphtools.upgrade.findings import CANNOT, REWRITTEN, RUNTIME, Finding
from tfgraphtools.upgrade.scopes import Scopes, nodes_of
from tfgraphtools.upgrade.spelling import Import, Speller
from tfgraphtools.upgrade.text import Edit, Text, applied

#: The fix that has a program start as TF 1 programs do.
ENTRY = "tensorflow.entry"

_RUNTIME_ROOT = "tfgraphtools.tf1"


class Role(NamedTuple):
    """What a module is in its codebase.

    Fields:
      path: its absolute path.
      is_tf1: whether its ``tensorflow`` is TF 1's.
      is_entry: whether it is a program that leads to TF 1 code.
      early: whether what it imports builds graphs at once.
      kept: names that other modules take from it, so that it must go on importing them.
      keras: whether it sets the variable that has TensorFlow take TF 1's layers from tf_keras:
        programs do, if anything that they import needs it; None: if it uses them itself.
      relative: whether its imports of modules beside it are Python 2's implicit relative ones.
    """

    path: str
    is_tf1: bool = True
    is_entry: bool = False
    early: bool = False
    kept: frozenset = frozenset()
    relative: bool = False
    keras: Optional[bool] = None


class Choice(NamedTuple):
    """Which fixes are used.

    Fields:
      select: names of fixes, or beginnings of them ("numpy"); empty for all.
      skip: the same, for those that are not.
      runtime: whether ``tfgraphtools.tf1`` may be imported.
    """

    select: tuple = ()
    skip: tuple = ()
    runtime: bool = True

    def allows(self, fix):
        """Whether a fix is used."""
        return (not self.select or _is_among(fix, self.select)) and not _is_among(fix, self.skip)


def _is_among(fix, names):
    return any(fix == name or fix.startswith(name + ".") for name in names)


def rewritten(source, role, files, codebase, choice):
    """The new source of a module, and what was found in it.

    Args:
      source: str; its lines end in ``\\n``.
      role: its `Role`.
      files, codebase: of the codebase.
      choice: the `Choice` of fixes.

    Returns:
      (str, [`Finding`]).

    Raises:
      SyntaxError: it is no Python 3.
    """
    tree = ast.parse(source)
    work = _Module(tree, Text(source), role, files, codebase, choice)
    edits = work.edits()
    return applied(source, edits), sorted(work.findings)


class _Module:
    def __init__(self, tree, text, role, files, codebase, choice):
        self.tree, self.text, self.role, self.choice = tree, text, role, choice
        self.found = Scopes(tree)
        self.names = Names(self.found, role.path, files, codebase)
        self.findings: List[Finding] = []
        self.guarded = evidence.guarded_lines(tree)
        self.speller = Speller(tree, self.found, self._of, self._takes)
        self.plans: Any = {}
        self.reasons = {}  # id of an alias -> the fix that made a use of it go
        self.legacy = ""  # the first name that TensorFlow takes from tf_keras
        self.served = {}  # id of an alias -> [uses that still need it, all uses]

    def _of(self, name):
        return targets.of(name, self.role.is_tf1, self.choice.runtime, self.text.text)

    def _takes(self, target):
        """Whether a rewrite may be used."""
        if not self.choice.allows(target.fix):
            return False
        return self.choice.runtime or not _is_of_runtime(target.to)

    def _note(self, line, name, status, fix, detail):
        self.findings.append(Finding(line, name, status, fix, detail))

    def edits(self):
        """All edits of the module."""
        self._plan_imports()
        edits = []
        for use in uses.uses(self.tree, self.found, self.names):
            edits += self._use(use)
        edits += self._attributes()
        self._report()
        return edits + self._entry() + self._imports() + self._relative() + self._legacy_keras()

    def _attributes(self):
        """The edits of reads of attributes that objects of libraries had once."""
        edits = []
        for node, row, today in uses.old_attributes(self.tree, self.found, self.names):
            if not self.choice.allows(row) or node.lineno in self.guarded:
                continue
            end = self.text.span(node)[1]
            start = end - len(node.attr)
            name = "." + node.attr
            if self.text.text[start:end] != node.attr:
                continue
            if today:
                self._note(node.lineno, name, REWRITTEN, row, "." + today)
                edits.append(Edit(start, end, today, row, node.lineno))
            elif not self.choice.runtime:
                why = f"only {_RUNTIME_ROOT}.attribute provides it (--no-runtime)"
                self._note(node.lineno, name, CANNOT, row, why)
            else:
                edits += self._asked(node, row)
        return edits

    def _asked(self, node, row):
        """The edits by which the runtime is asked for an attribute."""
        known = self.speller.needed.setdefault(None, {})
        self.speller.first_use = min(self.speller.first_use, node.lineno)
        made = next((one for one in known if one.dotted == _RUNTIME_ROOT + ".attribute"), None)
        if made is None:
            made = Import(_RUNTIME_ROOT, "attribute", self.speller._free("attribute", "attribute_"))
            known[made] = row
            self.speller.taken.add(made.local)
        self._note(node.lineno, "." + node.attr, RUNTIME, row, made.local)
        start, middle = self.text.span(node.value)
        end = self.text.span(node)[1]
        while self.text.text[middle:end].lstrip().startswith(")"):  # the value's own parentheses
            middle = self.text.text.index(")", middle) + 1
            start = self.text.text.rindex("(", 0, start)
        new = f', "{node.attr}")'
        return [
            Edit(start, start, made.local + "(", row, node.lineno),
            Edit(middle, end, new, row, node.lineno),
        ]

    def _legacy_keras(self):
        """The edit that has TensorFlow use tf_keras, where something of it is used."""
        needs = self.role.keras
        if needs is None:
            needs = self.role.is_tf1 and self.legacy
        if not (needs and self.choice.allows(importing.LEGACY_KERAS)):
            return []
        edits = importing.legacy_keras_edits(
            self.tree, self.text, lambda node: _imports_own(node, self.names)
        )
        for edit in edits:
            name = self.legacy or "program entry"
            self._note(edit.line, name, REWRITTEN, edit.fix, importing.VARIABLE + "=1")
        return edits

    # Imports -------------------------------------------------------------------

    def _plan_imports(self):
        for alias, binding in importing.bindings_of(self.found).items():
            is_from = isinstance(binding.statement, ast.ImportFrom)
            name = self.names.of_binding(binding)
            if name is None or name.startswith("@") or self._is_guarded(binding.statement):
                continue
            if is_from and binding.statement.level:
                continue
            whole = binding.alias.name
            if not is_from and binding.alias.asname is None and "." in whole:
                name = self._dotted_import(binding, whole, name)
            plan = self.speller.plan(binding, name, is_from)
            self.plans[alias] = plan
            self._see(name, plan.rest)
            self._note_import(plan, name)

    def _dotted_import(self, binding, whole, root):
        """What ``import a.b`` is planned as: it binds ``a``, and has ``a.b`` loaded."""
        target = self._of(whole)
        if target is None or target.to is None or target.fix == targets.IMPORT:
            return root if not whole.startswith("tensorflow.python") else "tensorflow.python"
        return root

    def _note_import(self, plan, name):
        target = self._of(name)
        if target is None or target.fix == targets.IMPORT:
            if plan.new is not None:
                line = plan.old.statement.lineno
                self._note(line, name, REWRITTEN, targets.IMPORT, plan.new.statement())
        elif isinstance(target.rewrite, rewrites.Stays):
            self._note(plan.old.statement.lineno, name, CANNOT, target.fix, target.rewrite.reason)
        elif plan.new is not None:
            status = RUNTIME if _is_of_runtime(target.to) else REWRITTEN
            line = plan.old.statement.lineno
            self._note(line, name, status, target.fix, plan.new.statement())
        elif not self._takes(target) and _is_of_runtime(target.to):
            self._refused(plan.old.statement.lineno, name, target)

    def _is_guarded(self, statement):
        """Whether an import stands where a missing module is expected, or a version is asked."""
        return statement.lineno in self.guarded

    def _imports(self):
        gone = {
            alias
            for alias, (kept, every) in self.served.items()
            if every and not kept and self._may_go(alias)
        }
        gone |= {  # unused, and no module has it any more
            alias
            for alias, plan in self.plans.items()
            if alias not in self.served and plan.rest.startswith("builtins.") and plan.fix
            if self._may_go(alias)
        }
        for alias in gone:
            plan = self.plans[alias]
            self._note(
                plan.old.statement.lineno,
                plan.name,
                REWRITTEN,
                plan.fix or self.reasons.get(alias, targets.IMPORT),
                "no longer used, so no longer imported",
            )
        anchor = self._anchor()
        edits, statements = [], {}
        for alias in importing.bindings_of(self.found).values():
            statements[id(alias.statement)] = alias.statement
        home = importing.home(self.tree, anchor)
        for key, node in statements.items():
            extra = list(self.speller.needed.get(key, {}).items())
            if node is home:
                extra += list(self.speller.needed.get(None, {}).items())
            edits += importing.statement_edits(node, self.plans, gone, extra, self.text)
        extra = self.speller.needed.get(None)
        if extra and id(home) not in statements:
            lines = importing._merged(list(extra))
            edits.append(importing.inserted(home, lines, self.text, next(iter(extra.values()))))
        return edits

    def _may_go(self, alias):
        plan = self.plans.get(alias)
        if plan is None or id(plan.old.alias) in self.speller.reused:
            return False
        binding = plan.old
        is_module_level = binding.scope is self.found.module
        return not (is_module_level and binding.name in self.role.kept) and not (
            self.role.path.endswith("__init__.py") and is_module_level
        )

    def _anchor(self):
        """The import beside which new ones belong: TensorFlow's, or the first that changes.

        Not one behind the first line that needs what is imported: None then.
        """
        first = None
        for plan in self.plans.values():
            if plan.old.statement.lineno > self.speller.first_use:
                continue
            if plan.old.scope is self.found.module:
                if plan.name.partition(".")[0] == "tensorflow":
                    return plan.old.statement
                if plan.new is not None and first is None:
                    first = plan.old.statement
        return first

    def _relative(self):
        """The edits by which implicit relative imports of Python 2 say what they are."""
        if not self.role.relative or not self.choice.allows("python2.imports"):
            return []
        edits = []
        for node in nodes_of(self.tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                new = importing.relative(node, self.role.path, self.names.files)
                if new is not None:
                    self._note(
                        node.lineno, "implicit relative import", REWRITTEN, "python2.imports", new
                    )
                    edits.append(Edit(*self.text.span(node), new, "python2.imports", node.lineno))
        return edits

    # Uses ----------------------------------------------------------------------

    def _use(self, use):
        """The edits of one use; counts whether its import is still needed."""
        alias = id(use.binding.alias) if use.binding is not None and use.binding.alias else None
        if use.line in self.guarded:
            self._count(alias, True)
            return []
        place, target = self._target(use)
        if place is None:
            self._count(alias, True)
            return self._renamed_root(use)
        self._see(*use.names, target.to)
        edits, serves = self._apply(use, place, target)
        self._count(alias, serves)
        if alias is not None and not serves:
            self.reasons[alias] = target.fix
        return edits

    def _see(self, *names):
        if not self.legacy:
            self.legacy = next(
                (one for one in names if one and importing.is_of_legacy_keras(one)), ""
            )

    def _count(self, alias, serves):
        if alias is not None:
            counts = self.served.setdefault(alias, [0, 0])
            counts[0] += bool(serves)
            counts[1] += 1

    def _target(self, use):
        """(how many steps of the chain a rewrite is about, its `Target`); (None, None) for none."""
        last = len(use.steps) - (1 if use.stored else 0)
        for place in range(last, 0, -1):
            name = use.names[place - 1]
            if name is None or name.startswith("@"):
                continue
            target = self._of(name)
            if target is not None and target.fix != targets.IMPORT:
                return place, target
            if targets.is_conditional(name):
                form = self._old_form(use, place, name)
                if form is not None:
                    return place, form
        for place in range(last, 0, -1):
            name = use.names[place - 1]
            target = self._of(name) if name else None
            if target is not None:
                return place, target
        return None, None

    def _old_form(self, use, place, name):
        call = self._call(use, place)
        rewrite = rewrites.rewrite_of(name)
        if name in self.choice.select or _has_keyword(call, getattr(rewrite, "keywords", ())):
            return targets.Target(rewrite.to, name, rewrite)
        if call is None or not self.role.is_tf1:
            return None
        positions = arguments.old_forms(name, call)
        keywords = {
            old: new
            for old, new in arguments.OLD_KEYWORDS.get(name, {}).items()
            if any(keyword.arg == old for keyword in call.keywords)
        }
        if positions is None and not keywords:
            return None
        if not isinstance(positions, dict):
            positions = tuple(positions or ())
        rewrite = rewrites.Call(None, keywords, positions)
        moved = self._of(name)
        return targets.Target(moved.to if moved else name, name, rewrite)

    def _call(self, use, place):
        """The call of the first `place` steps of a use, or None."""
        if place != len(use.steps):
            return None
        parent = use.parent
        return parent if isinstance(parent, ast.Call) and parent.func is use.steps[-1] else None

    def _renamed_root(self, use):
        """The edit of a use whose import has another name now, and which is what it was."""
        root = self.speller._root(use)
        if root is None or root == use.root.id:
            return []
        start, end = self.text.span(use.root)
        return [Edit(start, end, root, targets.IMPORT, use.line)]

    def _apply(self, use, place, target):
        """(edits, whether the import of the root is still needed)."""
        name = use.names[place - 1]
        if isinstance(target.rewrite, rewrites.Stays) or target.to is None:
            if not isinstance(target.rewrite, rewrites.Syntax):
                reason = getattr(target.rewrite, "reason", "")
                if place > 1 or use.binding is None:
                    self._note(use.line, name, CANNOT, target.fix, reason)
            return self._renamed_root(use), True
        if not self.choice.allows(target.fix):
            return self._renamed_root(use), True
        if not self.choice.runtime and _is_of_runtime(target.to):
            self._refused(use.line, name, target)
            return self._renamed_root(use), True
        changed = []
        to = target.to
        call = self._call(use, place)
        if call is None and place == len(use.steps):
            to = getattr(target.rewrite, "uncalled", None) or to
        if isinstance(target.rewrite, rewrites.Call) and call is not None:
            try:
                changed = arguments.edits(call, target.rewrite, self.text, target.fix)
            except arguments.NotWrittenOut:
                if not target.rewrite.runtime or not self.choice.runtime:
                    why = "its arguments are not written out: look at this call"
                    self._note(use.line, name, CANNOT, target.fix, why)
                    return self._renamed_root(use), True
                to = target.rewrite.runtime
        new, serves = self.speller.spell(use, place, to, target.fix)
        return self._replaced(use, place, name, target, new, changed), serves

    def _replaced(self, use, place, name, target, new, changed):
        start = self.text.span(use.root)[0]
        end = self.text.span(use.steps[place - 1])[1]
        old = self.text.text[start:end]
        plain = ".".join([use.root.id, *(step.attr for step in use.steps[1:place])])
        if "".join(old.split()) != plain:  # a comment inside, or an f-string's wrong position
            self._note(use.line, name, CANNOT, target.fix, f"write {new} there by hand")
            return []
        if plain != new or changed:
            status = RUNTIME if _is_of_runtime(target.to) else REWRITTEN
            self._note(use.line, name, status, target.fix, new)
        elif _is_of_runtime(target.to):
            self._note(use.line, name, RUNTIME, target.fix, target.to)
        if plain == new:
            return changed
        return [Edit(start, end, new, target.fix, use.line), *changed]

    def _refused(self, line, name, target):
        why = f"only {target.to} provides it (--no-runtime)"
        self._note(line, name, CANNOT, target.fix, why)

    # The rest ------------------------------------------------------------------

    def _report(self):
        """Notes what depends on run-time values, and what hides TensorFlow's name."""
        for level, module, node in self.found.stars:
            if not level and module.partition(".")[0] == "tensorflow":
                self._note(
                    node.lineno,
                    module + ".*",
                    CANNOT,
                    targets.IMPORT,
                    "names come from 'import *': import what is used by name",
                )
        for name, line in uses.shadowed(self.found, self.names):
            why = f"'{name}' is assigned elsewhere in this file, so its uses are left alone"
            self._note(line, name, CANNOT, targets.IMPORT, why)
        for node in nodes_of(self.tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "getattr":
                self._getattr(node)

    def _getattr(self, node):
        if len(node.args) < 2:
            return
        root = node.args[0]
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name):
            return
        owner = self.names.of(node.args[0], self.found.scope_of(root))
        if owner is None or owner.partition(".")[0] != "tensorflow" or not self.role.is_tf1:
            return
        word = node.args[1]
        if isinstance(word, ast.Constant):
            target = self._of(f"{owner}.{word.value}")
            if target is None or target.fix == targets.IMPORT:
                return
        self._note(
            node.lineno,
            f"getattr({owner}, ...)",
            CANNOT,
            targets.IMPORT,
            "the name is only known at run time: check that it is one of today",
        )

    def _entry(self):
        """The edits by which a program starts as TF 1 programs do."""
        if not self.role.is_entry or not self.choice.allows(ENTRY) or self._starts_already():
            return []
        statement, local = self._tensorflow()
        after = importing.last_import(self.tree)
        lines = [f"{local}.disable_v2_behavior()"]
        if statement is None:
            lines.insert(0, f"import {targets.V1} as {local}")
        at_once = (
            self.role.early
            or after is None
            or statement is not None
            and (after.lineno < statement.lineno)
        )
        if at_once and statement is not None:
            after = statement
        elif self.role.early and statement is None:
            after = _before_own_imports(self.tree, self.names)
        line = after.lineno if after is not None else 1
        self._note(line, "program entry", REWRITTEN, ENTRY, lines[-1])
        blank = not at_once
        if blank and len(lines) == 2:
            lines.insert(1, "")
        return [_insertion(self.tree, after, lines, self.text, blank)]

    def _starts_already(self):
        """Whether the module says itself which behaviour it wants."""
        words = {"disable_v2_behavior", "disable_eager_execution", "enable_v2_behavior"}
        return any(
            getattr(node, "attr", getattr(node, "name", None)) in words
            for node in nodes_of(self.tree)
        )

    def _tensorflow(self):
        """(statement of the module's own level that imports TensorFlow, its local name)."""
        for plan in self.plans.values():
            if plan.old.scope is self.found.module and plan.rest == targets.V1:
                self._count(id(plan.old.alias), True)
                home = importing.home(self.tree, plan.old.statement)
                return home, plan.new.local if plan.new else plan.old.name
        for made in self.speller.needed.get(None, {}):
            if made.dotted == targets.V1:
                home = importing.home(self.tree, self._anchor())
                return home, made.local
        taken = self.speller.taken
        return None, "tf" if "tf" not in taken else "tf_v1"


def _has_keyword(call, words):
    return call is not None and any(keyword.arg in words for keyword in call.keywords)


def _is_of_runtime(name):
    return name is not None and (name == _RUNTIME_ROOT or name.startswith(_RUNTIME_ROOT + "."))


def _before_own_imports(tree, names):
    """The statement before the first import of the codebase's own; None for the top."""
    before = None
    for node in tree.body:
        if _imports_own(node, names):
            break
        before = node
    return before


def _imports_own(node, names):
    """Whether a statement imports a module of the codebase."""
    if isinstance(node, ast.Import):
        return any(names.files.find(0, alias.name, names.path) for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        module = node.module or ""
        return node.level > 0 or names.files.find(0, module, names.path) is not None
    return False


def _insertion(tree, after, lines, text, blank):
    follows = after is not None and after.end_lineno < len(text.lines)
    next_line = text.lines[after.end_lineno] if follows else ""
    edit = importing.inserted(after, lines, text, ENTRY, blank and len(lines) == 1)
    if next_line.strip() and blank:
        edit = edit._replace(new=edit.new + "\n")
    return edit


__all__ = ["Choice", "ENTRY", "Import", "Role", "rewritten"]
