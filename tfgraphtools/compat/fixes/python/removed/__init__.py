"""Names that left modules of the standard library from Python 3.7 to 3.14.

`scripts/removals` finds them: it compares what every Python has. Those before 3.7
and the commonest are in `names`.
"""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import made
from tfgraphtools.compat.fixes.python.removed import (
    constant_nodes,
    functions,
    importing,
    loading_tests,
    network,
    plists,
    system,
)


def _no_flag(name):
    provide = made("re." + name, "Python 3.13", "the flag changes no match")
    return provide(lambda real: real.RegexFlag(0))


TABLE = Table(
    "names that left Python 3",
    "names",
    [
        *system.ROWS,
        *network.ROWS,
        *importing.ROWS,
        *functions.ROWS,
        _no_flag("T"),
        _no_flag("TEMPLATE"),
        *loading_tests.ROWS,
        *plists.ROWS,
        *constant_nodes.ROWS,
    ],
)
