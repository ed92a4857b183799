"""Checkpoints of many optimizers, with the role of every tensor as the live objects know it.

    python optimizer_corpus.py FOLDER [core | contrib | old | CASE ...]

writes FOLDER/CASE/model.ckpt and FOLDER/truth.json: {case: {tensor: [role, variable, slot]}}.
The role is "weight", "slot", "accumulator" (one of an optimizer, not of a variable), "step" or
"average". No name is looked at: slots come from the optimizer's own dictionaries, averages from
the ExponentialMovingAverage, and weights are what was there before the first optimizer.

The same file runs under TF 1.15, which has every case, and TF 2, which has the core ones.
"""

import json
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

v1 = tf.compat.v1
contrib = None
if tf.__version__.startswith("1."):
    from tensorflow import contrib
    from tensorflow.python.keras import optimizers as optimizers_v1
    from tensorflow.python.keras.optimizer_v2 import (
        adadelta,
        adagrad,
        adam,
        adamax,
        ftrl,
        gradient_descent,
        nadam,
        rmsprop,
    )


class Truth:
    """Collects the role of every variable while a case builds its graph."""

    def __init__(self):
        self.roles = {}

    def weights(self):
        """Everything that exists and has no role yet is a weight."""
        for variable in v1.global_variables():
            self.roles.setdefault(key(variable), ["weight", None, None])

    def put(self, variable, role, owner=None, slot=None):
        self.roles[key(variable)] = [role, None if owner is None else key(owner), slot]

    def optimizer(self, optimizer):
        """The state of an optimizer of tf.train, by its own dictionaries."""
        by_id = {var_key(v): v for v in v1.global_variables()}
        for slot, saved in optimizer._slots.items():
            for owner, variable in saved.items():
                self.put(variable, "slot", by_id.get(owner), slot)
        for variable in optimizer._non_slot_dict.values():
            self.put(variable, "accumulator")

    def keras(self, optimizer):
        """The state of an optimizer of tf.keras under 1.15."""
        by_id = {v._shared_name: v for v in v1.global_variables() if hasattr(v, "_shared_name")}
        for owner, saved in optimizer._slots.items():
            for slot, variable in saved.items():
                self.put(variable, "slot", by_id.get(owner), slot)
        self.put(optimizer.iterations, "step")
        for value in optimizer._hyper.values():
            if hasattr(value, "_shared_name"):
                self.put(value, "accumulator")
        for variable in optimizer._weights:
            if key(variable) not in self.roles:
                self.put(variable, "accumulator")

    def averages(self, average):
        """The averages of an ExponentialMovingAverage."""
        for variable in average._averages.values():
            self.put(variable, "average")


def key(variable):
    """The name under which a Saver saves a variable."""
    info = getattr(variable, "_save_slice_info", None)
    return info.full_name if info else variable.op.name


def var_key(variable):
    from tensorflow.python.training import optimizer

    return optimizer._var_key(variable)


# Models -----------------------------------------------------------------------


def variable(name, shape, trainable=True, **options):
    return v1.get_variable(
        name,
        shape,
        trainable=trainable,
        initializer=v1.random_uniform_initializer(-0.5, 0.5, seed=len(name)),
        **options,
    )


def dense_net(*extra):
    """Two layers and a batch normalisation."""
    for name, shape in [("dense/kernel", [4, 5]), ("dense/bias", [5])]:
        variable(name, shape)
    for name in ("bn/gamma", "bn/beta"):
        variable(name, [5])
    for name in ("bn/moving_mean", "bn/moving_variance"):
        variable(name, [5], trainable=False)
    for name, shape in extra:
        variable(name, shape)
    for name, shape in [("out/kernel", [5, 3]), ("out/bias", [3])]:
        variable(name, shape)


