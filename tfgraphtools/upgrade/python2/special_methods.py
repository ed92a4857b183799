"""Special methods that Python 3 does not call: ``__cmp__``, ``__getslice__``, ``__long__``..."""

import ast

from tfgraphtools.upgrade.findings import CANNOT, RUNTIME, Finding

FIX = "python2.classes"

#: method -> what to write without the runtime
_METHODS = {
    "__cmp__": "write __eq__ and __lt__, below @functools.total_ordering",
    "__getslice__": "write __getitem__, which gets a slice",
    "__setslice__": "write __setitem__, which gets a slice",
    "__delslice__": "write __delitem__, which gets a slice",
    "__long__": "write __int__",
    "__unicode__": "write __str__",
}
_COERCE = "Python 3 calls no __coerce__: convert in each method of arithmetic"


def decorate(tree, work):
    """Decorates the classes that define such methods, or notes what to write instead.

    Args:
      tree: the `ast.Module`, of source that was translated from Python 2.
      work: what `floor_division` collects: its `edits`, `findings` and `needed` grow.
    """
    for node in ast.walk(tree):
        if not isinstance(node, ast.ClassDef) or not work.choice.allows(FIX):
            continue
        defined = {
            statement.name for statement in node.body if isinstance(statement, ast.FunctionDef)
        }
        if "__coerce__" in defined:
            work.findings.append(Finding(node.lineno, "__coerce__", CANNOT, FIX, _COERCE))
        for name in sorted(defined & set(_METHODS)):
            if work.choice.runtime:
                work.findings.append(Finding(node.lineno, name, RUNTIME, FIX, "@special_methods"))
            else:
                work.findings.append(Finding(node.lineno, name, CANNOT, FIX, _METHODS[name]))
        if work.choice.runtime and defined & set(_METHODS):
            work.needed.add("special_methods")
            work.edits.append(work.text.decorated(node, "@special_methods", FIX))
