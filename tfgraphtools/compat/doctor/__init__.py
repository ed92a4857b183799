"""The uses of TensorFlow 1 in a codebase, and whether `run` supports them.

files     the sources below a path, and their trees (never imported)
examination  what each source uses: read from its tree, which is not kept
statuses  whether `run` supports a name, asked of the very tables and views that it uses
differences  what libraries answer otherwise, which `run` does not hide
defaults  what only runs where somebody gives a flag of the program
search    where imports look: sys.path as the sources edit it
programs  which files are Python 2's because others of their program are
report    all uses with their statuses: totals, as JSON
page      the report as an HTML page
"""

from tfgraphtools.compat.doctor.report import Report, examine

__all__ = ["Report", "examine"]
