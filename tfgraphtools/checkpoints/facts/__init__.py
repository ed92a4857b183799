"""Facts of layers that conversions need, and which file says each.

    graph.py       a ``.meta``, frozen graph or SavedModel, and what reads a variable in it
    of_graph.py    a layer's facts from the ops that read its variables
    of_layers.py   which tensors are one layer, where no name says it
    of_cudnn.py    the sizes of a cuDNN network whose parameters are one array
    of_optimizer.py  the hyper-parameters of a training
    of_config.py   the same from the configuration in an ``.h5`` or ``.keras`` file
    known.py       `beside`: the facts that lie with a checkpoint
    questions.py   the questions that every target asks: answered, or refused by name

A fact is a value and the file that says it. The questions are the forget bias and the order of an
LSTM's gates, the activations of a cell, reset_after, the epsilon of a normalisation, and strides
and padding of a convolution.
"""
