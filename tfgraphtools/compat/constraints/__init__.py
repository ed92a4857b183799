"""Changes of libraries since the TF 1 years, and the versions from before them.

versions.tsv  versions that run beside today's TensorFlow, by Python
ceilings.tsv  limits that are known for other packages
changes.tsv   differences that `run` does not hide
tables        the three tables
pins          what a repository says itself: requirements, setup.py, versions that it asserts
choosing      the lines that a codebase needs, with their reasons
"""

from tfgraphtools.compat.constraints import run_notice
from tfgraphtools.compat.engine.parts import LibraryChanges

TABLES = ()

OFFERS = (LibraryChanges(run_notice.changes_in, run_notice.tell),)


def install(options):
    """Makes a run say once that a library is newer than its code, if it is to say so."""
    run_notice.begin(options.tells_versions)
