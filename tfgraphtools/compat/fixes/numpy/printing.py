"""How NumPy's scalars print: ``0.5``, not ``np.float32(0.5)``."""

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row, Table

#: NumPy's own mode for printing as versions up to 1.21 did, as NumPy keeps it.
_LEGACY = 121


def print_as_numpy1(numpy):
    """Makes NumPy print as it did up to 1.21, in every thread."""
    if not rows.is_on(SCALARS):
        return
    try:
        from numpy._core.printoptions import default_format_options_dict as defaults
        from numpy._core.printoptions import format_options
    except ImportError:  # 2.0 and 2.1 keep the mode elsewhere
        before = numpy.get_printoptions()["legacy"]
        numpy.set_printoptions(legacy="1.21")
        state.at_restore(lambda: numpy.set_printoptions(legacy=before))
        return
    # The defaults are what a new thread starts with; the others are this context's own.
    for options in (defaults, format_options.get()):
        state.set_item(options, "legacy", _LEGACY)


SCALARS = Row(
    "numpy.scalar_printing",
    "NumPy 2.0",
    "scalars in lists, dicts and tuples print as numbers: {'acc': 0.5}",
)

TABLE = Table("how NumPy prints", "listed", [SCALARS])
