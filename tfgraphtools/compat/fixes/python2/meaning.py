"""Code that both Pythons parse and read differently, with the meaning of Python 2.

For modules that were written for Python 2 as a whole; what the new nodes call
is in `helpers`.
"""

import ast

from tfgraphtools.analysis import scopes
from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.translate import in_place, trees
from tfgraphtools.compat.fixes.python2 import comprehensions, dialect, ordering
from tfgraphtools.compat.fixes.python2.containers import ordered_loops
from tfgraphtools.compat.fixes.python2.library import stand_ins
from tfgraphtools.compat.fixes.python2.old_objects import class_questions, class_statements
from tfgraphtools.compat.fixes.python2.table import (
    BYTES,
    CLASSES,
    COMPREHENSIONS,
    DIVISION,
    EXCEPTIONS,
    HASHES,
    IMPORTS,
    LISTS,
    ORDER,
    PRINT,
    UNICODE,
)

_HANDLED = {"exc_type", "exc_value", "exc_traceback"}


#: The name of an exception until it has the name that the module gives it.
_CAUGHT = "__caught__"

#: The function that a tree calls at its start: see `helpers`.
_MARK = "__python2_module__"


def as_python2(tree, why, is_text=False):
    """Returns the tree of a module that was written for Python 2, with Python 2's meaning.

    Args:
      tree: its `ast.Module`; it is changed.
      why: the row by which it counts as Python 2.
      is_text: whether it is a text that code executes, in a namespace that may have any name.
    """
    future = dialect.future_imports(tree)
    if not rows.is_off(COMPREHENSIONS.name):
        comprehensions.keep_variables(tree)
    tree = _Meaning(future, tree, is_text).visit(tree)
    scopes.forget(tree)
    makes_unicode = "unicode_literals" in future or any(
        getattr(node, "kind", None) == "u" for node in ast.walk(tree)
    )
    makes_long = getattr(tree, "_has_long", False)
    implicit = "absolute_import" not in future and not rows.is_off(IMPORTS.name)
    _mark(tree, why, implicit, makes_unicode, makes_long)
    return ast.fix_missing_locations(tree)


def mark_of(tree):
    """Returns the name of the row with which `as_python2` marked a tree, or None."""
    for node in tree.body:
        value = getattr(node, "value", None)
        if isinstance(value, ast.Call) and getattr(value.func, "id", "") == _MARK:
            return ast.literal_eval(value.args[0])
    return None


def _mark(tree, why, implicit, makes_unicode, makes_long):
    """Makes the module say at its start that it is Python 2 (see `implicit_imports`)."""
    at = ast.Pass(lineno=1, col_offset=0)
    value = trees.call(
        _MARK,
        trees.constant(why.name, at),
        trees.constant(implicit, at),
        trees.constant(makes_unicode, at),
        trees.constant(makes_long, at),
        at=at,
    )
    mark = ast.Assign(targets=[ast.Name(id="__python2__", ctx=ast.Store())], value=value)
    mark.type_comment = None
    trees.insert_first(tree, ast.copy_location(mark, at))


def _in_force(table):
    return {name: helper for name, (row, helper) in table.items() if not rows.is_off(row.name)}


