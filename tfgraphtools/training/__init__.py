"""Parameter groups, learning-rate multipliers and frozen elements, for Session-based training.

Each optimizer here is a ``tf.compat.v1.train.Optimizer``, goes wherever one
goes, and wraps any other, these included. Each hook is a
``tf.compat.v1.train.SessionRunHook``.
"""

import types

from tfgraphtools import _tf
from tfgraphtools.training import schedules, transforms
from tfgraphtools.training.accumulate import GradientAccumulationOptimizer
from tfgraphtools.training.average_optimizers import (
    ExponentialAverageOptimizer,
    WeightAverageOptimizer,
)
from tfgraphtools.training.decay import DecoupledWeightDecayOptimizer, layer_decay
from tfgraphtools.training.freeze import FreezeOptimizer
from tfgraphtools.training.freezing.audit import ZeroGradientEffects, zero_gradient_effects
from tfgraphtools.training.freezing.read import frozen_read
from tfgraphtools.training.hooks.average import AverageHook
from tfgraphtools.training.hooks.flush import FlushHook
from tfgraphtools.training.hooks.guard import FrozenGuardHook
from tfgraphtools.training.hooks.preemption import PreemptionHook
from tfgraphtools.training.hooks.progress_hook import ProgressHook
from tfgraphtools.training.hooks.summaries import SummaryHook, add_summaries
from tfgraphtools.training.hooks.trace import TraceHook
from tfgraphtools.training.hooks.unfreeze import UnfreezeHook
from tfgraphtools.training.learning_rates import learning_rates
from tfgraphtools.training.lookahead import LookaheadOptimizer
from tfgraphtools.training.nonfinite.loss_scale import LossScaleOptimizer
from tfgraphtools.training.nonfinite.skip import SkipNonFiniteOptimizer
from tfgraphtools.training.optimizers.adafactor import AdafactorOptimizer
from tfgraphtools.training.optimizers.adam_family import (
    AdamWOptimizer,
    AMSGradOptimizer,
    NadamOptimizer,
    RAdamOptimizer,
)
from tfgraphtools.training.optimizers.lion import LionOptimizer
from tfgraphtools.training.parameters.group_rows import grouped
from tfgraphtools.training.parameters.master_weights import MasterWeightsOptimizer
from tfgraphtools.training.parameters.settings import set_values, setting
from tfgraphtools.training.partition import Group, PartitionOptimizer
from tfgraphtools.training.rates import LRMultiplierOptimizer
from tfgraphtools.training.sessions.consistent_saver import ConsistentSaver
from tfgraphtools.training.sessions.partial_restore import (
    PartialRestore,
    restore_what_fits,
)
from tfgraphtools.training.transform_optimizer import GradientTransformOptimizer
from tfgraphtools.training.trust import TrustRatioOptimizer

__all__ = [
    "AMSGradOptimizer",
    "AdafactorOptimizer",
    "AdamWOptimizer",
    "AverageHook",
    "ConsistentSaver",
    "DecoupledWeightDecayOptimizer",
    "ExponentialAverageOptimizer",
    "FlushHook",
    "FreezeOptimizer",
    "FrozenGuardHook",
    "GradientAccumulationOptimizer",
    "GradientTransformOptimizer",
    "Group",
    "LRMultiplierOptimizer",
    "LionOptimizer",
    "LookaheadOptimizer",
    "LossScaleOptimizer",
    "MasterWeightsOptimizer",
    "NadamOptimizer",
    "PartialRestore",
    "PartitionOptimizer",
    "PreemptionHook",
    "ProgressHook",
    "RAdamOptimizer",
    "SkipNonFiniteOptimizer",
    "SummaryHook",
    "TraceHook",
    "TrustRatioOptimizer",
    "UnfreezeHook",
    "WeightAverageOptimizer",
    "ZeroGradientEffects",
    "add_summaries",
    "frozen_read",
    "grouped",
    "layer_decay",
    "learning_rates",
    "restore_what_fits",
    "schedules",
    "set_values",
    "setting",
    "transforms",
    "zero_gradient_effects",
]

for _name in __all__:
    if isinstance(globals()[_name], types.FunctionType):
        _tf.without_autograph(globals()[_name])
