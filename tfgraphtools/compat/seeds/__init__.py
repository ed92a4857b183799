"""``--seeds=tf1``: the op seeds, and with them the random numbers, of TF 1.15.

A script that sets the graph's seed (`tf.set_random_seed`) and none for its ops
prints other numbers on TF 2.x, as default op seeds are derived in another way.
Here they are derived as TF 1.15 did, from the number of ops created so far, and
rows correct that number where TF 1.15 made other ops. What no row covers is
named when it first matters. Nothing changes for ops with a seed of their own.
"""

from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes.build import lines_of
from tfgraphtools.compat.seeds import (
    broadcasting,
    builders,
    corrections,
    counting,
    coverage,
    op_differences,
    shuffles,
)

#: How a line of ``corrections.tsv`` calls a change -> what makes it.
_CHANGES = {
    "more": corrections.more,
    "more_before": corrections.more_before,
    "exactly": corrections.exactly,
    "more_in_gradient": corrections.more_in_gradient,
    "exactly_in_gradient": corrections.exactly_in_gradient,
    "instead": corrections.instead,
    "without_shapes": broadcasting.without_shapes,
}

#: The modules whose functions the lines name.
_MODULES = {
    "broadcasting": broadcasting,
    "builders": builders,
    "op_differences": op_differences,
    "shuffles": shuffles,
}


def _number_or_function(text):
    module, _, name = text.partition(":")
    return getattr(_MODULES[module], name) if name else int(text)


_CORRECTIONS = Table(
    "numbers of ops (--seeds=tf1)",
    "listed",
    [
        Fix(name, since, why, _CHANGES[change](target, _number_or_function(ops)))
        for name, since, change, target, ops, why in lines_of(__file__, "corrections.tsv")
    ],
)

#: Whether this run was asked for TF 1.15's seeds.
_asked = False


def install(options):
    """Notes what was asked for; the patch below acts when TensorFlow is loaded."""
    global _asked
    _asked = options.seeds == "tf1"


def _derive_seeds_as_tf1():
    """Reproduces the default random seeds of TF 1.15, until `state.restore`."""
    if not _asked:
        return
    changes = corrections.Changes()
    for original, replacement in counting.install().items():
        changes.replace(original, replacement)
    for row in _CORRECTIONS.on():
        row.run(row, changes)
    changes.apply()
    coverage.install()


SEEDS = Fix(
    "seeds.default",
    "TF 2.0",
    "the default seed of an op was the number of ops before it, not the number of requested seeds",
    _derive_seeds_as_tf1,
)

#: The corrections act under ``--seeds=tf1`` only.
#: No file can disable the rows of kind "listed" for itself.
OF_PROCESS = True

TABLES = (Table("default seeds (--seeds=tf1)", "patches", [SEEDS]), _CORRECTIONS)