ACTNORM = [("actnorm/scale", [8]), ("actnorm/scale/logs", [8]), ("actnorm/center", [8])]
GLOW = [
    pair
    for i in range(6)
    for pair in [
        (f"flow_{i}/actnorm/scale", [8]),
        (f"flow_{i}/actnorm/scale/logs", [8]),
        (f"flow_{i}/invconv/W", [8, 8]),
    ]
]
#: Weights that are called like slots, some below a variable of their shape.
MISLEADING = [
    ("m", [5]),
    ("v", [5]),
    ("Adam", [4, 5]),
    ("momentum", [5]),
    ("Momentum", [5]),
    ("cell/beta", [5]),
    ("cell/gamma", [5]),
    ("cell/rms", [5]),
    ("Adam/kernel", [4, 5]),
    ("Momentum/bias", [5]),
    ("training/Adam/kernel", [4, 5]),
    ("iter/w", [3]),
    ("ExponentialMovingAverager/w", [3]),
    ("attention/v", [6]),
    ("attention/v/g", [6]),
    ("weightnorm/w", [6]),
    ("weightnorm/w/v", [6]),
    ("gate/scale", [7]),
    ("gate/scale/m", [7]),
    ("gate/shift", [7]),
    ("gate/shift/momentum", [7]),
]
#: Each of these alone is indistinguishable from a slot by its own name and shape.
NESTED = [
    ("block/scale", [7]),
    ("block/scale/Adam", [7]),
    ("block/scale/Momentum", [7]),
    ("block/shift", [7]),
    ("block/shift/v", [7]),
]


#: The same in many blocks, but for a small part of all variables.
SCALED_BLOCKS = [
    pair
    for i in range(6)
    for pair in [
        (f"block_{i}/scale", [7]),
        (f"block_{i}/scale/Momentum", [7]),
        (f"block_{i}/norm/w", [7, 7]),
        (f"block_{i}/norm/b", [7]),
        (f"block_{i}/norm/c", [7]),
        (f"block_{i}/mix/w", [7, 7]),
    ]
]


def weight_norm():
    """Every kernel has a direction below it, of its shape."""
    for i in range(5):
        variable(f"layer_{i}/w", [4, 4])
        variable(f"layer_{i}/w/v", [4, 4])
        variable(f"layer_{i}/w/g", [4])


def scalars():
    for name in ("temperature", "scale", "layer/offset"):
        variable(name, [])


def flat():
    for name, shape in [("w1", [4, 5]), ("b1", [5]), ("w2", [5, 3]), ("b2", [3])]:
        variable(name, shape)


def loss():
    """A quadratic loss that needs every trainable variable."""
    return tf.add_n([tf.reduce_sum(v**2) for v in v1.trainable_variables()])


def step():
    return v1.train.get_or_create_global_step()


def partitioned():
    with v1.variable_scope("", partitioner=v1.fixed_size_partitioner(2)):
        dense_net()


def scoped():
    with v1.variable_scope("model"):
        dense_net()
    with v1.variable_scope("model/model"):
        variable("dense/kernel", [4, 5])


def lstm():
    for part, shape in [("kernel", [7, 12]), ("bias", [12])]:
        variable("rnn/lstm_cell/" + part, shape)
    variable("embedding", [11, 4])
    dense_net()


# Optimizers ---------------------------------------------------------------------


def train(optimizer, truth, **options):
    """Minimizes with an optimizer of tf.train."""
    counted = options.pop("counted", True)
    global_step = step() if counted else None
    if counted:
        truth.put(global_step, "step")
    op = optimizer.minimize(loss(), global_step=global_step, **options)
    inner = getattr(optimizer, "_optimizer", getattr(optimizer, "_opt", None))
    for one in (optimizer, inner):
        if one is not None and hasattr(one, "_slots"):
            truth.optimizer(one)
    return [op]


def core(name, *arguments, **options):
    """A case of tf.train."""

    def case(truth):
        counted = options.pop("counted", True)
        dense_net()
        truth.weights()
        return train(
            getattr(v1.train, name + "Optimizer")(*arguments, **options), truth, counted=counted
        )

    return case


def on(build, make, **how):
    """A model and the optimizer that ``make`` gives."""

    def case(truth):
        build()
        truth.weights()
        return train(make(), truth, **how)

    return case


def adam_(**options):
    return v1.train.AdamOptimizer(0.01, **options)


