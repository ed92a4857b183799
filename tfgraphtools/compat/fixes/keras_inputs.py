"""What a functional model of Keras asks of its inputs.

TF 1.15 asked for what the layers ask (``network.Network.input_spec`` is that of the input layers,
which have none, ``Sequential.input_spec`` that of the first layer): a model of ``Input([4])`` took
tensors of shape [2, 4, 4], and a sequential model a dict of one tensor, whatever its key. tf_keras
checks ranks, dimensions and keys of every model.
"""

from tfgraphtools.compat.engine import state


def ask_as_layers(functional, used):
    """Has tf_keras do as 1.15; `used` is called where it makes a difference."""
    model = functional.Functional
    plain = model.input_spec

    def input_spec(self):
        if hasattr(self, "_manual_input_spec"):
            return plain.fget(self)
        used()
        from tf_keras.src.engine import sequential  # which imports the module of this class

        if isinstance(self, sequential.Sequential):
            return self.layers[0].input_spec
        return None  # 1.15: one None for each input

    state.set_attribute(model, "input_spec", property(input_spec, plain.fset, doc=plain.__doc__))
