"""Gradients of TF1 graphs: override, shape, explain, check, replace, probe, recompute them.

Importing this registers its gradient functions with TensorFlow, by names that begin
with ``tfgraphtools.``: graphs that were saved with them work from then on.
"""

import types

from tfgraphtools import _tf
from tfgraphtools.gradients.checking.check_gradients import check_gradients
from tfgraphtools.gradients.checking.check_report import Report
from tfgraphtools.gradients.curvature import hessian, hessian_norm, hvp, jvp, vjp
from tfgraphtools.gradients.effects import Effects, effects
from tfgraphtools.gradients.examples.conflicts import project_conflicting
from tfgraphtools.gradients.examples.per_example import (
    per_example_gradient_norms,
    per_example_gradients,
)
from tfgraphtools.gradients.examples.private_gradients import private_gradients
from tfgraphtools.gradients.explaining.explain_gradient import (
    Explanation,
    explain_file,
    explain_gradient,
)
from tfgraphtools.gradients.nonfinite import Nonfinite, first_nonfinite
from tfgraphtools.gradients.overriding.gradient_functions import register_gradient
from tfgraphtools.gradients.overriding.hits import Hits
from tfgraphtools.gradients.overriding.override import override_gradient
from tfgraphtools.gradients.overriding.set_gradient import (
    clear_gradient,
    of_type,
    require_gradients,
    set_gradient,
)
from tfgraphtools.gradients.probe import GradientProbe
from tfgraphtools.gradients.recomputing.recompute import RecomputeOptimizer, recompute_gradients
from tfgraphtools.gradients.relu_rules import guided_relu, redirected_relu
from tfgraphtools.gradients.replace import graph_replace
from tfgraphtools.gradients.shaping.relaxations import linear_ramp, smooth, soft_floor, soft_step
from tfgraphtools.gradients.shaping.shaping import (
    clip_gradient,
    mask_gradient,
    reverse_gradient,
    scale_gradient,
)
from tfgraphtools.gradients.shaping.straight_through import (
    ceil,
    clip_sign,
    floor,
    round,
    sign,
    straight_through,
    to_integer,
)

__all__ = [
    "Effects",
    "Explanation",
    "GradientProbe",
    "Hits",
    "Nonfinite",
    "RecomputeOptimizer",
    "Report",
    "ceil",
    "check_gradients",
    "clear_gradient",
    "clip_gradient",
    "clip_sign",
    "effects",
    "explain_file",
    "explain_gradient",
    "first_nonfinite",
    "floor",
    "graph_replace",
    "guided_relu",
    "hessian",
    "hessian_norm",
    "hvp",
    "jvp",
    "linear_ramp",
    "mask_gradient",
    "of_type",
    "override_gradient",
    "per_example_gradient_norms",
    "per_example_gradients",
    "private_gradients",
    "project_conflicting",
    "recompute_gradients",
    "redirected_relu",
    "register_gradient",
    "require_gradients",
    "reverse_gradient",
    "round",
    "scale_gradient",
    "set_gradient",
    "sign",
    "smooth",
    "soft_floor",
    "soft_step",
    "straight_through",
    "to_integer",
    "vjp",
]

for _name in __all__:
    if isinstance(globals()[_name], types.FunctionType):
        _tf.without_autograph(globals()[_name])
