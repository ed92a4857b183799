"""Names that mean the same in tf.layers, slim, Sonnet, tf.nn.rnn_cell, tf.keras and by hand."""

#: The last part of a weight's name -> its role. Other last parts are names of their own.
ROLES = {
    "kernel": "kernel",
    "weights": "kernel",
    "weight": "kernel",
    "w": "kernel",
    "matrix": "kernel",
    "bias": "bias",
    "biases": "bias",
    "b": "bias",
    "gamma": "gamma",
    "beta": "beta",
    "moving_mean": "moving_mean",
    "moving_variance": "moving_variance",
    "depthwise_kernel": "depthwise_kernel",
    "depthwise_weights": "depthwise_kernel",
    "pointwise_kernel": "pointwise_kernel",
    "pointwise_weights": "pointwise_kernel",
    "recurrent_kernel": "recurrent_kernel",
}

#: Words that mean the same in the name of a layer.
SAME_WORD = {
    "normalization": "norm",
    "bn": "batchnorm",
    "embeddings": "embedding",
    "fw": "forward",
    "bw": "backward",
}
#: Words that say how a recurrent layer is built, not which one it is.
OF_CELLS = set(
    "rnn lstm gru cell cells basic block fused cudnn compatible simple multi stack stacked "
    "bidirectional forward backward".split()
)