def momentum(**options):
    return v1.train.MomentumOptimizer(0.1, 0.9, **options)


def extra(build):
    return lambda: dense_net(*build)


def averaged(name, make=adam_, everything=False, zero_debias=False):
    """An optimizer and moving averages under a name."""

    def case(truth):
        dense_net()
        truth.weights()
        ops = train(make(), truth)
        average = v1.train.ExponentialMovingAverage(0.9, name=name, zero_debias=zero_debias)
        what = v1.trainable_variables()
        if everything:
            what = [
                v
                for v in v1.global_variables()
                if v.dtype.base_dtype == tf.float32 and v.shape.rank
            ]
        if zero_debias:
            what = what + [tf.add_n([tf.reduce_sum(v) for v in what], name="total")]
        before = set(map(key, v1.global_variables()))
        with v1.control_dependencies(ops):
            apply = average.apply(what)
        truth.averages(average)
        for one in v1.global_variables():
            if key(one) not in before and key(one) not in truth.roles:
                truth.put(one, "average")  # what zero debiasing keeps beside
        return [apply]

    return case


def several(truth):
    """A GAN: two optimizers of one name, each for its half."""
    with v1.variable_scope("gen"):
        dense_net()
    with v1.variable_scope("disc"):
        dense_net()
    truth.weights()
    ops = []
    for half in ("gen", "disc"):
        mine = v1.trainable_variables(half)
        ops += train(v1.train.AdamOptimizer(0.01, beta1=0.5), truth, var_list=mine)
    return ops


def several_kinds(truth):
    dense_net(("wide/w", [20, 1]))
    truth.weights()
    wide = v1.trainable_variables("wide")
    deep = [v for v in v1.trainable_variables() if v is not wide[0]]
    return train(v1.train.FtrlOptimizer(0.1), truth, var_list=wide) + train(
        v1.train.AdagradOptimizer(0.1), truth, var_list=deep
    )


def twice_the_same(truth):
    """Two Adams of one name that train the same variables."""
    dense_net()
    truth.weights()
    return train(adam_(), truth) + train(adam_(), truth)


def head_only(make):
    """One layer of many is trained."""

    def case(truth):
        for i in range(8):
            variable(f"layer_{i}/kernel", [4, 4])
            variable(f"layer_{i}/bias", [4])
        dense_net()
        truth.weights()
        return train(make(), truth, var_list=v1.trainable_variables("out"))

    return case


def in_scope(scope, make=adam_):
    def case(truth):
        dense_net()
        truth.weights()
        with v1.variable_scope(scope):
            return train(make(), truth)

    return case


def written_by_hand(slots, scope="", also=()):
    """Optimizers that make their variables with get_variable, such as BERT's."""

    def case(truth):
        lstm()
        truth.weights()
        truth.put(step(), "step")
        trained = v1.trainable_variables()
        gradients = tf.gradients(loss(), trained)
        ops = [v1.assign_add(step(), 1)]
        for owner, gradient in zip(trained, gradients):
            for slot, shape in slots(owner.shape.as_list()):
                made = v1.get_variable(
                    scope + owner.op.name + slot,
                    shape,
                    trainable=False,
                    initializer=v1.zeros_initializer(),
                )
                truth.put(made, "slot", owner, slot.strip("/"))
                if shape == owner.shape.as_list():
                    ops.append(v1.assign(made, 0.9 * made + 0.1 * gradient))
            ops.append(v1.assign_sub(owner, 0.01 * gradient))
        for name in also:
            truth.put(v1.get_variable(name, [], trainable=False), "accumulator")
        return ops

    return case


def same(*names):
    return lambda shape: [("/" + name, shape) for name in names]


def factored(style):
    """The accumulators of Adafactor: of rows and of columns."""

    def slots(shape):
        if len(shape) < 2:
            return [(style + "v", shape)]
        return [(style + "vr", shape[:-1]), (style + "vc", shape[:-2] + shape[-1:])]

    return slots


