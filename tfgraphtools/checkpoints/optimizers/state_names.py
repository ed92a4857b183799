"""The names under which optimizers save their state, as tables.

Sources: the optimizers of tensorflow/python/training, tensorflow/contrib/opt and
tensorflow/python/keras/optimizer_v2 of TF 1.15; tensor2tensor, Mesh TensorFlow and BERT.
"""

import re

#: How the shapes of an owner's slots relate to its own. SAME: all are equal to it. FIRST: the first
#: one is, and the others may have any shape. FACTORED: those of its rows and of its columns.
SAME, FIRST, FACTORED = "same", "first", "factored"

#: {name of an optimizer of tf.train or tf.contrib: (the numbers of slots that it may have for a
#: variable, how their shapes relate to it, whether it keeps beta powers)}. Slot i of ``w`` is
#: ``w/NAME`` for the first one and ``w/NAME_i`` for the others.
BY_OPTIMIZER = {
    "Adam": ((2, 3), SAME, True),  # tensor2tensor's MultistepAdam accumulates gradients, too
    "LazyAdam": ((2,), SAME, True),
    "AdamW": ((2,), SAME, True),
    "AdaMax": ((2,), SAME, True),
    "Nadam": ((2,), SAME, True),
    "AMSGrad": ((2, 3), SAME, True),
    "Momentum": ((1,), SAME, False),
    "MomentumW": ((1,), SAME, False),
    "LARSOptimizer": ((1,), SAME, False),
    "AddSign": ((1,), SAME, False),
    "AddSignOptimizer": ((1,), SAME, False),
    "PowerSign": ((1,), SAME, False),
    "PowerSignOptimizer": ((1,), SAME, False),
    "RMSProp": ((2, 3), SAME, False),
    "Adagrad": ((1,), SAME, False),
    "RegAdagrad": ((1,), SAME, False),
    "ProximalAdagrad": ((1,), SAME, False),
    "AdagradDA": ((2,), SAME, False),
    "Adadelta": ((2,), SAME, False),
    "Ftrl": ((2,), SAME, False),
    "Shampoo": ((1, 2, 3, 4, 5), FIRST, False),
    "ShampooW": ((1, 2, 3, 4, 5), FIRST, False),
    "Adafactor": ((1, 2, 3), FACTORED, False),
}

#: Slots that are saved under a name each: ``w/adam_m`` and ``w/adam_v``. Each row is one optimizer:
#: (the separator from the variable's name, [the sets of slots of a variable], their shapes).
BY_SLOT = [
    ("/", [{"adam_m", "adam_v"}], SAME),
    ("/", [{"lamb_m", "lamb_v"}], SAME),
    ("/", [{"gradient_accumulator", "gradient_squared_accumulator"}], SAME),
    ("/", [{"vr", "vc"}, {"v"}, {"m", "vr", "vc"}, {"m", "v"}], FACTORED),
    ("_slot_", [{"vr", "vc"}, {"v"}, {"m", "vr", "vc"}, {"m", "v"}], FACTORED),
]

#: {class of tf.keras: the sets of slots that it may have}; ``training/CLASS/w/SLOT`` under 1.15.
KERAS_CLASSES = {
    "Adam": [{"m", "v"}, {"m", "v", "vhat"}],
    "Adamax": [{"m", "v"}],
    "Nadam": [{"m", "v"}],
    "SGD": [{"momentum"}],
    "RMSprop": [{"rms"}, {"rms", "momentum"}, {"rms", "mg"}, {"rms", "mg", "momentum"}],
    "Adagrad": [{"accumulator"}],
    "Adadelta": [{"accum_grad", "accum_var"}],
    "Ftrl": [{"accumulator", "linear"}],
}
#: The scalars beside them: those that count, and hyper-parameters.
KERAS_STEPS = ("iter", "iterations")
KERAS_SCALARS = {
    "learning_rate",
    "lr",
    "decay",
    "beta_1",
    "beta_2",
    "epsilon",
    "rho",
    "momentum",
    "momentum_cache",
    "m_schedule",
    "learning_rate_power",
    "l1_regularization_strength",
    "l2_regularization_strength",
    "l2_shrinkage_regularization_strength",
}

#: The name of tf.train.ExponentialMovingAverage, and what it keeps below it to remove its bias.
AVERAGE = "ExponentialMovingAverage"
DEBIASING = ("biased", "local_step")

#: Scopes in which an optimizer of tf.contrib.opt keeps a copy of each variable: {scope: is it an
#: average}.
COPIES = {"global_center_variable": True, "local_center_variable": True, "grad_variable": False}

BETA_POWER = re.compile(r"((?:.*/)?)beta([12])_power(_\d+)?", re.DOTALL)
GLOBAL_STEP = re.compile(r"(?:.*/)?global_step(?:_\d+)?", re.DOTALL)

#: Scalars that belong together: if all of a row are in one scope, they are an optimizer's.
TOGETHER = [
    ("stale_counter",),
    ("current_loss_scale", "good_steps"),
    ("loss_scale", "good_steps", "bad_steps"),
]
#: GGT's flattened gradients: a matrix and two vectors of one length.
FLATTENED = ("grad_buffer", "moment1", "flat_grad")
