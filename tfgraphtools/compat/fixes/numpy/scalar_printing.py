"""The text of NumPy's scalars in user code: ``[0.5]``, not ``[np.float32(0.5)]``.

NumPy has one mode for the whole process, which is left alone. So the places where user
code makes text (``print``, ``str``, ``repr``, ``%``, ``format``, f-strings, logging, pprint,
`traceback`, the value of a notebook's cell) use NumPy 1's mode while they do so, if a number or
an array of NumPy is in it.
"""

import ast
import builtins
import functools
import operator
import sys

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.loading import standing_functions
from tfgraphtools.compat.engine.replacing import replaces
from tfgraphtools.compat.engine.rewrite_kinds import Entry
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.engine.translate import trees
from tfgraphtools.compat.engine.translate.tree_walk import walking
from tfgraphtools.compat.fixes.numpy import called_values, class_names, shown_items
from tfgraphtools.compat.fixes.numpy.arithmetic import promotion, python_numbers

_repr, _format, _print = builtins.repr, builtins.format, builtins.print

#: Methods of text that put values into it.
_FORMATS = ("format", "format_map")

#: What stands at the right of ``text % [x]``, in which the rewrite of operators has no part.
_DISPLAYS = (ast.List, ast.ListComp, ast.Tuple, ast.Dict, ast.Set)

#: Methods that give the text of their object.
_OWN_TEXT = ("__repr__", "__str__")

#: Classes whose objects have nothing of NumPy in their text.
PLAIN = frozenset((int, float, str, bool, bytes, complex, type(None)))

#: Functions of `traceback` that show an error, with what it holds.
_TRACEBACKS = frozenset(
    "print_exc format_exc print_exception format_exception format_exception_only print_last".split()
)

#: The conversion codes of ``f"{x!r}"``, ``f"{x!s}"`` and ``f"{x!a}"``.
_REPR, _STR, _ASCII = map(ord, "rsa")


@walking
def texts(tree):
    """Makes text of user code show NumPy's scalars as numbers."""
    names = {*called_values.PRINTS, *_AS_VALUES, "str", "__python2_str__", "repr", "getattr"}
    builtin_reads = trees.BuiltinNames(tree, names)
    reads_names = not trees.read_attributes(tree).isdisjoint(_NAMES)
    texts_of = _Texts(
        builtin_reads,
        python_numbers.in_tree(tree),
        called_values.Called(tree, builtin_reads),
        reads_names,
    )
    if trees.read_names(tree).isdisjoint(called_values.PRINTS):
        texts_of.idle += called_values.Printing.OF_VALUES
    return texts_of


class _Texts(called_values.Printing):
    def __init__(self, builtins, of_python, called, reads_names):
        super().__init__(builtins)
        self.of_python = of_python  # nodes without a number of NumPy
        self.called = called
        self.idle = self.idle if reads_names else (*self.idle, "visit_Attribute")

    def visit_Call(self, node):
        name = getattr(node.func, "id", None)
        if node in self.of_python and name not in _TRACEBACKS:  # which show the error's values
            return node
        takes_text = name in _MAPPING or getattr(node.func, "attr", None) in _MAPPING
        for place, argument in enumerate(node.args):
            if _may_be_value(argument):
                node.args[place] = self._value(argument, takes_text)
        for word in node.keywords:
            if _may_be_value(word.value):
                word.value = self._value(word.value, word.arg == "key")
        if name == "__numpy1_format__":  # of `one_element`
            node.func = trees.name_at("__numpy1_format_in_mode__", node.func)
            return node
        if getattr(node.func, "attr", name) in _TRACEBACKS:
            return trees.wrap_call("__numpy1_traceback__", node)
        if isinstance(node.func, ast.Attribute):
            if node.func.attr in _FORMATS or (node.func.attr in _OWN_TEXT and not node.keywords):
                suffix = "" if node.keywords else "_unnamed"
                return trees.wrap_call(f"__numpy1_in_mode{suffix}__", node)
            node.func = self.called.guarded(node.func, node)
        elif node.func not in self.builtins:
            node.func = self.called.guarded(node.func, node)
            return node
        elif name == "getattr":
            if len(node.args) > 1 and trees.string_value(node.args[1]) in _NAMES:
                node.func = trees.name_at("__numpy1_class_name__", node.func)
        elif name == "repr":
            if trees.has_one_argument(node):
                node.func = trees.name_at("__numpy1_repr_of__", node.func)
        else:
            node.args = _all_shown(node)
        return node

    def _value(self, node, takes_text):
        """Returns an argument: for a function that makes text, one that does it here."""
        name = getattr(node, "id", None)
        is_value = name in _AS_VALUES and node in self.builtins
        if is_value and (takes_text or name in called_values.PRINTS):
            return trees.name_at(_AS_VALUES[name], node)
        is_method = isinstance(node, ast.Attribute) and node.attr in _OF_TEXT
        is_class = is_method and node.value in self.builtins and node.value.id == "str"
        if is_class or (is_method and trees.string_value(node.value) is not None):
            return trees.call("__numpy1_making_text__", node, at=node)
        return node

    def visit_Attribute(self, node):
        if node.attr in _NAMES and isinstance(node.ctx, ast.Load):
            name = trees.constant(node.attr, node)
            return trees.call("__numpy1_class_name__", node.value, name, at=node)
        return node

    def visit_BinOp(self, node):
        if node in self.of_python:
            return node
        is_text = trees.string_value(node.left) is not None or isinstance(node.right, _DISPLAYS)
        if isinstance(node.op, ast.Mod) and is_text:
            return trees.call("__numpy1_percent__", node.left, node.right, at=node)
        return node

    def visit_FormattedValue(self, node):
        if node in self.of_python:
            return node
        if node.conversion == _REPR:
            node.value = trees.call("__numpy1_repr_of__", node.value, at=node.value)
            node.conversion = -1
        elif node.conversion == _ASCII:
            node.value = trees.call("__numpy1_ascii_of__", node.value, at=node.value)
            node.conversion = -1
        elif node.conversion == _STR:
            node.value = trees.call("__numpy1_shown__", node.value, at=node.value)
        elif node.conversion == -1 and node.format_spec is None:
            node.value = trees.call("__numpy1_formatted__", node.value, at=node.value)
        return node


