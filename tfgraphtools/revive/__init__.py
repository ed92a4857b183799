"""A dead repository of TF 1, made to run: its plan, environment, runs, upgrade and report.

    print("\\n".join(revive.read("old_project").lines()))
    revival = revive.Revival("old_project", commands=["python train.py --steps 10"])
    revival.all_stages()
    print(revival.passed)

The same as ``tfgraphtools revive``. Everything is written to a folder of its own beside the
repository, which is only read.
"""

from tfgraphtools.revive.repository_plan import Plan, read
from tfgraphtools.revive.revival import Revival

__all__ = ["Plan", "Revival", "read"]
