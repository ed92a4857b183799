"""What the runtime, ``tfgraphtools.tf1``, provides under a name of its own."""

from tfgraphtools.compat.engine.rewrites.attributes import ATTRIBUTES
from tfgraphtools.compat.engine.rewrites.kinds import Runtime

_TF1 = "tfgraphtools.tf1."

_CELLS = "EmbeddingWrapper InputProjectionWrapper OutputProjectionWrapper".split()

#: Uses of flags that absl has not: old methods, flags that are assigned and never defined (the
#: group "flag"), defaults of other types.
_OLD_FLAGS = (
    r"_parse_flags|\b__flags\b|FLAGS\.(?P<flag>\w+) *=[^=]|\bDEFINE_\w+\( *[\"']log_dir"
    r"|\bDEFINE_integer\([^,]+, *(-?\d*(\.|e\d)|np\.|[\d *+()-]+/(?!/))"
    r"|\bDEFINE_string\([^,]+, *(\d+,|\[|np\.|True|False)"
)

#: The flags of TF 1, lenient as they were.
_FLAGS = (
    "flags.undefined flags.absl flags._parse_flags flags.__flags flags.unknown flags.default "
    "flags.boolean flags.__dict__"
).split()

PROVIDED = {
    "tensorflow.nn.seq2seq": Runtime(_TF1 + "contrib.legacy_seq2seq"),
    "tensorflow.models.rnn.seq2seq": Runtime(_TF1 + "contrib.legacy_seq2seq"),
    "tensorflow.python.ops.seq2seq": Runtime(_TF1 + "contrib.legacy_seq2seq"),
    "tensorflow.models.rnn.rnn_cell": Runtime(_TF1 + "nn.rnn_cell"),
    **{f"tensorflow.nn.rnn_cell.{name}": Runtime(f"{_TF1}contrib.rnn.{name}") for name in _CELLS},
    **{
        name: Runtime(_TF1 + "libraries.keras")
        for name in ("keras.standalone", "keras.names_before_2.2")
    },
    **{name: Runtime(_TF1 + "attribute") for name in ATTRIBUTES},
    **{name: Runtime(_TF1 + "flags") for name in _FLAGS},
    "tensorflow.app.flags": Runtime(_TF1 + "flags", pattern=_OLD_FLAGS),
    "tensorflow.flags": Runtime(_TF1 + "flags", pattern=_OLD_FLAGS),
    "tensorflow.python.platform.flags": Runtime(_TF1 + "flags", pattern=_OLD_FLAGS),
    "tensorflow.app.run": Runtime(_TF1 + "flags.run", pattern=_OLD_FLAGS),
}
