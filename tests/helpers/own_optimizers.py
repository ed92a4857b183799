"""Optimizers with an ``apply_gradients`` of their own, as published code has them.

Some count the global step, some read it, some do neither, and a loss scale counts some runs.
Those of BERT, ALBERT, ELECTRA and XLNet are the arithmetic of their ``optimization.py``.
"""

import re

from tfgraphtools._tf import IS_TF1


def adam_with_weight_decay(tf):
    """The class of BERT's optimizer, with what the others have added to it."""
    v1 = tf.compat.v1

    class AdamWeightDecayOptimizer(v1.train.Optimizer):
        def __init__(self, rate, rates_by_layer=None, ratio=False):
            super().__init__(False, "AdamWeightDecayOptimizer")
            self.rate, self._rates_by_layer, self._ratio = rate, rates_by_layer, ratio

        def apply_gradients(self, grads_and_vars, global_step=None, name=None):
            assignments = []
            for grad, param in grads_and_vars:
                if grad is None:
                    continue
                param_name = re.match("^(.*):\\d+$", param.name).group(1)
                m, v = (
                    v1.get_variable(
                        param_name + end,
                        param.shape.as_list(),
                        tf.float32,
                        v1.zeros_initializer(),
                        trainable=False,
                    )
                    for end in ("/adam_m", "/adam_v")
                )
                next_m = 0.9 * m + 0.1 * grad
                next_v = 0.999 * v + 0.001 * tf.square(grad)
                update = next_m / (tf.sqrt(next_v) + 1e-6) + 0.01 * param
                rate = self.rate * (self._rates_by_layer or {}).get(param_name, 1.0)
                if self._ratio:
                    norm, of_update = tf.norm(param), tf.norm(update)
                    both = tf.logical_and(norm > 0, of_update > 0)
                    rate *= v1.where(both, norm / of_update, 1.0)
                next_param = param - rate * update
                assignments += [param.assign(next_param), m.assign(next_m), v.assign(next_v)]
            return tf.group(*assignments, name=name)

    return AdamWeightDecayOptimizer


def optimizers(tf):
    """{id: a function that makes an optimizer with an apply_gradients of its own}."""
    v1 = tf.compat.v1
    train = v1.train
    sgd = train.GradientDescentOptimizer

    class NotCounting(train.Optimizer):
        """The script adds one to the global step."""

        def __init__(self):
            super().__init__(False, "NotCounting")

        def apply_gradients(self, grads_and_vars, global_step=None, name=None):
            updates = [v.assign_sub(0.1 * g) for g, v in grads_and_vars if g is not None]
            return tf.group(*updates, name=name)

    class Reading(sgd):
        """As AddSign with a decay: its steps depend on the global step."""

        counts = True

        def apply_gradients(self, grads_and_vars, global_step=None, name=None):
            if global_step is None:
                raise ValueError("global_step is required")
            share = 1 / (1 + tf.cast(global_step, tf.float32))
            pairs = [(share * g, v) for g, v in grads_and_vars if g is not None]
            return super().apply_gradients(pairs, global_step if self.counts else None, name)

    class ReadingNotCounting(Reading):
        counts = False

    class Skipping(train.Optimizer):
        """As a loss scale: it takes and counts no step whose gradients are not finite."""

        def __init__(self):
            super().__init__(False, "Skipping")
            self._optimizer = train.MomentumOptimizer(0.1, 0.9)

        def apply_gradients(self, grads_and_vars, global_step=None, name=None):
            finite = tf.stack([tf.reduce_all(tf.math.is_finite(g)) for g, _ in grads_and_vars])
            return tf.cond(
                tf.reduce_all(finite),
                lambda: self._optimizer.apply_gradients(grads_and_vars, global_step, name),
                tf.no_op,
            )

        def get_slot_names(self):
            return self._optimizer.get_slot_names()

        def get_slot(self, variable, name):
            return self._optimizer.get_slot(variable, name)

        def variables(self):
            return self._optimizer.variables()

    made = {
        "counting": lambda: sgd(0.1),
        "not-counting": NotCounting,
        "reading": lambda: Reading(0.1),
        "reading-not-counting": lambda: ReadingNotCounting(0.1),
        "skipping": Skipping,
        "bert": lambda: adam_with_weight_decay(tf)(0.1),
        "electra": lambda: adam_with_weight_decay(tf)(0.1, rates_by_layer={"w": 0.5}),
        "albert-lamb": lambda: adam_with_weight_decay(tf)(0.1, ratio=True),
        "xlnet": lambda: adam_with_weight_decay(tf)(warm_up(v1), rates_by_layer={"w": 0.25}),
    }
    if IS_TF1:
        from tensorflow.contrib import opt
        from tensorflow.contrib.opt.python.training import sign_decay

        decay = sign_decay.get_linear_decay_fn(10)
        made["add-sign"] = lambda: opt.AddSignOptimizer(0.1, sign_decay_fn=decay)
        scale = train.experimental.MixedPrecisionLossScaleOptimizer
        made["loss-scale"] = lambda: scale(
            train.MomentumOptimizer(0.1, 0.9), train.experimental.DynamicLossScale(8.0, 2)
        )
        made["power-sign"] = lambda: opt.PowerSignOptimizer(0.1, sign_decay_fn=decay)
    return made


def warm_up(v1):
    """A rate that follows the global step, as the scripts of these optimizers have it."""
    step = v1.cast(v1.train.get_or_create_global_step(), v1.float32)
    return 0.1 * v1.minimum(1.0, (step + 1) / 3)


#: In which runs of `GRADIENTS` of test_global_step each counts, where not in all.
NEVER = ["not-counting", "reading-not-counting", "bert", "electra", "albert-lamb", "xlnet"]
KINDS = ["counting", "reading", "skipping", *NEVER]
KINDS += ["add-sign", "power-sign", "loss-scale"] if IS_TF1 else []
