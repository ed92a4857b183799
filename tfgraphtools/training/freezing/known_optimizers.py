"""The optimizers of which it is known how they change a variable and its slots."""

from tfgraphtools._tf import v1
from tfgraphtools.training.optimizers.adam_family import (
    AdamWOptimizer,
    AMSGradOptimizer,
    NadamOptimizer,
    RAdamOptimizer,
)
from tfgraphtools.training.optimizers.lion import LionOptimizer

#: TensorFlow's own optimizers whose dense kernels write in place.
_OF_KERNELS = {
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

#: TensorFlow's own optimizers and ours, by their exact types: nothing but their hooks changes a
#: variable or its slots, and each element of them is computed from its own alone. True where a
#: sparse gradient changes no row but its own. (Under Adam all rows go on by their moments.) Of
#: any other optimizer nothing is assumed: see `choice_of_way`.
ELEMENTWISE = {
    **_OF_KERNELS,
    AMSGradOptimizer: False,
    AdamWOptimizer: False,
    LionOptimizer: False,
    NadamOptimizer: False,
    RAdamOptimizer: False,
}


def writes_in_place(leaf):
    """Tells whether an optimizer leaves each state in memory that nothing else shares."""
    return type(leaf) in _OF_KERNELS
