"""The parts of tf.contrib that are C++ of TF 1.15, which no other TensorFlow loads."""

_CLOUD = "it reads from a service with C++ ops of TF 1.15"
_TREES = "it needs C++ ops of TF 1.15; TF-DF (tensorflow_decision_forests) is similar"

#: {beginning of a name: why it is not available}.
_CPP_ONLY = {
    "bigtable": _CLOUD,
    "boosted_trees": _TREES,
    "cloud": _CLOUD,
    "ffmpeg": "it decodes with C++ ops of TF 1.15; see tensorflow-io",
    "hadoop": _CLOUD,
    "image.bipartite_match": "it matches with a C++ op of TF 1.15; see scipy.optimize",
    "ignite": _CLOUD,
    "kafka": _CLOUD,
    "kinesis": _CLOUD,
    "mpi_collectives": "it communicates with C++ ops of TF 1.15; see Horovod",
    "nearest_neighbor": "it hashes with C++ ops of TF 1.15",
    "reduce_slice_ops": "it reduces with C++ ops of TF 1.15",
    "rpc": "it makes calls with C++ ops of TF 1.15",
    "tensor_forest": _TREES,
    "tensorrt": "it needs TensorRT of TF 1.15; TF 2 has tf.experimental.tensorrt",
}

#: Names with these prefixes are Python nevertheless.
_PYTHON = ("tensorflow.contrib.boosted_trees.python.utils.losses",)


def gone_part(name):
    """Returns (the beginning of a name that tf.contrib does not provide, why), or None."""
    parts = name.split(".")
    if parts[:2] != ["tensorflow", "contrib"] or name.startswith(_PYTHON):
        return None
    for end in (3, 4):
        why = _CPP_ONLY.get(".".join(parts[2:end]))
        if why is not None:
            return ".".join(parts[:end]), why
    return None


def why_gone(name):
    """Returns why a name of tf.contrib is not available, or None."""
    part = gone_part(name)
    return None if part is None else part[1]
