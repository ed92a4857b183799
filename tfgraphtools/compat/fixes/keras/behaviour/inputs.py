"""What a functional model of Keras asks of its inputs.

TF 1.15 asked for what the layers ask (``network.Network.input_spec`` is that of the input layers,
which have none, ``Sequential.input_spec`` that of the first layer): a model of ``Input([4])`` took
tensors of shape [2, 4, 4], and a sequential model a dict of one tensor, whatever its key. tf_keras
checks ranks, dimensions and keys of every model, and gives a tensor that lacks the last dimension
of an ``Input([3, 1])`` one more.
"""

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row

_ROW = Row(
    "tensorflow.keras.Model.input_spec",
    "TF 2.2",
    "a functional model accepts inputs whose shapes and keys differ from its Input layers; 2.x "
    "refuses them",
)


def _ask_as_layers(functional):
    """Makes tf_keras behave as in 1.15."""
    model = functional.Functional
    plain = model.input_spec

    def input_spec(self):
        if hasattr(self, "_manual_input_spec"):
            return plain.fget(self)
        rows.used(_ROW)
        from tf_keras.src.engine import sequential  # which imports the module of this class

        if isinstance(self, sequential.Sequential):
            return self.layers[0].input_spec
        return None  # 1.15: one None for each input

    conform = model._conform_to_reference_input

    def _conform_to_reference_input(self, tensor, ref_input):
        rank, wanted = _rank(tensor), _rank(ref_input)
        # Numbers in a row (rank 1) are made a column, as by 1.15's `fit`.
        if None in (rank, wanted) or rank == 1 or rank != wanted - 1 or ref_input.shape[-1] != 1:
            return conform(self, tensor, ref_input)
        rows.used(_ROW)
        return tensor

    state.set_attribute(model, "_conform_to_reference_input", _conform_to_reference_input)
    state.set_attribute(model, "input_spec", property(input_spec, plain.fset, doc=plain.__doc__))


def _rank(tensor):
    return getattr(getattr(tensor, "shape", None), "rank", None)


CHANGES = ((_ROW, "engine.functional", _ask_as_layers),)
