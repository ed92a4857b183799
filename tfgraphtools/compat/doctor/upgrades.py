"""The work of ``tfgraphtools upgrade`` on a use, for the doctor's table."""

from tfgraphtools.compat import rewrites
from tfgraphtools.compat.doctor import statuses
from tfgraphtools.compat.fixes.keras import standalone

WORKS = "works"
REWRITTEN = "rewritten"
RUNTIME = "needs the runtime"
CANNOT = "cannot"


def of(status):
    """Returns what `upgrade` does with the uses of a name.

    Args:
      status: its `statuses.Status`.

    Returns:
      "works" (as it is, or by the import of ``tensorflow.compat.v1`` alone), "rewritten",
      "needs the runtime" (``tfgraphtools.tf1``), or "cannot".
    """
    if status.name.partition(".")[0] in standalone.ROOTS:
        return CANNOT if status.status in statuses.ABSENT else RUNTIME
    rewrite = rewrites.rewrite_of(status.fix or status.name)
    if rewrite is None and status.fix:
        rewrite = rewrites.rewrite_of(status.name)
    if isinstance(rewrite, rewrites.Runtime):
        return RUNTIME
    if isinstance(rewrite, (rewrites.Stays, rewrites.Entry)):
        return CANNOT
    if rewrite is not None:
        return REWRITTEN
    return WORKS if status.status in (statuses.WORKS, statuses.PATCHED) else CANNOT
