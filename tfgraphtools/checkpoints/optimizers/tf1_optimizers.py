"""The optimizers that can be converted exactly, and those that cannot, by name.

The updates compared are those of tensorflow/core/kernels/training_ops.cc (TF 1.15),
keras/src/optimizers (Keras 3) and tf_keras/src/optimizers/legacy. Where a slot is the same
number in both it is ``SAME``: its bytes need not be touched.
"""

import collections

from tfgraphtools.errors import PlanError

#: Keras 3's optimizers, and those of tf_keras.optimizers.legacy (TF 2's first ones).
KERAS, LEGACY = "keras", "legacy"
FLAVOURS = (KERAS, LEGACY)

#: How a slot's numbers change. VELOCITY: Keras keeps -learning_rate * TF 1's accumulator.
SAME, VELOCITY = "same", "velocity"

#: ``name``: TF 1's name of the slot (``Optimizer.get_slot``); ``keras``: Keras 3's name of it (the
#: end of the variable's name), ``listed``: the attribute that lists them; ``legacy``: the name in
#: ``tf_keras.optimizers.legacy``; ``rule``: SAME or VELOCITY.
Slot = collections.namedtuple("Slot", "name keras listed legacy rule")
Slot.__new__.__defaults__ = (SAME,)

#: ``saved_as``: TF 1's default name of the optimizer, under which slots are saved: slot ``i`` of
#: ``w`` is ``w/Adam``, ``w/Adam_1``, ...; None for those of tf.keras, whose slots have names;
#: ``keras``: the class in both Keras flavours; ``defaults``: TF 1's hyper-parameters, ``None``
#: where there is no default.
Kind = collections.namedtuple("Kind", "name saved_as keras slots defaults")

_MOMENTUM = Slot("momentum", "momentum", "momentums", "momentum", VELOCITY)
_RMSPROP = {"learning_rate": None, "decay": 0.9, "momentum": 0.0, "epsilon": 1e-10}
_RMS = Slot("rms", "velocity", "_velocities", "rms")
_RMS_MEAN = Slot("mg", "average_gradient", "_average_gradients", "mg")
_RMS_MOMENTUM = Slot("momentum", "momentum", "_momentums", "momentum")

