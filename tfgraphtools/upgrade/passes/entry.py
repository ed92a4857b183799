"""The start of a program: ``disable_v2_behavior()``, and the variable for TF 1's layers."""

import ast

from tfgraphtools.analysis.scopes import nodes_of
from tfgraphtools.compat import rewrites
from tfgraphtools.upgrade import targets
from tfgraphtools.upgrade.findings import REWRITTEN, RUNTIME
from tfgraphtools.upgrade.passes import importing, planning
from tfgraphtools.upgrade.passes.work import is_of_runtime
from tfgraphtools.upgrade.text import Edit

#: The fix that has a program start as TF 1 programs do.
ENTRY = "tensorflow.entry"


#: The fix that has NumPy print the numbers in a list as NumPy 1 did.
PRINTING = "numpy.scalar_printing"


def edits(work):
    """Returns the edits by which a program starts as TF 1 programs do, and as it is asked to."""
    starts = work.choice.allows(ENTRY) and not _starts_already(work)
    asked = _asked(work)
    if not work.role.is_entry or not (starts or asked):
        return []
    statement, local = _tensorflow(work) if starts else (None, "")
    calls = [f"{local}.disable_v2_behavior()"] if starts else []
    imports = [f"import {targets.V1} as {local}"] if starts and statement is None else []
    after, at_once = _place(work, statement, bool(imports))
    line = after.lineno if after is not None else 1
    for row, rewrite in asked:
        needed, name = _spelled(work, rewrite.to, line)
        imports += needed
        comment = "  # [0.5], not [np.float32(0.5)]" if row == PRINTING else ""
        calls.append(f"{name}({rewrite.arguments}){comment}")
    for fix, call in zip([ENTRY] * starts + [row for row, _ in asked], calls):
        status = RUNTIME if fix.startswith("seeds.") else REWRITTEN
        work.note(line, "program entry", status, fix, call)
    if not at_once and imports:
        imports.append("")
    if after is not None and not imports and _shares_its_line(work.tree, after):
        end = work.text.span(after)[1]  # what follows it there needs TF 1's behaviour
        new = "".join("; " + call.partition("  #")[0] for call in calls)
        return [Edit(end, end, new, ENTRY, line)]
    return [_insertion(after, imports + calls, work.text, not at_once, bool(imports))]


def _shares_its_line(tree, statement):
    """Tells whether another statement follows on the line: ``import tensorflow as tf; tf.x()``."""
    line, column = statement.end_lineno, statement.end_col_offset
    return any(node.lineno == line and node.col_offset >= column for node in tree.body)


def _place(work, statement, imports):
    """Returns (statement behind which a program starts, whether more imports follow it).

    Args:
      work: the `Work`.
      statement: the one that imports TensorFlow, or None.
      imports: whether an import of TensorFlow is written there as well.
    """
    after = importing.last_import(work.tree)
    late = statement is not None and after is not None and after.lineno < statement.lineno
    at_once = work.role.early or after is None or late
    if at_once and statement is not None:
        after = statement
    elif work.role.early and imports:
        after = _before_own_imports(work.tree, work.names)
    return after, at_once


def _asked(work):
    """Returns (row, its `rewrites.Entry`) of the calls that are asked for and not there yet."""
    row_of = {}
    for row, rewrite in rewrites.rewrites():
        if isinstance(rewrite, rewrites.Entry) and _is_asked(work, row):
            leaf = rewrite.to.rpartition(".")[2]
            if f"{leaf}({rewrite.arguments})" not in work.text.text:
                row_of.setdefault(rewrite, row)
    if not work.choice.runtime:
        row_of = {entry: row for entry, row in row_of.items() if not is_of_runtime(entry.to)}
    return [(row, rewrite) for rewrite, row in row_of.items()]


def _is_asked(work, row):
    shows = work.role.shows_numbers and row == PRINTING and work.choice.allows(row)
    return shows or work.choice.asks_for(row)


def _spelled(work, to, line):
    """Returns ([a needed import statement, if any], the spelling of a function there)."""
    owner, _, leaf = to.rpartition(".")
    for known in work.plans.values():
        is_there = known.old.scope is work.scopes.module and known.line <= line
        if is_there and known.today == owner:
            work.count(id(known.old.alias), True)
            return [], f"{known.local}.{leaf}"
    new_import, steps = work.speller.import_for(to)
    return [new_import.statement()], new_import.local + steps


def _starts_already(work):
    """Tells whether the module says itself which behaviour it wants."""
    words = {"disable_v2_behavior", "disable_eager_execution", "enable_v2_behavior"}
    return any(
        getattr(node, "attr", getattr(node, "name", None)) in words for node in nodes_of(work.tree)
    )


def _tensorflow(work):
    """Returns (statement of the module's own level that imports TensorFlow, its local name)."""
    for plan in work.plans.values():
        is_module_level = plan.old.scope is work.scopes.module
        if not is_module_level or importing.is_in_function(work.tree, plan):
            continue
        if plan.today == targets.V1:
            work.count(id(plan.old.alias), True)
            statement = plan.old.statement
            home = importing.home(work.tree, statement)
            return statement if _is_used_in(home, plan.old) else home, plan.local
    for new_import in work.speller.needed.get(None, {}):
        if new_import.dotted == targets.V1:
            home = importing.home(work.tree, planning.anchor(work))
            return home, new_import.local
    taken = work.speller.taken
    return None, "tf" if "tf" not in taken else "tf_v1"


