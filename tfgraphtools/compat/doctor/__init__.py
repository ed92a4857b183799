"""What a codebase uses of TensorFlow 1, and what will become of it under `run`.

files     the sources below a path, and their trees (never imported)
names     every use of a library's name in a tree, in full: "tensorflow.nn.rnn_cell.GRUCell"
fates     what becomes of a name, asked of the very tables and views that `run` uses
programs  which files are Python 2's because others of their program are
report    all uses with their fates: totals, as JSON
page      the report as an HTML page
"""

from tfgraphtools.compat.doctor.report import Report, examine, load_tensorflow

__all__ = ["Report", "examine", "load_tensorflow"]
