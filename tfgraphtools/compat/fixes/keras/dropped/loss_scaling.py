"""``tf.keras.mixed_precision.experimental``: policies and loss scales by their old names."""

import types

from tfgraphtools.compat.engine.rows import Fix, Table


def _experimental():
    from tf_keras.src.mixed_precision import loss_scale_optimizer, policy

    scaled = loss_scale_optimizer._create_loss_scale_optimizer_from_v1_loss_scale
    kind = loss_scale_optimizer.LossScaleOptimizer

    class Scaling(type):
        def __call__(cls, optimizer, loss_scale):
            return scaled(optimizer, loss_scale)

        def __instancecheck__(cls, instance):
            return isinstance(instance, kind)

    module = types.ModuleType("tensorflow.keras.mixed_precision.experimental")
    module.LossScaleOptimizer = Scaling("LossScaleOptimizer", (), {"__doc__": kind.__doc__})
    module.Policy = policy.Policy
    module.global_policy = policy.global_policy
    module.set_policy = policy.set_global_policy
    return module


TABLES = (
    Table(
        "mixed precision of Keras",
        "modules",
        [
            Fix(
                keras + ".mixed_precision.experimental",
                "TF 2.7",
                "policies and loss scales; a policy needs enable_v2_behavior(), as in 1.15",
                _experimental,
            )
            for keras in ("tensorflow.keras", "tensorflow.compat.v2.keras")
        ],
    ),
)
