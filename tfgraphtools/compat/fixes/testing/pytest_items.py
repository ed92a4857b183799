"""Removed methods of pytest's objects."""

import sys

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import left


def _of_pytest(value):
    pytest = sys.modules["pytest"]
    kinds = (pytest.Item, pytest.Collector, pytest.FixtureRequest, pytest.Metafunc)
    if not isinstance(value, kinds):
        raise AttributeError


TABLE = Table(
    "attributes of pytest's objects",
    "listed",
    [
        left("pytest.get_marker", "pytest 4.0", "item.get_closest_marker(name)", _of_pytest,
             {"get_marker": lambda node: node.get_closest_marker},
             cannot="write item.get_closest_marker(name)"),
        left("pytest.getfuncargvalue", "pytest 4.0", "request.getfixturevalue(name)", _of_pytest,
             {"getfuncargvalue": lambda request: request.getfixturevalue},
             cannot="write request.getfixturevalue(name)"),
        left("pytest.funcargnames", "pytest 7.0", "metafunc.fixturenames", _of_pytest,
             {"funcargnames": lambda holder: holder.fixturenames},
             cannot="write metafunc.fixturenames"),
    ],
)  # fmt: skip