class _Meaning(ordered_loops.Ordered):
    def __init__(self, future, tree, is_text):
        self.in_place = in_place.InPlace(tree)
        self.divides = "division" not in future and not rows.is_off(DIVISION.name)
        self.prints = "print_function" not in future and not rows.is_off(PRINT.name)
        self.lists = not rows.is_off(LISTS.name)
        self.classes = not rows.is_off(CLASSES.name)
        self.orders = not rows.is_off(ORDER.name)
        self.errors = not rows.is_off(EXCEPTIONS.name)
        self.decodes = not rows.is_off(UNICODE.name)
        self.bytes = not rows.is_off(BYTES.name)
        self.hashes = not rows.is_off(HASHES.name)
        self.unicode_literals = "unicode_literals" in future
        self.functions, self.calls = _in_force(stand_ins.FUNCTIONS), _in_force(stand_ins.CLASSES)
        self.certain, self.possible = scopes.builtin_reads(tree, stand_ins.HELPER_OF)
        if is_text:
            self.certain, self.possible = set(), self.certain | self.possible
        self.known_classes = class_questions.classes_of(tree)
        self.called = set()  # attributes that are called with an object, or asked for others
        for node in ast.walk(tree):  # bases are today's classes
            for base in getattr(node, "bases", ()):
                if getattr(base, "id", None) != "bytes":
                    self._keep(base)

    def _keep(self, node):
        """Leaves a name what it is today."""
        self.certain.discard(node)
        self.possible.discard(node)

    def _chosen(self, node, helpers):
        """Returns what to read in place of a name; None where that is no built-in name of these."""
        helper = helpers.get(getattr(node, "id", None))
        if helper is None or not (node in self.certain or node in self.possible):
            return None
        if node in self.certain:
            return trees.name_at(helper, node)
        self.possible.discard(node)  # it is visited again, inside of the call
        names = (trees.constant(name, node) for name in (node.id, helper))
        return trees.call("__python2_chosen__", node, *names, at=node)

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if self.divides and isinstance(node.op, ast.Div):
            return trees.call("__python2_divide__", node.left, node.right, at=node)
        if self.bytes and isinstance(node.op, ast.Mod) and _may_format(node):
            is_unicode = self._is_unicode(node.left)
            helper = "__python2_unicode_template__" if is_unicode else "__python2_template__"
            node.left = trees.call(helper, node.left, at=node.left)
        if self.bytes and isinstance(node.op, ast.Add):
            for side, other in (("left", node.right), ("right", node.left)):
                part = getattr(node, side)
                if self._is_unicode(other) and not isinstance(part, ast.Constant):
                    setattr(node, side, trees.call("__python2_decoded__", part, at=part))
        return node

    def _template(self, value):
        """Returns the text whose method `format` is called."""
        helper = "__python2_template__"
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            kind = "unicode" if self._is_unicode(value) else "literal"
            helper = f"__python2_{kind}_template__"
        return trees.call(helper, value, at=value)

    def _is_unicode(self, node):
        """Tells whether an expression is a literal of unicode."""
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        return is_text and (node.kind == "u" or self.unicode_literals)

    def visit_Compare(self, node):
        self.generic_visit(node)
        if self.errors and any(isinstance(op, class_questions.IDENTITIES) for op in node.ops):
            node.left = class_questions.noted_error(node.left, [node.left, *node.comparators])
        if self.bytes and isinstance(node.ops[0], (ast.In, ast.NotIn)) and len(node.ops) == 1:
            return _contained(node)
        return ordering.rewritten(node) if self.orders else node

    def visit_Constant(self, node):
        if self.bytes and isinstance(node.value, bytes):
            return trees.call("__python2_string__", node, at=node)
        if self.bytes and self._is_of_bytes(node):
            data = trees.constant(node.value.encode("latin1"), node)
            return trees.call("__python2_literal__", data, at=node)
        return node

    def _is_of_bytes(self, node):
        """Tells whether a constant is a text whose characters are bytes (`reading.spell_bytes`)."""
        is_text = isinstance(node.value, str) and not node.value.isascii()
        return is_text and node.kind != "u" and not self.unicode_literals

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        if not (self.divides and isinstance(node.op, ast.Div)):
            return node
        return self.in_place.assigned(node, "__python2_divide_in_place__")

    def visit_Name(self, node):
        if self.prints and node.id == "print":
            return trees.name_at("__python2_print__", node)
        return self._chosen(node, self.functions) or node

    def visit_Attribute(self, node):
        may_be_value = self.classes and isinstance(node.ctx, ast.Load) and node not in self.called
        self.called.add(node.value)  # of which only an attribute is asked
        is_method = may_be_value and class_questions.may_be_method(node, self.known_classes)
        self.generic_visit(node)
        if is_method and not node.attr.startswith("__"):
            return class_questions.as_unbound(node)
        if node.attr == "fromkeys":
            node.value = self._chosen(node.value, self.calls) or node.value
        if self.classes and node.attr == "__bases__" and isinstance(node.ctx, ast.Load):
            return trees.call("__python2_bases__", node.value, at=node)
        if self.errors and node.attr in _HANDLED and getattr(node.value, "id", None) == "sys":
            return trees.call("__python2_handled__", trees.constant(node.attr, node), at=node)
        return node

    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        if self.hashes and node.args.kwarg is not None:
            ordered_loops.order_options(node)
        for part in _own_calls(node, "exec"):
            if len(part.args) == 1:
                name = trees.constant("exec", part)
                part.args[0] = trees.call("__python2_noted__", name, part.args[0], at=part)
        return node

    def visit_Try(self, node):
        self.generic_visit(node)
        names = [getattr(handler.type, "id", None) for handler in node.handlers]
        if self.errors and "OSError" in names and "IOError" in names[: names.index("OSError")]:
            body = node.handlers[names.index("IOError")].body
            name = trees.constant("ioerror", body[0])
            statement = ast.Expr(trees.call("__python2_noted__", name, at=body[0]))
            body.insert(0, ast.copy_location(statement, body[0]))
        return node

    def visit_ExceptHandler(self, node):
        self.generic_visit(node)
        if self.errors and node.name:
            for part in (inner for statement in node.body for inner in ast.walk(statement)):
                if _takes_items(part, node.name):
                    part.value = trees.call("__python2_arguments__", part.value, at=part.value)
            _keep_error(node)
        return node

    def visit_Expr(self, node):
        if self.prints and getattr(node.value, "id", None) == "print":  # `print` alone
            node.value = trees.call("print", at=node.value)
        if isinstance(node.value, ast.Constant):  # a docstring
            if self._is_of_bytes(node.value):
                node.value.value = node.value.value.encode("latin1").decode("utf-8", "replace")
            return node
        return self.generic_visit(node)

    def visit_Call(self, node):
        is_method = class_questions.may_be_method(node.func, self.known_classes)
        if node.args or not node.keywords:
            self.called.add(node.func)
        if getattr(node.func, "attr", None) in stand_ins.TAKE_DTYPES:
            list(map(self._keep, node.args))
        for word in node.keywords:
            if word.arg == "dtype":
                self._keep(word.value)
        node.func = self._chosen(node.func, self.calls) or node.func
        self.generic_visit(node)
        if self.classes and node.args and is_method:
            class_questions.check_self(node)
        if getattr(node.func, "id", None) == "__python2_print__":
            _show_at_once(node)
        method = getattr(node.func, "attr", None)
        is_without_arguments = not node.args and not node.keywords
        if self.lists and is_without_arguments and method in ("keys", "values", "items"):
            name = trees.constant(method, node)
            return trees.call("__python2_listed__", node.func.value, name, at=node)
        if self.bytes and method in stand_ins.OF_BLANKS and len(node.args) < 2:
            value = node.func.value
            node.func.value = trees.call("__python2_control__", value, at=value)
            return self._meeting(node)
        if self.orders and method == "sort":
            return _as_function("__python2_order__", node)
        if self.decodes and method == "translate" and node.args and not node.keywords:
            return _as_function("__python2_translate__", node)
        if self.bytes and method in stand_ins.MEET:
            return self._meeting(node)
        if self.bytes and method == "expand" and len(node.args) == 1 and not node.keywords:
            return _as_function("__python2_expand__", node)
        if self.bytes and method in ("encode", "decode"):
            return _as_function(f"__python2_{method}__", node)
        if self.bytes and method == "format" and isinstance(node.func, ast.Attribute):
            node.func.value = self._template(node.func.value)
            return node
        if self.bytes and method == "join" and self._is_unicode(getattr(node.func, "value", None)):
            return self._meeting(node)
        if self.bytes and method in stand_ins.TAKE_BYTES and node.args and not node.keywords:
            node = trees.wrap_call("__python2_given__", node)
        if self.bytes and method == "BytesList":
            for word in node.keywords:
                if word.arg == "value":
                    word.value = trees.call("__python2_all_bytes__", word.value, at=word.value)
        if self.hashes and (method or getattr(node.func, "id", None)) == "OrderedDict":
            ordered_loops.order_keywords(node)
        if self.bytes and method in stand_ins.GIVE_NAMES:
            return trees.call("__python2_names__", node, at=node)
        if self.bytes and method in stand_ins.GIVE_PATHS:
            return trees.wrap_call("__python2_paths__", node)
        if self.bytes and method in stand_ins.GIVE_BYTES:
            return trees.call("__python2_string__", node, at=node)
        if node.args and (method or getattr(node.func, "id", None)) in _MAPPING:
            text = self._chosen(node.args[0], {"str": self.calls.get("str")})
            node.args[0] = text or node.args[0]
        if self.errors and getattr(node.func, "id", None) == "issubclass" and len(node.args) == 2:
            node.args[0] = class_questions.noted_error(node.args[0], node.args[1:])
        return node

    def _meeting(self, node):
        """Returns a call of a method of text, whose arguments may be bytes beyond ASCII."""
        is_constant = all(isinstance(item, ast.Constant) for item in node.args)
        if is_constant or node.keywords:
            return node
        is_unicode = self._is_unicode(getattr(node.func, "value", None))
        return trees.wrap_call(f"__python2_met{'_by_unicode' if is_unicode else ''}__", node)

    def visit_ClassDef(self, node):
        self.generic_visit(node)
        if self.classes:
            class_statements.keep_old(node)
        return node