class Adafactor(v1.train.Optimizer):
    """What tensor2tensor's keeps: slots whose shapes are parts of the variable's."""

    def __init__(self, momentum=False, name="Adafactor"):
        super().__init__(False, name)
        self._momentum = momentum

    def _create_slots(self, var_list):
        for var in var_list:
            shape = var.shape.as_list()
            if self._momentum:
                self._zeros_slot(var, "m", self._name)
            if len(shape) >= 2:
                self._get_or_make_slot(var, tf.zeros(shape[:-1]), "vr", self._name)
                self._get_or_make_slot(var, tf.zeros(shape[:-2] + shape[-1:]), "vc", self._name)
            else:
                self._get_or_make_slot(var, tf.zeros(shape), "v", self._name)

    def _apply_dense(self, grad, var):
        return v1.assign_sub(var, 0.1 * grad).op

    _resource_apply_dense = _apply_dense


def loss_scale(truth):
    """Mixed precision: the scale and the steps since its last change."""
    dense_net()
    truth.weights()
    scale = v1.train.experimental.DynamicLossScale(initial_loss_scale=64.0)
    optimizer = v1.train.experimental.MixedPrecisionLossScaleOptimizer(adam_(), scale)
    ops = train(optimizer, truth)
    for value in scale._weights.values():
        truth.put(value, "accumulator")
    return ops


def nothing(truth):
    dense_net(*ACTNORM)
    truth.weights()
    return []


def averages_alone(truth):
    dense_net()
    truth.weights()
    average = v1.train.ExponentialMovingAverage(0.9, name="avg")
    op = average.apply(v1.trainable_variables())
    truth.averages(average)
    return [op]


# tf.keras and contrib, under 1.15 ---------------------------------------------------


def keras_fit(make, layers=None):
    """A compiled model of tf.keras in graph mode."""

    def case(truth):
        keras = tf.keras
        model = keras.Sequential(
            [
                keras.layers.Dense(5, input_shape=(4,), name="dense"),
                keras.layers.BatchNormalization(name="bn"),
                keras.layers.Dense(3, name="out"),
            ]
        )
        truth.weights()
        optimizer = make()
        model.compile(optimizer, "mse")
        model._make_train_function()
        truth.keras(optimizer)
        keras.backend.get_session()
        return [lambda: model.train_on_batch(np.ones((6, 4)), np.ones((6, 3)))]

    return case


def keras_apply(make):
    """An optimizer of tf.keras in a graph of tf.layers."""

    def case(truth):
        with v1.variable_scope("", use_resource=True):
            dense_net()
        truth.weights()
        optimizer = make()
        op = optimizer.apply_gradients(
            [
                (g, v)
                for g, v in zip(
                    tf.gradients(loss(), v1.trainable_variables()), v1.trainable_variables()
                )
            ]
        )
        truth.keras(optimizer)
        return [op]

    return case


def keras_1(make):
    """The optimizers that tf.keras had until TF 1.13: their slots have no names."""

    def case(truth):
        keras = tf.keras
        layer = keras.layers.Dense(3, input_shape=(4,), name="dense")
        model = keras.Sequential([keras.layers.Dense(5, input_shape=(4,), name="first"), layer])
        truth.weights()
        optimizer = make()
        model.compile(optimizer, "mse")
        model._make_train_function()
        truth.put(optimizer.iterations, "step")
        for one in v1.global_variables():
            if key(one) not in truth.roles:
                truth.put(one, "accumulator" if not one.shape.rank else "slot")
        keras.backend.get_session()
        return [lambda: model.train_on_batch(np.ones((6, 4)), np.ones((6, 3)))]

    return case


def opt(name, *arguments, **options):
    """A case of tf.contrib.opt."""
    model = options.pop("model", dense_net)

    def case(truth):
        model()
        truth.weights()
        optimizer = getattr(contrib.opt, name)(*arguments, **options)
        return train(optimizer, truth)

    return case


def ggt(truth):
    dense_net()
    truth.weights()
    truth.put(step(), "step")
    optimizer = contrib.opt.GGTOptimizer(0.01, window=4)
    before = set(map(key, v1.global_variables()))
    op = optimizer.minimize(loss(), global_step=step())
    for one in v1.global_variables():
        if key(one) not in before:
            truth.put(one, "accumulator" if one.shape.rank else "step")
    return [op]


