"""Patches by a dotted name in tests, which take effect where user code sees the name."""

import functools
import sys

from tfgraphtools.compat.engine import views
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.engine.views import lookup
from tfgraphtools.compat.fixes.build import in_place_of

#: User code has builtins of its own, instead of those of libraries.
BUILTINS = ("builtins", "__builtin__")


@in_place_of(
    "mock.patch unittest.mock.patch tensorflow.test.mock.patch",
    "TF 2.0",
    "patches names that are given as text where user code looks for them",
)
def _patch(original, used, target, *arguments, **options):
    patcher = original(target, *arguments, **options)
    place = target.rpartition(".")[0]
    root = place.partition(".")[0]
    if root in BUILTINS or lookup.concerns(root):
        if root in ("tensorflow", "__builtin__"):
            used()
        patcher.getter = functools.partial(find, place)
        # TensorFlow's modules remember attributes by the very string they are asked by.
        patcher.attribute = sys.intern(patcher.attribute)
    return patcher


def find(place):
    """Returns what stands at a dotted place: modules as user code gets them, and attributes."""
    from tfgraphtools.compat.engine.views import user_imports

    path, _, attributes = place.partition(".")
    value = views.module(path)
    for part in attributes.split(".") if attributes else ():
        path += "." + part
        if not hasattr(value, part):
            user_imports.import_module(path)
        value = getattr(value, part)
    return value


def _mock():
    try:
        import mock  # noqa: UP026
    except ImportError:
        from unittest import mock
    return mock


MODULES = Table(
    "the module mock",
    "modules",
    [Fix("mock", "Python 3.3", "mock is unittest.mock, if mock is not installed", _mock)],
)

TABLE = Table("patching by a dotted name", "calls", _patch)
