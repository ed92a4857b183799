"""Facts that a file of a codebase shows of itself: see `codebase.Facts`."""

import ast
import os

from tfgraphtools.analysis import scopes
from tfgraphtools.analysis.exports import exports_of
from tfgraphtools.analysis.resolving import Names
from tfgraphtools.upgrade import evidence
from tfgraphtools.upgrade.clues import normalizations, pairs
from tfgraphtools.upgrade.codebase import Facts
from tfgraphtools.upgrade.passes import importing, printed_numbers


def facts_of(tree, path, files, is_notebook=False, codebase=None, uses_tensorflow=True):
    """Returns the `Facts` of a file.

    Args:
      tree: its `ast.Module`.
      path: its absolute path.
      files: the `Files` of the codebase.
      is_notebook: whether its cells are those of a notebook.
      codebase: the `Codebase`, once it is known what the other files export.
      uses_tensorflow: whether its source names TensorFlow.
    """
    file_scopes = scopes.scopes_of(tree)
    names = Names(file_scopes, path, files, codebase)
    exports, stars = exports_of(file_scopes, names, path)
    imports = set()
    for node in scopes.nodes_of(tree):
        if isinstance(node, ast.Import):
            wanted = [(0, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            wanted = [(node.level, base)]
            wanted += [(node.level, f"{base}.{a.name}".lstrip(".")) for a in node.names]
        else:
            continue
        for level, module in wanted:
            imported = files.find(level, module, path) if module or level else None
            if imported and imported != path:
                imports.add(imported)
    era = evidence.era(tree, file_scopes, names) if codebase or uses_tensorflow else None
    is_v1 = era == evidence.V1
    if is_v1:
        era = evidence.TF1 if evidence.builds_graphs(tree, file_scopes, names) else evidence.TF2
    keras = evidence.keras(tree, file_scopes, names)
    if era == evidence.NEUTRAL and keras == evidence.TF1:
        era = evidence.TF1
    return Facts(
        path,
        exports,
        stars,
        frozenset(imports),
        era,
        is_notebook or _is_entry(tree, path),
        is_notebook or _is_script(tree),
        era is not None and _builds(tree, names, file_scopes),
        any(getattr(node, "attr", None) == "disable_v2_behavior" for node in scopes.nodes_of(tree)),
        _taken(tree, names, file_scopes),
        era in (evidence.TF1, evidence.NEUTRAL) and evidence.needs_keras(tree, file_scopes, names),
        keras if era in (None, evidence.NEUTRAL) else None,
        printed_numbers.shows_numbers(tree),
        pairs.passed(tree, names, file_scopes),
        is_v1,
        era is not None and evidence.reads_data_alone(tree, file_scopes, names),
        () if era is None else normalizations.lines(tree, names),
        keras is not None,
        any(
            names.here(node) in _MATRICES
            for node in scopes.nodes_of(tree)
            if isinstance(node, ast.Attribute) and node.attr in ("matrix", "mat", "asmatrix")
        ),
        frozenset(file_scopes.module.names),
    )


_MATRICES = ("numpy.matrix", "numpy.mat", "numpy.asmatrix")


def _taken(tree, names, file_scopes):
    """Returns (path, name) of what a module takes from others, by ``from`` or as an attribute."""
    free = {node.id for node, scope in file_scopes.names if scope.owner(node.id) is None}
    taken = {(path, name) for path in names.star_paths() if path for name in free}
    for binding in importing.bindings_of(file_scopes).values():
        level, module, name = binding.target
        path = names.files.find(level, module, names.path)
        if path and name:
            taken.add((path, name))
    for node in scopes.nodes_of(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if isinstance(node.value.ctx, ast.Load):
                owner = names.of(node.value, file_scopes.scope_of(node.value)) or ""
                if owner.startswith("@") and owner.endswith("::"):
                    taken.add((owner[1:-2], node.attr))
    return frozenset(taken)


_TEST = ("test_", "conftest")

#: How functions begin that a module calls at its end to do its work, imported or not.
_STARTS = ("main", "test", "train", "run", "demo")


def _is_entry(tree, path):
    """Tells whether a file starts as a program.

    ``__main__``, ``tf.app.run``, ``main()``, a test...
    """
    base = os.path.basename(path)
    if base.startswith(_TEST) or base.endswith("_test.py"):
        return any(
            isinstance(node, (ast.Import, ast.ImportFrom)) for node in ast.iter_child_nodes(tree)
        )
    return any(map(_starts, tree.body))


def _starts(node):
    """Tells whether a statement at module level starts a program."""
    if isinstance(node, ast.FunctionDef):  # sacred's
        return any(getattr(part, "attr", None) == "automain" for part in node.decorator_list)
    if isinstance(node, ast.If):
        return any(getattr(part, "id", None) == "__name__" for part in ast.walk(node.test))
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return False
    called = node.value.func
    is_run = getattr(called, "attr", None) == "run"
    is_of_app = is_run and getattr(called.value, "attr", None) == "app"
    return is_of_app or getattr(called, "id", "").startswith(_STARTS)


def _is_script(tree):
    """Tells whether the module level does something: a call for its effect, a loop, a ``with``."""
    return any(_does_something(node) for node in tree.body)


def _does_something(node):
    if isinstance(node, (ast.For, ast.While, ast.With)):
        return True
    if isinstance(node, ast.Try):
        return any(_does_something(statement) for statement in node.body)
    if isinstance(node, ast.Expr):
        calls = [part for part in ast.walk(node.value) if isinstance(part, ast.Call)]
        return bool(calls) and not _sets_up(calls[0])
    return False


def _sets_up(call):
    """Tells whether a call at module level belongs to what libraries do, too."""
    named = scopes.dumped(call.func)
    words = ("'register", "'filterwarnings", "'path'", "'logging'", "'flags'", "'DEFINE_")
    return any(word in named for word in words)


def _builds(tree, names, file_scopes):
    """Tells whether the module level calls TensorFlow, other than for flags and logging."""
    for statement in tree.body:
        for node in _now(statement):
            if isinstance(node, ast.Call):
                name = names.of(node.func, file_scopes.module) or ""
                if name.startswith("tensorflow.") and not any(part in name for part in _NO_OPS):
                    return True
    return False


#: Parts of names whose calls make no ops.
_NO_OPS = (".flags.", ".app.", ".logging.", "set_verbosity", "test.")


def _now(node):
    """Yields the nodes of a statement that run when the module does."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        if not isinstance(current, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(current))
