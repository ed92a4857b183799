"""Gradients of TF1 graphs: override, shape, explain, check, replace and probe them."""

from tfgraphtools.gradients._registry import register_gradient
from tfgraphtools.gradients.override import Hits, override_gradient
from tfgraphtools.gradients.straight_through import (
    ceil,
    clip_sign,
    floor,
    round,
    sign,
    straight_through,
    to_integer,
)

__all__ = [
    "Hits",
    "ceil",
    "clip_sign",
    "floor",
    "override_gradient",
    "register_gradient",
    "round",
    "sign",
    "straight_through",
    "to_integer",
]
