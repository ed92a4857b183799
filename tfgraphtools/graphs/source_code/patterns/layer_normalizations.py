"""Layer normalization over the last axis, and rows of length 1, by their values.

Settings of a layer: ``outputs``, the size of the axis, and ``epsilon``.
"""

import functools

import numpy as np

from tfgraphtools.graphs.source_code.ir import ir_nodes
from tfgraphtools.graphs.source_code.patterns import layer_nodes, numeric_cones
from tfgraphtools.graphs.source_code.patterns.layer_nodes import BETA, GAMMA

_LARGEST = 1 << 16


def _normalization(program, node):
    for cone in numeric_cones.cones(program, node):
        dims = cone.source.dims
        if not cone.has_reductions or not dims or dims != node.output.dims:
            continue
        x = _drawn(dims)
        if x is None:
            continue
        result = _layer_norm(node, cone, x) if len(cone.parameters) == 2 else None
        if result is None and not cone.parameters:
            result = _unit_rows(node, cone, x)
        if result is not None:
            return result
    return None


def _drawn(dims):
    """Returns an array of these sizes, with 3 for unknown ones; None where it is too large."""
    sizes = [size if isinstance(size, int) else 3 for size in dims]
    if not isinstance(dims[-1], int) or np.prod(sizes, dtype=float) > _LARGEST:
        sizes = [2] * (len(sizes) - 1) + sizes[-1:]
    if not isinstance(dims[-1], int) or np.prod(sizes, dtype=float) > _LARGEST:
        return None
    return np.random.RandomState(0).standard_normal(sizes) * 2 + 1


def _layer_norm(node, cone, x):
    size = x.shape[-1]
    if any(parameter.dims != (size,) for parameter in cone.parameters):
        return None
    random = np.random.RandomState(1)
    scale, offset = random.standard_normal(size), random.standard_normal(size)
    for gamma, beta in (cone.parameters, cone.parameters[::-1]):
        vectors = {gamma: scale, beta: offset}
        for epsilon in cone.numbers():
            known = functools.partial(_normalized, epsilon=epsilon, scale=scale, offset=offset)
            if 0 < epsilon < 0.1 and _is_function(cone, known, x, vectors, epsilon):
                settings = {"outputs": size, "epsilon": epsilon}
                parameters = {GAMMA: gamma, BETA: beta}
                return layer_nodes.layer(
                    "layer_norm", node, [cone.source], parameters, settings, node.output.dims
                )
    return None


def _normalized(x, epsilon, scale, offset):
    deviations = x - x.mean(-1, keepdims=True)
    return deviations / np.sqrt(x.var(-1, keepdims=True) + epsilon) * scale + offset


def _is_function(cone, known, x, vectors, epsilon):
    """Tells whether a cone is a function, also for numbers so small that epsilon decides."""
    for array in (x, x * epsilon**0.5 / 2):
        if not _is_close(cone.evaluated({cone.source: array, **vectors}), known(array)):
            return False
    return True


def _unit_rows(node, cone, x):
    for axis in range(x.ndim):
        for epsilon in cone.numbers():
            known = functools.partial(_of_length_one, axis=axis, epsilon=epsilon)
            if epsilon > 0 and _is_function(cone, known, x, {}, epsilon):
                attributes = {"axis": axis, "epsilon": epsilon}
                return ir_nodes.made(
                    "L2Normalize", node.name, [cone.source], node.output.dims, node.output.dtype,
                    attributes, node.position,
                )  # fmt: skip
    return None


def _of_length_one(x, axis, epsilon):
    return x / np.sqrt(np.maximum((x * x).sum(axis, keepdims=True), epsilon))


def _is_close(values, known):
    return (
        values is not None
        and values.shape == known.shape
        and np.allclose(values, known, rtol=1e-9, atol=1e-9)
    )


RULES = {op: [_normalization] for op in ("Add", "AddV2", "Mul", "RealDiv")}
