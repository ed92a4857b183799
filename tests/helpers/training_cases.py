"""The optimizers that the tests of `training` run over, by readable ids."""

import collections

import numpy as np

import oracles

#: build(train, rate) makes the optimizer; oracle() is its NumPy twin, where there is one.
Case = collections.namedtuple("Case", "build oracle")


def _adagrad_da(train, rate):
    return train.AdagradDAOptimizer(rate, train.get_or_create_global_step())


#: The 13 configurations of the core optimizers.
CORE = {
    "sgd": Case(lambda t, r: t.GradientDescentOptimizer(r), oracles.GradientDescent),
    "momentum": Case(lambda t, r: t.MomentumOptimizer(r, 0.9), oracles.Momentum),
    "nesterov": Case(
        lambda t, r: t.MomentumOptimizer(r, 0.9, use_nesterov=True),
        lambda: oracles.Momentum(nesterov=True),
    ),
    "adagrad": Case(lambda t, r: t.AdagradOptimizer(r), oracles.Adagrad),
    "adagrad-da": Case(_adagrad_da, None),
    "adadelta": Case(lambda t, r: t.AdadeltaOptimizer(r), oracles.Adadelta),
    "adam": Case(lambda t, r: t.AdamOptimizer(r), oracles.Adam),
    "rmsprop": Case(lambda t, r: t.RMSPropOptimizer(r), oracles.RMSProp),
    "rmsprop-centered": Case(
        lambda t, r: t.RMSPropOptimizer(r, centered=True), lambda: oracles.RMSProp(centered=True)
    ),
    "rmsprop-momentum": Case(
        lambda t, r: t.RMSPropOptimizer(r, momentum=0.9), lambda: oracles.RMSProp(momentum=0.9)
    ),
    "ftrl": Case(lambda t, r: t.FtrlOptimizer(r), oracles.Ftrl),
    "proximal-adagrad": Case(
        lambda t, r: t.ProximalAdagradOptimizer(r, l1_regularization_strength=0.001), None
    ),
    "proximal-sgd": Case(
        lambda t, r: t.ProximalGradientDescentOptimizer(r, l1_regularization_strength=0.001), None
    ),
}


def same_bits(a, b):
    """True if two arrays are bit for bit the same, NaN and signed zeros included."""
    a, b = np.asarray(a), np.asarray(b)
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


RACE_SIZE = 200


def product_of_identities(v1, tf):
    """(loss, factors): the gradient of each factor, all identities, is made of the others."""
    eye = np.eye(RACE_SIZE, dtype=np.float32)
    factors = [v1.get_variable(name, initializer=eye) for name in "abcd"]
    product = x = tf.random.uniform([RACE_SIZE, RACE_SIZE])
    for factor in factors:
        product = tf.matmul(product, factor)
    return tf.reduce_sum(product) / tf.reduce_sum(x), factors


def check_no_race(v1, tf, session, factors, grads, step):
    """In 20 steps from the start no gradient sees a factor that the step has changed."""
    totals = [tf.reduce_sum(grad) for grad in grads]  # each is the size while all are I
    reset = v1.group(*[factor.initializer for factor in factors])
    run = session()
    for _ in range(20):
        run.run(reset)
        np.testing.assert_allclose(run.run([totals, step])[0], RACE_SIZE, rtol=1e-4)
