"""``tf.app.flags`` as it was: lenient, and read before it is parsed.

TF's flags are absl's since 1.5. What old scripts do besides is added to absl's
class of flag values itself, because every module shares its one object.
"""

from tfgraphtools.compat.engine import after_import, replacing
from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.tensorflow.flags import defining, flag_defaults, listing, parsing

TABLES = (
    replacing.table(
        "flags of the command line",
        *defining.REPLACEMENTS,
        *parsing.REPLACEMENTS,
        *listing.REPLACEMENTS,
        *flag_defaults.REPLACEMENTS,
        kind="patches",
    ),
    Table("the flags' own dictionary", "syntax", listing.SYNTAX),
)


def install(options):
    """Makes absl look past the frames of replaced functions for the module that defines a flag."""
    after_import.call("absl.flags", _look_past, "flags")


def _look_past(flags):
    # It disclaims the module in which it is called.
    namespace = {"__name__": replacing.__name__, "disclaim": flags.disclaim_key_flags}
    eval("disclaim()", namespace)  # pylint: disable=eval-used
