"""contrib's own C++ ops: their wrappers without the libraries that they called.

TF 1.15's libraries load into no other TensorFlow. The wrapper of an op that can be
expressed in ops that TF still has is that expression (`ops`); any other says so
when it is called, and only then: importing its module harms nobody.
"""

import ast
import re
import types

from tfgraphtools.compat.contrib import ops
from tfgraphtools.compat.engine import rows
from tfgraphtools.errors import GoneKernelError

_WRAPPER = re.compile(r"tensorflow\.contrib\.(.+\.)?gen_\w*(ops?|op_py)$")


def is_wrapper(name):
    """Tells whether a module is one of contrib's generated wrappers of ops."""
    return _WRAPPER.match(name) is not None


def build(module, source):
    """Fills the module of wrappers: a function for each op that its source wraps."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            if not node.name.endswith("_eager_fallback"):
                vars(module)[node.name] = _function(node.name, module.__name__)


def _function(name, module):
    row = ops.row(name)
    if row is None or rows.is_off(row.name):
        return removed_op(name, module)
    return _provided_once(row)


def _provided_once(row):
    functions = []

    def wrapper(*args, **kwargs):
        rows.used(row)
        if not functions:
            functions.append(row.run())
        return functions[0](*args, **kwargs)

    wrapper.__name__ = row.name.rpartition(".")[2]
    wrapper.__doc__ = row.why
    return wrapper


def removed_op(name, module):
    """Returns a function for an op whose kernel is gone; it says so when it is called."""

    def op(*args, **kwargs):
        raise gone_error(name, module.rpartition(".")[0])

    op.__name__ = name
    return op


def gone_error(name, where):
    """Returns the error for the use of something that only TF 1.15's own C++ can do."""
    return GoneKernelError(
        f"{name} of {where}",
        "TF 1.15's own C++ code",
        "a TensorFlow that lacks this op and cannot load the old library",
        "Run this part of the script on TF 1.15, or replace the op.",
    )


class Library(types.ModuleType):
    """The result of contrib's ``load_op_library``: ops that say that their kernels are gone."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return removed_op(name, self.__name__ + ".ops")
