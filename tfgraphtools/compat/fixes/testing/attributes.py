"""Removed methods of pytest's objects."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import left, of

_PYTEST = of("_pytest")

TABLE = Table(
    "attributes of pytest's objects",
    "listed",
    [
        left("pytest.get_marker", "pytest 4.0", "item.get_closest_marker(name)", _PYTEST,
             {"get_marker": lambda node: node.get_closest_marker}),
        left("pytest.getfuncargvalue", "pytest 4.0", "request.getfixturevalue(name)", _PYTEST,
             {"getfuncargvalue": lambda request: request.getfixturevalue}),
        left("pytest.funcargnames", "pytest 7.0", "metafunc.fixturenames", _PYTEST,
             {"funcargnames": lambda holder: holder.fixturenames}),
    ],
)  # fmt: skip