#: Functions that call the function that they get first -> ``str`` there gives text.
#: (Python 2's own ``map`` knows what ``str`` is there.)
_MAPPING = frozenset(("map", "imap", "partial", "starmap"))

#: Attributes by which a class of NumPy tells its name.
_NAMES = ("__name__", "__qualname__")

#: Functions that are given as arguments -> what is given for them.
_AS_VALUES = {
    "str": "__numpy1_str__",
    "print": "__numpy1_print__",
    "__python2_print__": "__numpy1_print__",
}

#: Methods of text, given as arguments, that put values into it.
_OF_TEXT = (*_FORMATS, "__mod__")


def _may_be_value(argument):
    """Tells whether an argument may be a function that makes text."""
    kind = argument.__class__
    if kind is ast.Name:
        return argument.id in _AS_VALUES
    return kind is ast.Attribute and argument.attr in _OF_TEXT


def _all_shown(call):
    """Rewrites the arguments of ``print`` or ``str``, which may become text here already.

    Several become it together: ``print(stack, stack.pop())`` shows the stack after the call.
    """
    if all(isinstance(argument, (ast.Constant, ast.JoinedStr)) for argument in call.args):
        return call.args
    if len(call.args) == 1 and not isinstance(call.args[0], ast.Starred):
        return [trees.call("__numpy1_shown__", call.args[0], at=call.args[0])]
    values = ast.copy_location(ast.Tuple(elts=call.args, ctx=ast.Load()), call.args[0])
    values = trees.call("__numpy1_all_shown__", values, at=values)
    return [ast.copy_location(ast.Starred(value=values, ctx=ast.Load()), values)]


# Helpers that the rewritten code calls ----------------------------------------------


def in_mode(*arguments, **options):
    """Calls the first argument, in NumPy 1's mode if such a value is among what it gets.

    Methods ``format`` of others than text are not concerned.
    """
    function, *arguments = arguments  # "{function}".format(function=f) has the name, too
    owner = getattr(function, "__self__", None)
    is_format = getattr(function, "__name__", "") in _FORMATS and function is not _format
    is_others = is_format and not isinstance(owner, str) and function not in _OF_CLASS
    arguments = class_names.shown_in(arguments)
    if is_others or not shown_items.differs(owner, *arguments, *options.values()):
        return function(*arguments, **options)
    return _with_mode(function, *arguments, **options)


#: Methods of the class, which get the text as their first argument.
_OF_CLASS = (str.format, str.format_map)


def in_mode_unnamed(function, *arguments):
    """Does what `in_mode` does, where no argument has a name; it is faster."""
    for argument in arguments:
        if argument.__class__ not in PLAIN:
            return in_mode(function, *arguments)
    return function(*arguments) if arguments else in_mode(function)


def _with_mode(*arguments, **options):
    function, *arguments = arguments
    numpy = sys.modules["numpy"]
    print_options = numpy.get_printoptions()
    if rows.is_off(SCALARS.name) or print_options["legacy"]:  # the user's choice
        return function(*arguments, **options)
    rows.used(SCALARS)
    with numpy.printoptions(**dict(print_options, legacy="1.21")):  # with the user's formatter
        return function(*arguments, **options)


def in_traceback(*arguments, **options):
    """Calls a function of `traceback`, in NumPy 1's mode if the error shown has such a value."""
    function, *arguments = arguments
    is_tracebacks = getattr(function, "__module__", "") == "traceback"
    if not is_tracebacks or not shown_items.differs(
        sys.exc_info()[1], *arguments, *options.values()
    ):
        return function(*arguments, **options)
    return _with_mode(function, *arguments, **options)


def percent(text, values):
    """Returns ``text % values``."""
    if type(values) is tuple:
        values = tuple(class_names.shown_in(values))
    return in_mode(operator.mod, text, values)


