"""``PeepholeLSTMCell``: an LSTM whose gates see the cell's state.

Source: ``keras/layers/recurrent.py`` of TF 1.15.
"""

import functools

from tfgraphtools.compat.engine.rows import Fix, Table

_GATES = ("input_gate", "forget_gate", "output_gate")


@functools.lru_cache(maxsize=None)
def _peephole_cell():
    from tf_keras import backend
    from tf_keras.src.layers.rnn import lstm_v1

    class PeepholeLSTMCell(lstm_v1.LSTMCell):
        """An `LSTMCell` with weights from its state to its gates (Gers et al., 2002)."""

        def build(self, input_shape):
            """Makes the weights of `LSTMCell`, and one vector for each gate."""
            super().build(input_shape)
            for name in (gate + "_peephole_weights" for gate in _GATES):
                weight = self.add_weight(
                    shape=(self.units,), name=name, initializer=self.kernel_initializer
                )
                setattr(self, name, weight)

        def _compute_carry_and_output(self, x, h_tm1, c_tm1):
            n, kernel = self.units, self.recurrent_kernel
            z = [
                part + backend.dot(output, kernel[:, n * gate : n * (gate + 1)])
                for gate, (part, output) in enumerate(zip(x, h_tm1))
            ]
            return self._compute_carry_and_output_fused(z, c_tm1)

        def _compute_carry_and_output_fused(self, z, c_tm1):
            activate = self.recurrent_activation
            i = activate(z[0] + self.input_gate_peephole_weights * c_tm1)
            f = activate(z[1] + self.forget_gate_peephole_weights * c_tm1)
            c = f * c_tm1 + i * self.activation(z[2])
            return c, activate(z[3] + self.output_gate_peephole_weights * c)

    return PeepholeLSTMCell


TABLES = (
    Table(
        "cells of Keras",
        "names",
        [
            Fix(
                name + ".PeepholeLSTMCell",
                "TF 2.7",
                "an LSTM whose gates see the cell's state",
                lambda real: _peephole_cell(),
            )
            for name in (
                "tensorflow.keras.experimental",
                "tensorflow.compat.v2.keras.experimental",
                "tensorflow.python.keras.layers",
                "tensorflow.python.keras.layers.recurrent",
                "tensorflow.python.keras.layers.serialization",
            )
        ],
    ),
)