#: What calls its first argument.
_MAPPING = ("__python2_map__", "imap", "partial")


def _own_calls(function, name):
    """Returns the calls of a name in a function, without those in functions within."""
    calls, waiting = [], list(function.body)
    for node in waiting:
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == name:
            calls.append(node)
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Lambda)):
            waiting += ast.iter_child_nodes(node)
    return calls


def _show_at_once(call):
    """Makes ``print`` show each item before the next one is evaluated, which may change it."""
    calls = [any(isinstance(part, ast.Call) for part in ast.walk(item)) for item in call.args]
    for place, item in enumerate(call.args[:-1]):
        is_steady = isinstance(item, (ast.Constant, ast.Starred))
        if any(calls[place + 1 :]) and not is_steady:
            call.args[place] = trees.call("__python2_item__", item, at=item)


def _may_format(node):
    """Tells whether ``a % b`` may be a text, whose values matter."""
    if isinstance(node.left, ast.Constant):
        return not _is_number(node.left)
    if getattr(getattr(node.left, "func", None), "id", None) == "__python2_literal__":
        return True
    return not isinstance(node.right, ast.Constant) or not _is_number(node.right)


def _is_number(node):
    return isinstance(node, ast.Constant) and not isinstance(node.value, (str, bytes))


def _contained(node):
    """Returns ``a in b`` as a call, where `a` may be bytes."""
    if isinstance(node.left, ast.Constant):
        return node
    call = trees.call("__python2_in__", node.left, node.comparators[0], at=node)
    if isinstance(node.ops[0], ast.In):
        return call
    return ast.copy_location(ast.UnaryOp(op=ast.Not(), operand=call), node)


def _as_function(helper, node):
    """Returns ``value.method(...)`` as ``helper(value, ...)``."""
    node.args.insert(0, node.func.value)
    node.func = trees.name_at(helper, node.func)
    return node


def _keep_error(handler):
    """Makes ``except X as name`` bind a name that stays, as in Python 2."""
    kept = ast.Assign(
        targets=[ast.Name(id=handler.name, ctx=ast.Store())], value=trees.name_load(_CAUGHT)
    )
    kept.type_comment = None
    handler.name = _CAUGHT
    handler.body.insert(0, ast.copy_location(kept, handler.body[0]))


def _takes_items(node, name):
    """Tells whether a node is ``name[...]``, or unpacks `name`."""
    if isinstance(node, ast.Assign):
        unpacks = isinstance(node.targets[0], (ast.Tuple, ast.List))
        return unpacks and getattr(node.value, "id", None) == name
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
        return False
    return getattr(node.value, "id", None) == name
