"""``tf.app.flags`` as it was: lenient, and read before it is parsed.

TF's flags are absl's since 1.5. What old scripts do besides is added to absl's
class of flag values itself, because every module shares its one object.
"""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.tensorflow.flags import defaults, defining, listing, parsing

TABLES = (
    Table(
        "flags of the command line",
        "patches",
        [*defining.ROWS, *parsing.ROWS, *listing.ROWS, *defaults.ROWS],
    ),
    Table("the flags' own dictionary", "syntax", listing.SYNTAX),
)
