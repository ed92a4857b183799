"""``tf.keras.experimental.PeepholeLSTMCell``, which Keras dropped.

The gates of an LSTM see its memory too, each by a weight per unit. Source: Sak, Senior and
Beaufays, "Long Short-Term Memory Recurrent Neural Network Architectures for Large Scale Acoustic
Modeling", 2014.
"""

import functools

from tfgraphtools.compat.engine.rows import Row, Table


@functools.lru_cache(maxsize=None)
def _peephole_cell():
    from tf_keras.src.layers.rnn import lstm_v1

    from tfgraphtools._tf import v1

    class PeepholeLSTMCell(lstm_v1.LSTMCell):
        """An `LSTMCell` whose gates see its memory too."""

        def build(self, input_shape):
            super().build(input_shape)
            for gate in ("input", "forget", "output"):
                name = f"{gate}_gate_peephole_weights"
                weights = self.add_weight(
                    shape=(self.units,), name=name, initializer=self.kernel_initializer
                )
                setattr(self, name, weights)

        def _compute_carry_and_output(self, x, h_tm1, c_tm1):
            kernels = v1.split(self.recurrent_kernel, 4, axis=1)
            sums = [a + v1.matmul(h, kernel) for a, h, kernel in zip(x, h_tm1, kernels)]
            return self._compute_carry_and_output_fused(sums, c_tm1)

        def _compute_carry_and_output_fused(self, z, c_tm1):
            i, f, c, o = z
            i = self.recurrent_activation(i + self.input_gate_peephole_weights * c_tm1)
            f = self.recurrent_activation(f + self.forget_gate_peephole_weights * c_tm1)
            c = f * c_tm1 + i * self.activation(c)
            return c, self.recurrent_activation(o + self.output_gate_peephole_weights * c)

    return PeepholeLSTMCell


def _provide(real):
    return _peephole_cell()


TABLES = (
    Table(
        "cells that Keras dropped",
        "names",
        [
            Row(name + ".PeepholeLSTMCell", "TF 2.7", "an LSTM with peephole connections", _provide)
            for name in (
                "tensorflow.keras.experimental",
                "tensorflow.compat.v2.keras.experimental",
                "tensorflow.python.keras.layers",
                "tensorflow.python.keras.layers.recurrent",
            )
        ],
    ),
)
