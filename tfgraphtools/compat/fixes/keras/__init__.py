"""Keras: tf_keras as ``tf.keras`` of TF 1.15, and Keras 2 as a library of its own.

modules, with_tensorflow1
                   modules and names of Keras 2
behaviour          what is still there and means something else
rnn_states         states of RNN cells of one tensor
tools, multi_gpu   tools that tf_keras has no more
standalone         ``import keras`` of Keras 2.2.4
"""

from tfgraphtools.compat.fixes.keras import (
    behaviour,
    modules,
    rnn_states,
    standalone,
    tools,
    with_tensorflow1,
)

#: No file can disable the rows of kind "listed" for itself.
OF_PROCESS = True

TABLES = (
    *with_tensorflow1.TABLES,
    modules.TABLE,
    *behaviour.TABLES,
    *rnn_states.TABLES,
    *tools.TABLES,
    *standalone.TABLES,
)


def install(options):
    """Makes tf_keras compute as 1.15, and serves Keras 2.2.4 where it is installed."""
    behaviour.install(options)
    rnn_states.install(options)
    standalone.install(options)
