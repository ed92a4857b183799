"""Assignments to items of arrays, ``x[i] = value``, that ask again where NumPy refuses the value.

`one_element` and `arithmetic.wrapping` say what is stored then.
"""

import ast

from tfgraphtools.compat.engine.translate import trees

#: Nodes at the right of an assignment that are certainly no array of one element.
_NO_ARRAYS = (
    ast.Dict,
    ast.DictComp,
    ast.JoinedStr,
    ast.Lambda,
    ast.ListComp,
    ast.Set,
    ast.SetComp,
)


def _fits(node):
    """Tells whether every NumPy stores it alike: no array, and no integer beyond a byte."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return all(_fits(item) for item in node.elts)
    if isinstance(node, ast.Constant):
        return type(node.value) is not int or 0 <= node.value < 128
    return isinstance(node, _NO_ARRAYS)


def guarded(node):
    """Returns an `ast.Assign`, or the statements that do what it does and ask again."""
    if _fits(node.value):
        return node
    stores = []
    node.targets = [_emptied(target, stores) for target in node.targets]
    return [node, *_stored(stores, node)] if stores else node


def _emptied(target, stores):
    """Returns `target` with a temporary for each array item in it; adds (temporary, item)."""
    if isinstance(target, (ast.Tuple, ast.List)):
        target.elts = [_emptied(part, stores) for part in target.elts]
    elif isinstance(target, ast.Subscript) and not _is_no_item(target.slice):
        name = f"__item{len(stores)}__"
        stores.append((name, target))
        return ast.copy_location(ast.Name(id=name, ctx=ast.Store()), target)
    return target


def _is_no_item(index):
    """Tells whether an index is certainly no array's."""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    is_text = isinstance(index, ast.Constant) and isinstance(index.value, str)
    return is_text or any(isinstance(part, ast.Starred) for part in parts)


def _stored(stores, at):
    """Returns the statements that put each temporary into its item, and forget it."""
    statements = []
    for name, item in stores:
        item = trees.evaluate_once(item, statements, at)
        whole = ast.Assign(targets=[item], value=trees.name_load(name), type_comment=None)
        handler = _wrapping(item, name, at) if _has_slice(item) else _storing(item, name, at)
        forgotten = ast.Delete(targets=[ast.Name(id=name, ctx=ast.Del())])
        statements += [
            ast.Try(body=[whole], handlers=[handler], orelse=[], finalbody=[]),
            forgotten,
        ]
    return [ast.fix_missing_locations(ast.copy_location(statement, at)) for statement in statements]


def _has_slice(item):
    parts = item.slice.elts if isinstance(item.slice, ast.Tuple) else [item.slice]
    return any(isinstance(part, ast.Slice) for part in parts)


def _storing(item, name, at):
    """Returns ``except ...: if not __numpy1_store__(array, index, value): raise``."""
    array, index = trees.as_read(item.value), trees.as_read(item.slice)
    helped = trees.call("__numpy1_store__", array, index, trees.name_load(name), at=at)
    refused = ast.If(
        test=ast.UnaryOp(op=ast.Not(), operand=helped),
        body=[ast.Raise(exc=None, cause=None)],
        orelse=[],
    )
    return ast.ExceptHandler(type=trees.name_load("__numpy1_refusals__"), name=None, body=[refused])


def _wrapping(item, name, at):
    """Returns ``except OverflowError: array[part] = __numpy1_wrapped__(array, value)``."""
    value = trees.call(
        "__numpy1_wrapped__", trees.as_read(item.value), trees.name_load(name), at=at
    )
    again = ast.Assign(targets=[item], value=value, type_comment=None)
    return ast.ExceptHandler(type=trees.name_load("__numpy1_overflow__"), name=None, body=[again])
