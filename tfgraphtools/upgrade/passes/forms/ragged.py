"""Arrays of pairs whose parts need not be equally long: ``np.array(list(zip(x, y)))``.

NumPy made an array of objects of them, and refuses today. What a variable holds the source
often does not say; it is known here where the pairs are made in the same function, or are
given to it by a call somewhere in the codebase, or the lists are written out.
"""

import ast

from tfgraphtools.compat import rewrites
from tfgraphtools.upgrade import targets
from tfgraphtools.upgrade.clues import pairs

#: The functions that are called so.
FUNCTIONS = ("numpy.array", "numpy.asarray")

_LISTS = (ast.List, ast.Tuple)


def target(work, call, old):
    """Returns the `targets.Target` of a call of one of `FUNCTIONS`; None if it gets no pairs.

    Args:
      work: the `Work`.
      call: the `ast.Call`.
      old: the `Target` by which the runtime answers.
    """
    if len(call.args) != 1 or call.keywords or not _is_pairs(work, call.args[0]):
        return None
    if work.choice.runtime:
        return old
    rewrite = rewrites.Call(None, added={"dtype": "object"})
    return targets.Target(old.fix, old.fix, rewrite)


def _is_pairs(work, argument):
    if _is_ragged(argument):
        return True
    function = _function_of(work, argument)
    if pairs.is_pairs(argument, pairs.made_in(function)):
        return True
    name = getattr(argument, "id", None)
    if name is None or not isinstance(function, ast.FunctionDef):
        return False
    places = [parameter.arg for parameter in function.args.args]
    if name not in places or _is_assigned_before(function, name, argument.lineno):
        return False
    dotted = f"@{work.role.path}::{function.name}"
    known_pairs = work.codebase.pairs()
    return (dotted, name) in known_pairs or (dotted, places.index(name)) in known_pairs


def _is_ragged(node):
    """Tells whether lists that are written out differ in length, or stand beside numbers."""
    level = [node] if isinstance(node, _LISTS) else []
    while level:
        elements = [element for part in level for element in part.elts]
        lengths = {len(part.elts) for part in level}
        level = [element for element in elements if isinstance(element, _LISTS)]
        if any(isinstance(element, ast.Starred) for element in elements):
            return False
        if len(lengths) > 1 or (level and any(isinstance(e, ast.Constant) for e in elements)):
            return True
    return False


def _function_of(work, node):
    """Returns the innermost function around a node, or the module."""
    around = [
        candidate
        for candidate in pairs.nodes_of(work.tree)
        if isinstance(candidate, ast.FunctionDef)
        and candidate.lineno <= node.lineno <= candidate.end_lineno
    ]
    return max(around, key=lambda candidate: candidate.lineno, default=work.tree)


def _is_assigned_before(function, name, line):
    return any(
        isinstance(name_node, ast.Name)
        and name_node.id == name
        and isinstance(name_node.ctx, ast.Store)
        and name_node.lineno < line
        for name_node in pairs.own_nodes(function)
    )
