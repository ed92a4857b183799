"""What a codebase uses of TensorFlow 1, and whether `run` supports it.

files     the sources below a path, and their trees (never imported)
names     every full name of a library that a tree uses: "tensorflow.nn.rnn_cell.GRUCell"
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
