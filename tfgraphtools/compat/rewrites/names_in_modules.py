"""Rewrites of names inside of modules that rows are about, and of modules that are still there."""

from tfgraphtools.compat.engine.rewrite_kinds import Call, Rename, Runtime

#: Uses of flags that absl has not: old methods, flags that are assigned and never defined (the
#: group "flag"), defaults of other types.
_OLD_FLAGS = (
    r"_parse_flags|\b__flags\b|FLAGS\.(?P<flag>\w+) *=[^=]|\bDEFINE_\w+\( *[\"']log_dir"
    r"|\bDEFINE_integer\([^,]+, *(-?\d*(\.|e\d)|np\.|[\d *+()-]+/(?!/))"
    r"|\bDEFINE_string\([^,]+, *(\d+,|\[|np\.|True|False)"
)
_FLAGS = Runtime("tfgraphtools.tf1.flags", pattern=_OLD_FLAGS)
_SEQ2SEQ = Runtime("tfgraphtools.tf1.contrib.legacy_seq2seq")


def _in_binary(name):
    runtime = f"tfgraphtools.tf1.libraries.pickle.{name}"
    return Runtime(runtime, Rename(f"pickle.{name}"), "open the file in binary mode")


#: Modules that lost some of their names only: the modules themselves are not rewritten.
STILL_THERE = (
    "numpy.lib numpy.lib.npyio numpy.lib.scimath numpy.lib.stride_tricks numpy.matlib "
    "numpy.matrixlib.defmatrix matplotlib.pyplot.cm matplotlib.pyplot.style"
).split()

MEMBERS = {
    "tensorflow.app.flags": _FLAGS,
    "tensorflow.flags": _FLAGS,
    "tensorflow.python.platform.flags": _FLAGS,
    "tensorflow.app.run": _FLAGS._replace(to="tfgraphtools.tf1.flags.run"),
    "tensorflow.models.rnn.rnn_cell": Runtime("tfgraphtools.tf1.nn.rnn_cell"),
    "tensorflow.models.rnn.seq2seq": _SEQ2SEQ,
    "tensorflow.python.ops.seq2seq": _SEQ2SEQ,
    **{f"cPickle.{name}": _in_binary(name) for name in ("dump", "Pickler", "Unpickler")},
    **{
        f"cPickle.{name}": Call(f"pickle.{name}", added={"encoding": '"latin1"'})
        for name in ("load", "loads")
    },
    # Those of today take lr= and go on with their default.
    **{
        f"keras.optimizers.{name}": Call(
            f"tf_keras.optimizers.legacy.{name}", {"lr": "learning_rate"}
        )
        for name in "SGD RMSprop Adagrad Adadelta Adam Adamax Nadam".split()
    },
}