def moving_average_optimizer(truth):
    dense_net()
    truth.weights()
    inner = v1.train.MomentumOptimizer(0.1, 0.9)
    optimizer = contrib.opt.MovingAverageOptimizer(inner, 0.9)
    truth.put(step(), "step")
    op = optimizer.minimize(loss(), global_step=step())
    truth.optimizer(inner)
    truth.averages(optimizer._ema)
    return [op], optimizer.swapping_saver()


def optimize_loss(truth):
    """tf.contrib.layers.optimize_loss puts all in a scope."""
    dense_net()
    truth.weights()
    truth.put(step(), "step")
    made = []

    def make(rate):
        made.append(v1.train.RMSPropOptimizer(rate))
        return made[-1]

    op = contrib.layers.optimize_loss(loss(), step(), 0.1, make)
    truth.optimizer(made[0])
    truth.weights()  # the learning rate
    return [op]


def drop_stale(truth):
    dense_net()
    truth.weights()
    inner = adam_()
    ops = train(contrib.opt.DropStaleGradientOptimizer(inner, 5), truth)
    truth.optimizer(inner)
    for one in v1.global_variables():
        if key(one) not in truth.roles:
            truth.put(one, "accumulator")
    return ops


def contrib_loss_scale(truth):
    dense_net()
    truth.weights()
    manager = contrib.mixed_precision.ExponentialUpdateLossScaleManager(64.0, 10)
    inner = adam_()
    ops = train(contrib.mixed_precision.LossScaleOptimizer(inner, manager), truth)
    truth.optimizer(inner)
    for one in v1.global_variables():
        if key(one) not in truth.roles:
            truth.put(one, "accumulator")
    return ops


