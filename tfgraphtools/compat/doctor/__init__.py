"""The uses of TensorFlow 1 in a codebase, and whether `run` supports them.

source_files    the sources below a path, and their trees (never imported)
search          where imports look: sys.path as the sources edit it
programs        which files are Python 2's because others of their program are
examination     all that the sources use, with its status
statuses        whether `run` supports a name, asked of the very tables and views that it uses
keras_calls     calls that only Keras 1 took
differences     what libraries answer otherwise, which `run` does not hide
flag_defaults   what only runs where somebody gives a flag of the program
report          all uses with their statuses: totals, as JSON
html_report, annotations   the report as an HTML page, and for GitHub and other tools
"""

from tfgraphtools.compat.doctor.report import Report, examine

__all__ = ["Report", "examine"]
