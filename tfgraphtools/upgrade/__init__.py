"""Source changes that have code of TF 1 run on today's TensorFlow, under plain Python.

    report = upgrade.examine(["old_project"])
    print("\\n".join(report.diff()))
    report.write()

The same as ``tfgraphtools upgrade``. It reads the tables that `compat` applies at run time, so
what ``tfgraphtools run`` does to a script, `examine` writes into its source, wherever a line
of source can say it. It never imports TensorFlow.
"""

from tfgraphtools.upgrade.findings import CANNOT, REWRITTEN, RUNTIME, Finding
from tfgraphtools.upgrade.project import examine
from tfgraphtools.upgrade.reports import File, Report
from tfgraphtools.upgrade.trees.all_or_none import recover

__all__ = ["CANNOT", "File", "Finding", "REWRITTEN", "RUNTIME", "Report", "examine", "recover"]