CASES = {
    "sgd": core("GradientDescent", 0.1),
    "proximal-sgd": core("ProximalGradientDescent", 0.1),
    "momentum": core("Momentum", 0.1, 0.9),
    "nesterov": core("Momentum", 0.1, 0.9, use_nesterov=True),
    "adam": core("Adam", 0.01),
    "adam-without-step": core("Adam", 0.01, counted=False),
    "rmsprop": core("RMSProp", 0.01),
    "rmsprop-centered": core("RMSProp", 0.01, centered=True, momentum=0.5),
    "adagrad": core("Adagrad", 0.1),
    "adadelta": core("Adadelta", 0.1),
    "ftrl": core("Ftrl", 0.1),
    "proximal-adagrad": core("ProximalAdagrad", 0.1),
    "adagrad-da": on(dense_net, lambda: v1.train.AdagradDAOptimizer(0.1, step())),
    "adam-partitioned": on(partitioned, adam_),
    "momentum-partitioned": on(partitioned, momentum),
    "ftrl-partitioned": on(partitioned, lambda: v1.train.FtrlOptimizer(0.1)),
    "adam-scoped-model": on(scoped, adam_),
    "adam-in-a-scope": in_scope("optimize"),
    "adam-in-the-model's-scope": in_scope("dense"),
    "momentum-in-nested-scopes": in_scope("train/op", momentum),
    "rmsprop-in-a-scope": in_scope("opt", lambda: v1.train.RMSPropOptimizer(0.1)),
    "adam-with-a-name": on(dense_net, lambda: adam_(name="MyAdam")),
    "adam-lower-case": on(lstm, lambda: adam_(name="adam")),
    "momentum-with-a-name": on(dense_net, lambda: momentum(name="mine")),
    "rmsprop-with-a-name": on(dense_net, lambda: v1.train.RMSPropOptimizer(0.1, name="opt_2")),
    "adam-lstm": on(lstm, adam_),
    "gan": several,
    "wide-and-deep": several_kinds,
    "twice-the-same": twice_the_same,
    "head-adam": head_only(adam_),
    "head-momentum": head_only(momentum),
    "head-adagrad": head_only(lambda: v1.train.AdagradOptimizer(0.1)),
    "actnorm-untrained": nothing,
    "actnorm-adam": on(extra(ACTNORM), adam_),
    "actnorm-momentum": on(extra(ACTNORM), momentum),
    "actnorm-sgd": on(extra(ACTNORM), lambda: v1.train.GradientDescentOptimizer(0.1)),
    "actnorm-rmsprop": on(extra(ACTNORM), lambda: v1.train.RMSPropOptimizer(0.1)),
    "glow-adam": on(extra(GLOW), adam_),
    "glow-sgd": on(extra(GLOW), lambda: v1.train.GradientDescentOptimizer(0.1)),
    "misleading-sgd": on(extra(MISLEADING), lambda: v1.train.GradientDescentOptimizer(0.1)),
    "misleading-adam": on(extra(MISLEADING), adam_),
    "misleading-momentum": on(extra(MISLEADING), momentum),
    "misleading-adagrad": on(extra(MISLEADING), lambda: v1.train.AdagradOptimizer(0.1)),
    "nested-sgd": on(extra(NESTED), lambda: v1.train.GradientDescentOptimizer(0.1)),
    "nested-adagrad": on(extra(NESTED), lambda: v1.train.AdagradOptimizer(0.1)),
    "nested-rmsprop": on(extra(NESTED), lambda: v1.train.RMSPropOptimizer(0.1)),
    "average-adam": averaged("ExponentialMovingAverage"),
    "average-of-any-name": averaged("avg"),
    "average-called-momentum": averaged("ema", momentum),
    "average-of-everything": averaged("ExponentialMovingAverage", momentum, everything=True),
    "average-debiased": averaged("ExponentialMovingAverage", zero_debias=True),
    "average-sgd": averaged("shadow", lambda: v1.train.GradientDescentOptimizer(0.1)),
    "average-adam-with-a-name": averaged("polyak", lambda: adam_(name="MyAdam")),
    "averages-alone": averages_alone,
    "bert-adam": written_by_hand(same("adam_m", "adam_v")),
    "lamb": written_by_hand(same("lamb_m", "lamb_v")),
    "lamb-as-adam": written_by_hand(same("adam_m", "adam_v"), scope="opt/"),
    "adafactor": on(lstm, Adafactor),
    "adafactor-momentum": on(lstm, lambda: Adafactor(True)),
    "adafactor-by-hand": written_by_hand(factored("/")),
    "adafactor-mesh": written_by_hand(factored("_slot_")),
    "momentum-by-hand": written_by_hand(same("Momentum")),
    "accumulated-gradients": written_by_hand(same("grad_accum")),
    "loss-scale": loss_scale,
    "multistep-adam": written_by_hand(
        same("Adam", "Adam_1", "Adam_2"),
        "training/",
        ["training/beta1_power", "training/beta2_power"],
    ),
    "adam-with-a-name-by-hand": written_by_hand(
        same("RAdam", "RAdam_1"), "", ["beta1_power", "beta2_power"]
    ),
    "weight-norm-sgd": on(weight_norm, lambda: v1.train.GradientDescentOptimizer(0.1)),
    "weight-norm-adam": on(weight_norm, adam_),
    "weight-norm-adafactor": on(weight_norm, Adafactor),
    "scaled-blocks-sgd": on(extra(SCALED_BLOCKS), lambda: v1.train.GradientDescentOptimizer(0.1)),
    "scaled-blocks-adagrad": on(extra(SCALED_BLOCKS), lambda: v1.train.AdagradOptimizer(0.1)),
    "scalars-momentum": on(scalars, momentum),
    "scalars-adam": on(scalars, adam_),
    "without-scopes": on(flat, lambda: v1.train.RMSPropOptimizer(0.1)),
    "one-variable": on(lambda: variable("w", [3]), momentum),
}

