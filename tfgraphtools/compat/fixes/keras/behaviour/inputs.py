"""The requirements of a functional model of Keras on its inputs.

TF 1.15 asked for what the layers ask (``network.Network.input_spec`` is that of the input layers,
which have none, ``Sequential.input_spec`` that of the first layer): a model of ``Input([4])`` took
tensors of shape [2, 4, 4], and a sequential model a dict of one tensor, whatever its key. tf_keras
checks ranks, dimensions and keys of every model, and gives a tensor that lacks the last dimension
of an ``Input([3, 1])`` one more.
"""

from tfgraphtools.compat.engine.rows import Row
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

_ROW = Row(
    "tensorflow.keras.Model.input_spec",
    "TF 2.2",
    "a functional model accepts inputs whose shapes and keys differ from its Input layers; 2.x "
    "refuses them",
)
_MODEL = "tf_keras.src.engine.functional:Functional."


@replaces(_MODEL + "_conform_to_reference_input", row=_ROW)
def _conform_to_reference_input(original, self, tensor, ref_input):
    rank, expected = _rank(tensor), _rank(ref_input)
    # Numbers in a row (rank 1) are made a column, as by 1.15's `fit`.
    if None in (rank, expected) or rank == 1 or rank != expected - 1 or ref_input.shape[-1] != 1:
        return original(self, tensor, ref_input)
    _conform_to_reference_input.used()
    return tensor


@replaces(_MODEL + "input_spec", row=_ROW)
def _input_spec(original, self):
    if hasattr(self, "_manual_input_spec"):
        return original(self)
    _input_spec.used()
    from tf_keras.src.engine import sequential  # which imports the module of this class

    if isinstance(self, sequential.Sequential):
        return self.layers[0].input_spec
    return None  # 1.15: one None for each input


def _rank(tensor):
    return getattr(getattr(tensor, "shape", None), "rank", None)


REPLACEMENTS = (_conform_to_reference_input, _input_spec)
