"""Cells that look names up in a loop, with the loop and the names written out.

`upgrade` reports ``getattr(np, name)``, whose name is only known at run time. What it is to do
for each of the names is asked by the same cell without the loop.
"""

import ast
import copy


def written_out(source):
    """A cell's source in which constant loops around looked-up names are written out."""
    tree = ast.parse(source)
    tree = _Constants(_constants(tree)).visit(tree)
    tree = _Loops().visit(tree)
    lookups = _Lookups()
    tree = lookups.visit(tree)
    imports = [f"import {name} as {local}\n" for name, local in lookups.imported.items()]
    return "".join(imports) + ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _constants(tree):
    """name -> value of the texts that a module assigns once, at its own level."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            try:
                found[node.targets[0].id] = _value(node.value)
            except ValueError:
                continue
    return {name: value for name, value in found.items() if isinstance(value, (str, list))}


def _value(node):
    """The value of a constant expression: literals, ``text.split()``, ``text % constants``.

    Raises:
      ValueError: it is none.
    """
    allowed = (ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.BinOp, ast.Mod, ast.Add, ast.Load)
    calls = [part for part in ast.walk(node) if isinstance(part, ast.Call)]
    inside = {id(call.func) for call in calls}
    for part in ast.walk(node):
        is_split = isinstance(part, ast.Attribute) and part.attr == "split" and id(part) in inside
        if not isinstance(part, allowed) and part not in calls and not is_split:
            raise ValueError(ast.dump(part))
    if any(not isinstance(call.func, ast.Attribute) for call in calls):
        raise ValueError("a call")
    return eval(compile(ast.fix_missing_locations(ast.Expression(node)), "", "eval"))


class _Constants(ast.NodeTransformer):
    """Puts values in place of names."""

    def __init__(self, values):
        self.values = values

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load) and node.id in self.values:
            return ast.parse(repr(self.values[node.id]), mode="eval").body
        return node


def _looks_up(node):
    calls = [part.func for part in ast.walk(node) if isinstance(part, ast.Call)]
    names = {getattr(called, "id", getattr(called, "attr", None)) for called in calls}
    return bool(names & {"getattr", "hasattr", "import_module"})


class _Loops(ast.NodeTransformer):
    """Writes loops out that look names up, over what is constant."""

    def visit_For(self, node):
        items = self._items(node.iter) if _looks_up(node) else None
        if items is None or not isinstance(node.target, ast.Name):
            return self.generic_visit(node)
        body = []
        for item in items:
            for statement in node.body:
                made = _Constants({node.target.id: item}).visit(copy.deepcopy(statement))
                body.append(self.visit(made))
        return body

    def visit_ListComp(self, node):
        loop = node.generators[0]
        items = self._items(loop.iter) if _looks_up(node.elt) and not loop.ifs else None
        if items is None:
            return self.generic_visit(node)
        made = [_Constants({loop.target.id: item}).visit(copy.deepcopy(node.elt)) for item in items]
        return ast.List([self.visit(one) for one in made], ast.Load())

    visit_GeneratorExp = visit_ListComp

    @staticmethod
    def _items(node):
        try:
            return list(_value(copy.deepcopy(node)))
        except (ValueError, TypeError):
            return None


class _Lookups(ast.NodeTransformer):
    """``a.b`` for ``getattr(a, "b")``, and an import for ``import_module("a.b")``."""

    def __init__(self):
        self.imported = {}  # module -> its local name

    def visit_IfExp(self, node):
        return node  # it asks whether the name is there

    def visit_Call(self, node):
        self.generic_visit(node)
        name = getattr(node.func, "id", getattr(node.func, "attr", None))
        try:
            word = _value(copy.deepcopy(node.args[-1])) if node.args else None
        except ValueError:
            return node
        if name == "getattr" and len(node.args) == 2:
            return ast.Attribute(node.args[0], word, ast.Load())
        if name == "hasattr":
            return ast.parse(
                f"{ast.unparse(node.args[0])}.{word} is not Ellipsis", mode="eval"
            ).body
        if name == "import_module":
            local = self.imported.setdefault(word, "_" + word.replace(".", "_"))
            return ast.Name(local, ast.Load())
        return node
