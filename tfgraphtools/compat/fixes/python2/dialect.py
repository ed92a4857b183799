"""The check whether a source that Python 3 can parse was nevertheless written for Python 2.

It was when it uses, without a guard, a name that only Python 2 has (it could
never have run on Python 3), and nothing that only Python 3 can compile.
"""

import ast
import re

from tfgraphtools.analysis import guards
from tfgraphtools.compat.engine.translate import trees

#: Built-in names of Python 2 that Python 3 dropped.
_NAMES = {
    "basestring",
    "execfile",
    "long",
    "raw_input",
    "unichr",
    "unicode",
    "xrange",
}

#: Modules that Python 3 dropped or renamed, as far as nothing else is called so.
_MODULES = {
    "BaseHTTPServer",
    "ConfigParser",
    "HTMLParser",
    "Queue",
    "StringIO",
    "Tkinter",
    "__builtin__",
    "cPickle",
    "cStringIO",
    "cookielib",
    "httplib",
    "md5",
    "urllib2",
    "urlparse",
}

#: What a file says that knows of both Pythons.
_GUARDS = re.compile(rb"\bsix\b|\bPY[23]\b|version_info|sys\.version\b|\bfuture\b|\bbuiltins\b")

_SHEBANG = re.compile(rb"#![^\n]*\bpython2(?:\.\d)?\b")

_PYTHON3_NODES = tuple(
    getattr(ast, name)
    for name in (
        "AnnAssign",
        "AsyncFor",
        "AsyncFunctionDef",
        "AsyncWith",
        "Await",
        "FormattedValue",
        "JoinedStr",
        "MatMult",
        "Nonlocal",
        "NamedExpr",
        "Starred",
        "YieldFrom",
    )
    if hasattr(ast, name)
)


def is_python2(source, tree):
    """Tells whether `source`, which parses as `tree`, can only have been meant for Python 2."""
    if _SHEBANG.match(source):
        return not is_python3_only(tree)
    mentions = trees.read_names(tree) & {*_NAMES, "print"} or trees.imported_roots(tree) & _MODULES
    if not mentions or _GUARDS.search(source):
        return False
    return _uses_python2_names(tree) and not is_python3_only(tree)


def is_python3_only(tree):
    """Tells whether a tree holds what Python 2 could not compile, or would print as a tuple."""
    if has_python3_syntax(tree):
        return True
    if "print_function" in future_imports(tree):
        return False
    return any(_prints_several(node) for node in ast.walk(tree))


def has_python3_syntax(tree):
    """Tells whether a tree holds what Python 2 could not compile."""
    return any(_is_python3_node(node) for node in ast.walk(tree))


def future_imports(tree):
    """Returns the names that the module imports from ``__future__``."""
    return {
        alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module == "__future__"
        for alias in node.names
    }


def _prints_several(node):
    """Tells whether it is ``print(a, b)`` or ``print(a, end="")``, which is no statement."""
    if not isinstance(node, ast.Call) or getattr(node.func, "id", None) != "print":
        return False
    return len(node.args) > 1 or bool(node.keywords)


def _is_python3_node(node):
    if isinstance(node, ast.Starred):  # f(*xs) is Python 2's too
        return isinstance(node.ctx, ast.Store)
    if isinstance(node, _PYTHON3_NODES):
        return True
    if isinstance(node, ast.arguments):
        annotated = any(argument.annotation for argument in node.args)
        return bool(node.kwonlyargs) or annotated
    if isinstance(node, ast.FunctionDef):
        return node.returns is not None
    if isinstance(node, ast.ClassDef):
        return bool(node.keywords)
    if isinstance(node, ast.Raise):
        return node.cause is not None
    if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "super":
        return not node.args
    return False


def _is_print_statement(node):
    """Tells whether a statement of `print` is something that Python 3 fails at.

    Such as ``print [x]``, ``print (a + 4) / 2``, ``print -x``: an item or operand that is None.
    """
    value = getattr(node, "value", None) if isinstance(node, ast.Expr) else None
    first = value.elts[0] if isinstance(value, ast.Tuple) and value.elts else value
    if isinstance(first, ast.Call) and isinstance(first.func, ast.Name):
        return False
    steps = 0
    while isinstance(first, (ast.Attribute, ast.BinOp, ast.Call, ast.Subscript)):
        name = {ast.BinOp: "left", ast.Call: "func"}.get(type(first), "value")
        first, steps = getattr(first, name), steps + 1
    return steps > 0 and getattr(first, "id", None) == "print"


def _uses_python2_names(tree):
    builtin_names = trees.builtin_reads(tree, _NAMES)
    if "*" in trees.bound_names(tree):  # they may come from there
        return False
    imports = trees.nodes_of(tree, ast.Import, ast.ImportFrom)
    uses = [*builtin_names, *filter(_imports_old_module, imports)]
    is_function = "print" in trees.bound_names(tree) or "print_function" in future_imports(tree)
    if "print" in trees.read_names(tree) and not is_function:
        uses += filter(_is_print_statement, trees.nodes_of(tree, ast.Expr))
    guarded = guards.harmless_lines(tree, handlers=True) if uses else ()
    return any(node.lineno not in guarded for node in uses)


def _imports_old_module(node):
    if isinstance(node, ast.Import):
        return any(alias.name in _MODULES for alias in node.names)
    return isinstance(node, ast.ImportFrom) and node.level == 0 and node.module in _MODULES