CORE = sorted(CASES)
if contrib:
    CASES.update(
        {
            "keras-adam": keras_fit(lambda: adam.Adam(0.01)),
            "keras-amsgrad": keras_fit(lambda: adam.Adam(0.01, amsgrad=True)),
            "keras-sgd": keras_fit(lambda: gradient_descent.SGD(0.1)),
            "keras-momentum": keras_fit(lambda: gradient_descent.SGD(0.1, momentum=0.9)),
            "keras-nesterov": keras_fit(
                lambda: gradient_descent.SGD(0.1, momentum=0.9, nesterov=True)
            ),
            "keras-rmsprop": keras_fit(lambda: rmsprop.RMSprop(0.01)),
            "keras-rmsprop-all": keras_fit(
                lambda: rmsprop.RMSprop(0.01, momentum=0.5, centered=True)
            ),
            "keras-adagrad": keras_fit(lambda: adagrad.Adagrad(0.1)),
            "keras-adadelta": keras_fit(lambda: adadelta.Adadelta(0.1)),
            "keras-adamax": keras_fit(lambda: adamax.Adamax(0.1)),
            "keras-nadam": keras_fit(lambda: nadam.Nadam(0.1)),
            "keras-ftrl": keras_fit(lambda: ftrl.Ftrl(0.1)),
            "keras-adam-with-a-name": keras_fit(lambda: adam.Adam(0.01, name="mine")),
            "keras-1-adam": keras_1(lambda: optimizers_v1.Adam(0.01)),
            "keras-1-rmsprop": keras_1(lambda: optimizers_v1.RMSprop(0.01)),
            "keras-adam-applied": keras_apply(lambda: adam.Adam(0.01)),
            "keras-momentum-applied": keras_apply(lambda: gradient_descent.SGD(0.1, momentum=0.9)),
            "keras-rmsprop-applied": keras_apply(lambda: rmsprop.RMSprop(0.1)),
            "opt-adamax": opt("AdaMaxOptimizer"),
            "opt-adamw": opt("AdamWOptimizer", 0.01),
            "opt-adam-gs": on(
                dense_net, lambda: contrib.opt.AdamGSOptimizer(step(), learning_rate=0.01)
            ),
            "opt-addsign": opt("AddSignOptimizer", 0.01),
            "opt-powersign": opt("PowerSignOptimizer", 0.01),
            "opt-lars": opt("LARSOptimizer", 0.01),
            "opt-lazy-adam": opt("LazyAdamOptimizer", 0.01),
            "opt-momentumw": opt("MomentumWOptimizer", 0.01, 0.1, 0.9),
            "opt-nadam": opt("NadamOptimizer", 0.01),
            "opt-reg-adagrad": opt("RegAdagradOptimizer", 0.01),
            "opt-shampoo": opt("ShampooOptimizer", 0),
            "opt-ggt": ggt,
            "opt-moving-average": moving_average_optimizer,
            "opt-drop-stale": drop_stale,
            "contrib-optimize-loss": optimize_loss,
            "contrib-loss-scale": contrib_loss_scale,
        }
    )


def write(folder, case, make):
    """FOLDER/CASE/model.ckpt before the first step; returns {tensor: [role, variable, slot]}."""
    truth = Truth()
    v1.reset_default_graph()
    if contrib:
        tf.keras.backend.clear_session()
    made = make(truth)
    ops, saver = made if isinstance(made, tuple) else (made, v1.train.Saver())
    is_keras = bool(ops) and callable(ops[0])
    session = tf.keras.backend.get_session() if is_keras else v1.Session()
    if not is_keras:
        session.run([v1.global_variables_initializer(), v1.local_variables_initializer()])
    prefix = os.path.join(folder, case, "model.ckpt")
    os.makedirs(os.path.dirname(prefix), exist_ok=True)
    saver.save(session, prefix, write_meta_graph=False, write_state=False)
    session.close()
    different = {name for name, _ in tf.train.list_variables(prefix)} ^ set(truth.roles)
    assert not different, (case, sorted(different))
    return truth.roles


def main(folder, cases):
    v1.disable_eager_execution()
    others = sorted(set(CASES) - set(CORE))
    groups = {"core": CORE, "contrib": others, "old": [*others, *CORE[::3]]}
    chosen = [case for word in cases or CASES for case in groups.get(word, [word])]
    truth = {case: write(folder, case, CASES[case]) for case in chosen}
    with open(os.path.join(folder, "truth.json"), "w") as file:
        json.dump(truth, file, indent=1, sort_keys=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