def _is_used_in(block, binding):
    """Tells whether a block that imports TensorFlow goes on to use it: ``if __name__ == ...``."""
    return any(
        isinstance(node, ast.Name)
        and node.id == binding.name
        and node.lineno > binding.statement.lineno
        for node in ast.walk(block)
    )


def _before_own_imports(tree, names):
    """Returns the statement before the first import of the codebase's own; None for the top."""
    before = None
    for node in tree.body:
        if _imports_own(node, names):
            return before
        before = node
    return importing.last_import(tree)


def _imports_own(node, names):
    """Tells whether a statement imports a module of the codebase."""
    if isinstance(node, ast.Import):
        return any(names.files.find(0, alias.name, names.path) for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        module = node.module or ""
        return node.level > 0 or names.files.find(0, module, names.path) is not None
    return False


def _insertion(after, lines, text, blank, imports):
    follows = after is not None and after.end_lineno < len(text.lines)
    next_line = text.lines[after.end_lineno] if follows else ""
    edit = importing.inserted(after, lines, text, ENTRY, blank and not imports)
    if next_line.strip() and blank:
        edit = edit._replace(new=edit.new + "\n")
    return edit


# TensorFlow reads this variable when it is imported, and when the first name that it takes from
# tf_keras is used; without it ``tf.layers`` says that Keras 3 has none.

#: The fix that has TensorFlow take TF 1's layers, RNN cells and Keras from tf_keras.
LEGACY_KERAS = "tensorflow.legacy_keras"

VARIABLE = "TF_USE_LEGACY_KERAS"

_ROOTS = {"tensorflow", "tf_keras", "tf_slim", "tfgraphtools", "keras"}


def legacy_keras_edits(work):
    """Returns the edit that sets the variable before TensorFlow is imported; none where it is set.

    Returns:
      ([`Edit`], ids of the aliases that import ``os`` again further down).
    """
    needs = work.role.keras
    if needs is None:
        needs = work.role.is_tf1 and work.legacy or _has_estimator_of_tf2(work)
    if not needs or not work.choice.allows(LEGACY_KERAS) or VARIABLE in work.text.text:
        return [], set()
    place, has_os = _before_tensorflow(work)
    if place is None:
        return [], set()
    before = work.tree.body[place]
    start, line = work.text.span(before)[0], before.lineno
    setting = f'os.environ["{VARIABLE}"] = "1"'
    if before.col_offset:  # behind another statement of the line
        first, new = line, ("" if has_os else "import os; ") + setting + "; "
    else:
        first = _with_comment(work, place)
        start = work.text.line_start(first)
        lines = [setting + "  # TF 1's layers are in tf_keras"]
        if not has_os:
            lines[:0] = ["import os", ""]
        elif work.text.lines[first - 2].strip():
            lines.insert(0, "")
        new = "".join(code_line + "\n" for code_line in lines)
    name = work.legacy or "program entry"
    work.note(first, name, REWRITTEN, LEGACY_KERAS, VARIABLE + "=1")
    edit = Edit(start, start, new, LEGACY_KERAS, line)
    return [edit], set() if has_os else _imports_of_os(work)


def _has_estimator_of_tf2(work):
    """Tells whether the module gets the estimator of TF 2, whose Keras is that of tf_keras."""
    return any(finding.fix == targets.ESTIMATOR for finding in work.findings) and work.role.is_tf2


def _imports_of_os(work):
    """Returns the ids of the module's own ``import os``, if nothing else there is called ``os``."""
    lines = {
        id(alias): node.lineno
        for node in work.tree.body
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == "os" and alias.asname is None
    }
    if any(id(binding.alias) not in lines for binding in work.scopes.module.names.get("os", [])):
        return set()
    for line in lines.values():
        work.note(line, "os", REWRITTEN, LEGACY_KERAS, "imported further up")
    return set(lines)


def _with_comment(work, place):
    """Returns the line where a statement of the module, or its comment right above it, begins."""
    line = work.tree.body[place].lineno
    if place == 0:
        return line  # the comment may be the file's: its licence, its encoding
    while line - 1 > work.tree.body[place - 1].end_lineno and work.text.lines[line - 2][:1] == "#":
        line -= 1
    return line


def _before_tensorflow(work):
    """Returns (place of the first statement that may import TensorFlow, whether `os` is there)."""
    has_os = False
    for place, node in enumerate(work.tree.body):
        imported = set(_roots_of(node))
        if imported & _ROOTS or _imports_own(node, work.names):
            return place, has_os
        has_os = has_os or (
            isinstance(node, ast.Import)
            and any((alias.asname or alias.name.partition(".")[0]) == "os" for alias in node.names)
        )
    return None, has_os


def _roots_of(node):
    """Yields the roots of what a statement imports, wherever in it."""
    for part in ast.walk(node):
        if isinstance(part, ast.Import):
            for alias in part.names:
                yield alias.name.partition(".")[0]
        elif isinstance(part, ast.ImportFrom) and not part.level:
            yield (part.module or "").partition(".")[0]
