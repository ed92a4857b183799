"""The optimizers of which it is known how they change a variable and its slots."""

from tfgraphtools._tf import v1

#: TensorFlow's own optimizers, by their exact types: nothing but their hooks changes a variable
#: or its slots, each element of them is computed from its own alone, and the dense kernels write
#: in place. True where a sparse gradient changes no row but its own. (Under Adam all rows go on by
#: their moments.) Of any other optimizer nothing is assumed: see `choice_of_way`.
ELEMENTWISE = {
    v1.train.AdadeltaOptimizer: True,
    v1.train.AdagradDAOptimizer: True,
    v1.train.AdagradOptimizer: True,
    v1.train.AdamOptimizer: False,
    v1.train.FtrlOptimizer: True,
    v1.train.GradientDescentOptimizer: True,
    v1.train.MomentumOptimizer: True,
    v1.train.ProximalAdagradOptimizer: True,
    v1.train.ProximalGradientDescentOptimizer: True,
    v1.train.RMSPropOptimizer: True,
}