def shown(value, text=str):
    """Returns the value, or its text where that of NumPy 2 is another."""
    cls = type(value)
    if cls in PLAIN:
        return value
    if cls is type:
        return class_names.shown(value)
    if shown_items.READERS[cls] is None:
        is_same = not promotion.IS_NUMPYS[cls] or _is_shown_alike(value)
    else:
        is_same = not shown_items.differs(value)
    return value if is_same else _with_mode(text, value)


#: Integers from here on may have an exponent, in types of few digits.
_LARGE = 1000


def _is_shown_alike(number):
    """Tells whether both NumPys show a number or an array alike, but in containers."""
    kind = number.dtype.kind
    if kind == "f" and not number.ndim:
        return number.dtype.itemsize > 4 or bool(-_LARGE < number < _LARGE)
    return kind not in "OV" and (kind != "c" or number.ndim > 0)


def all_shown(values):
    """Returns the arguments of ``print(...)``."""
    return [shown(value) for value in values]


def formatted(value):
    """Returns the value of ``f"{value}"``."""
    return value if type(value) in PLAIN else shown(value, format)


def repr_of(value):
    """Returns ``repr(value)``."""
    if value.__class__ in PLAIN:
        return _repr(value)
    return _repr(class_names.shown(value)) if type(value) is type else in_mode(_repr, value)


@standing_functions.as_builtin(builtins.ascii)
def ascii_(*values):
    """Returns ``ascii(value)``."""
    return in_mode_unnamed(builtins.ascii, *values)


@standing_functions.as_builtin(_repr)
def repr_(*values):
    """Returns ``repr(value)``, of a function that is handed on."""
    return in_mode_unnamed(_repr, *values)


@standing_functions.as_builtin(_format)
def format_(*arguments):
    """Returns ``format(value, ...)``."""
    return in_mode(_format, *arguments)


def str_(*arguments, **options):
    """Returns ``str(value)``, where it is the function of ``map(str, values)``."""
    return in_mode(str, *arguments, **options)


@standing_functions.as_builtin(_print)
def print_(*values, **options):
    """Does ``print(...)``, where it is a value."""
    _print(*all_shown(values), **options)


def called(function):
    """Returns what is called in place of a function that is `str`."""
    return str_ if function is str else function


def making_text(method):
    """Returns a method of text, such as ``"{!r}".format``, that shows numbers as NumPy 1."""
    return functools.partial(in_mode, method)


# Libraries that user code has make text -------------------------------------


SCALARS = Fix(
    "numpy.scalar_printing",
    "NumPy 2.0",
    "scalars in lists, dicts and tuples print as numbers: {'acc': 0.5}",
    texts,
    Entry("numpy.set_printoptions", 'legacy="1.25"'),
)

#: Who may stand between user code and the record of a message.
_LOGGING = ("logging", "absl", "tensorflow", "tensorflow_estimator")


@replaces("logging:LogRecord.getMessage", row=SCALARS, through=_LOGGING)
def get_message(original, self):
    """Returns the text of a log record, with its numbers as in NumPy 1."""
    if not shown_items.differs(self.msg, self.args):
        return original(self)
    return _with_mode(original, self)


@replaces("sys:displayhook", row=SCALARS, also=("sys:__displayhook__",), through=())
def _console(original, value):
    """Shows the value of an expression in a console, or in an example of a docstring."""
    return _with_mode(original, value) if shown_items.differs(value) else original(value)


@replaces("pprint:PrettyPrinter.pformat", row=SCALARS)
def _pformat(original, self, value):
    return (
        _with_mode(original, self, value) if shown_items.differs(value) else original(self, value)
    )


@replaces("pprint:PrettyPrinter.pprint", row=SCALARS)
def _pprint(original, self, value):
    return (
        _with_mode(original, self, value) if shown_items.differs(value) else original(self, value)
    )


@replaces(
    "IPython.core.displayhook:DisplayHook.__call__", row=SCALARS, through=("IPython", "traitlets")
)
def _display(original, self, result=None):
    return (
        _with_mode(original, self, result)
        if shown_items.differs(result)
        else original(self, result)
    )


REPLACEMENTS = (get_message, _console, _pformat, _pprint, _display)

TABLE = Table("how NumPy prints", "syntax", [SCALARS])

HELPERS = {
    "__numpy1_in_mode__": in_mode,
    "__numpy1_traceback__": in_traceback,
    "__numpy1_percent__": percent,
    "__numpy1_shown__": shown,
    "__numpy1_all_shown__": all_shown,
    "__numpy1_formatted__": formatted,
    "__numpy1_in_mode_unnamed__": in_mode_unnamed,
    "__numpy1_repr_of__": repr_of,
    "__numpy1_ascii_of__": ascii_,
    "__numpy1_str__": str_,
    "__numpy1_called__": called,
    "__numpy1_class_name__": class_names.name_of,
    "__numpy1_print__": print_,
    "__numpy1_making_text__": making_text,
    "ascii": ascii_,
    "repr": repr_,
    "format": format_,
}