KINDS = {
    kind.name: kind
    for kind in [
        Kind("GradientDescent", "GradientDescent", "SGD", (), {"learning_rate": None}),
        Kind(
            "Momentum",
            "Momentum",
            "SGD",
            (_MOMENTUM,),
            {"learning_rate": None, "momentum": None, "use_nesterov": False},
        ),
        Kind(
            "Adam",
            "Adam",
            "Adam",
            (
                Slot("m", "momentum", "_momentums", "m"),
                Slot("v", "velocity", "_velocities", "v"),
            ),
            {"learning_rate": 0.001, "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8},
        ),
        Kind("RMSProp", "RMSProp", "RMSprop", (_RMS, _RMS_MOMENTUM), _RMSPROP),
        Kind("CenteredRMSProp", "RMSProp", "RMSprop", (_RMS, _RMS_MEAN, _RMS_MOMENTUM), _RMSPROP),
        Kind(
            "Adagrad",
            "Adagrad",
            "Adagrad",
            (Slot("accumulator", "accumulator", "_accumulators", "accumulator"),),
            {"learning_rate": None, "initial_accumulator_value": 0.1},
        ),
        Kind(
            "Adadelta",
            "Adadelta",
            "Adadelta",
            (
                Slot("accum", "accumulated_grad", "_accumulated_grads", "accum_grad"),
                Slot(
                    "accum_update", "accumulated_delta_var", "_accumulated_delta_vars", "accum_var"
                ),
            ),
            {"learning_rate": 0.001, "rho": 0.95, "epsilon": 1e-8},
        ),
        Kind(
            "Ftrl",
            "Ftrl",
            "Ftrl",
            (
                Slot("accum", "accumulator", "_accumulators", "accumulator"),
                Slot("linear", "linear", "_linears", "linear"),
            ),
            {
                "learning_rate": None,
                "learning_rate_power": -0.5,
                "initial_accumulator_value": 0.1,
                "l1_regularization_strength": 0.0,
                "l2_regularization_strength": 0.0,
                "l2_shrinkage_regularization_strength": 0.0,
            },
        ),
    ]
}

#: The same of tf.keras under TF 1: their code is that of ``tf_keras.optimizers.legacy``, and their
#: hyper-parameters, which have Keras's names, are in the checkpoint (but for epsilon).
_KERAS_RMSPROP = {"learning_rate": 0.001, "rho": 0.9, "momentum": 0.0, "epsilon": 1e-7}
_VELOCITY = _MOMENTUM._replace(rule=SAME)
_TF_KERAS = [
    Kind(
        "tf.keras Momentum",
        None,
        "SGD",
        (_VELOCITY,),
        {"learning_rate": 0.01, "momentum": None, "nesterov": False},
    ),
    Kind(
        "tf.keras Adam",
        None,
        "Adam",
        KINDS["Adam"].slots,
        {"learning_rate": 0.001, "beta_1": 0.9, "beta_2": 0.999, "epsilon": 1e-7},
    ),
    Kind("tf.keras RMSprop", None, "RMSprop", (_RMS,), _KERAS_RMSPROP),
    Kind("tf.keras RMSprop, momentum", None, "RMSprop", (_RMS, _RMS_MOMENTUM), _KERAS_RMSPROP),
    Kind("tf.keras RMSprop, centered", None, "RMSprop", (_RMS, _RMS_MEAN), _KERAS_RMSPROP),
    Kind(
        "tf.keras RMSprop, momentum, centered",
        None,
        "RMSprop",
        (_RMS, _RMS_MEAN, _RMS_MOMENTUM),
        _KERAS_RMSPROP,
    ),
    Kind(
        "tf.keras Adagrad",
        None,
        "Adagrad",
        KINDS["Adagrad"].slots,
        {"learning_rate": 0.001, "initial_accumulator_value": 0.1, "epsilon": 1e-7},
    ),
    Kind(
        "tf.keras Adadelta",
        None,
        "Adadelta",
        KINDS["Adadelta"].slots,
        {"learning_rate": 0.001, "rho": 0.95, "epsilon": 1e-7},
    ),
    Kind(
        "tf.keras Ftrl",
        None,
        "Ftrl",
        KINDS["Ftrl"].slots,
        dict(KINDS["Ftrl"].defaults, learning_rate=0.001),
    ),
]
KINDS.update((kind.name, kind) for kind in _TF_KERAS)
#: Those of tf.train alone.
OF_TF_TRAIN = [kind for kind in KINDS.values() if kind.saved_as]

#: {class of tf.keras: why Keras cannot go on from its slots under TF 1}.
REFUSED_OF_KERAS = {
    "Adamax": "Keras's Adamax is not compared with it",
    "Nadam": "Keras's Nadam is not compared with it",
    "AMSGrad": "Keras's Adam with amsgrad is not compared with it",
}

#: {the name under which slots are saved: why Keras cannot go on from them exactly}.
REFUSED = {
    "AdaMax": "Keras's Adamax is not compared with it",
    "AdamW": "it decays weights by weight_decay, Keras's AdamW by learning_rate * weight_decay",
    "MomentumW": "Keras has no such optimizer",
    "Nadam": "Keras's Nadam has a schedule of momentum that TF 1's has not",
    "AMSGrad": "Keras's Adam with amsgrad is not compared with it",
    "AdagradDA": "Keras has no such optimizer",
    "gradient_accumulator": "Keras has no AdagradDA",
    "gradient_squared_accumulator": "Keras has no AdagradDA",
    "ProximalAdagrad": "Keras has no such optimizer",
    "AddSign": "Keras has no such optimizer",
    "PowerSign": "Keras has no such optimizer",
    "AddSignOptimizer": "Keras has no such optimizer",
    "PowerSignOptimizer": "Keras has no such optimizer",
    "LARSOptimizer": "Keras has no such optimizer",
    "RegAdagrad": "Keras has no such optimizer",
    "Shampoo": "Keras has no such optimizer",
    "ShampooW": "Keras has no such optimizer",
    "Adafactor": "Keras's Adafactor is another algorithm than tensor2tensor's",
    "lamb_m": "Keras's Lamb is not compared with it",
    "lamb_v": "Keras's Lamb is not compared with it",
    "LazyAdam": "it leaves rows without a gradient alone; Keras's Adam moves them",
    "adam_m": "BERT's Adam has no bias correction; Keras's Adam has",
    "adam_v": "BERT's Adam has no bias correction; Keras's Adam has",
    "vr": "Keras's Adafactor is another algorithm than tensor2tensor's",
    "vc": "Keras's Adafactor is another algorithm than tensor2tensor's",
    "v": "Keras's Adafactor is another algorithm than tensor2tensor's",
}

#: What an optimizer's state may become in a library. ``kinds``: {name: `Kind`}; ``refused``: {the
#: name under which slots are saved: why the library cannot go on from them}; ``named``: {names of
#: slots that several optimizers use: the names of those}.
Library = collections.namedtuple("Library", "name kinds refused named")
OF_KERAS = Library("Keras", KINDS, REFUSED, {})


def kind_of(names, flavour):
    """Returns the kind whose slots have these names in Keras; the reverse of `kept`.

    Args:
      names: names of slots, in the order in which the optimizer made them: Keras 3's Adam makes
        momentum and velocity of a variable, its RMSprop the velocities of all and then momentums.
      flavour: `KERAS` or `LEGACY`.

    Example:
      >>> kind_of(["rms", "rms", "mg", "mg"], "legacy")
      'CenteredRMSProp'

    Raises:
      PlanError: no optimizer of TF 1 has these.
    """
    slot_names = list(dict.fromkeys(names))
    for kind in OF_TF_TRAIN:
        rows = [slot.legacy if flavour == LEGACY else slot.keras for slot in kind.slots]
        if kind.name == "Adam":
            if slot_names == rows:
                return kind.name
            continue
        without = [name for name in rows if name != "momentum"]
        is_rmsprop = kind.keras == "RMSprop"
        if (
            sorted(slot_names) == sorted(rows)
            or is_rmsprop
            and sorted(slot_names) == sorted(without)
        ):
            return kind.name
    raise PlanError(
        "the slots {}".format(", ".join(slot_names)),
        "those of an optimizer that TF 1 has: {}".format(", ".join(KINDS)),
        "none that is known",
        "Leave the optimizer's state behind (--drop-optimizer).",
    )
