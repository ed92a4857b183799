"""Products with Jacobians and Hessians, whole Hessians, and a norm of one from samples.

`tf.gradients` returns None for the second derivative of a linear function;
everything here returns zeros. A gradient of rows (IndexedSlices) becomes a
dense tensor. Loops of control flow v1 have no second derivatives in TF.
"""

from typing import Any, Optional

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import (
    ArgumentError,
    SecondOrderError,
    TfgraphtoolsError,
    UnknownGradientError,
)
from tfgraphtools.gradients import _tensor_arguments
from tfgraphtools.gradients._tensor_arguments import listed, nodes, tensor_like
from tfgraphtools.gradients._tensor_types import Nodes, TensorLike, TensorOrList
from tfgraphtools.gradients.overriding.set_gradient import missing_named
from tfgraphtools.gradients.replace import graph_replace


def vjp(ys: Nodes, xs: Nodes, us: TensorLike, name: Optional[str] = None) -> TensorOrList:
    """Returns ``u^T J``: `tf.gradients` with zeros in place of None.

    Args:
      ys, us: a tensor and its weights of the same shape, or lists of them.
      xs: a tensor or variable, or a list of them.
      name: of the scope of the ops.

    Returns:
      A dense tensor like x for each x (a list if xs is one).

    Example:
      >>> gradient = vjp(loss, w, tf.ones_like(loss))

    Raises:
      ArgumentError: ys and us do not pair up.
    """
    place = "vjp(ys, xs, us)"
    nodes(place, ys, differentiable=True)
    _tensor_arguments.check_one_graph(place, listed(ys), nodes(place, xs), listed(us))
    ys, us = _pair(ys, us, place)
    with tf.name_scope(name or "vjp"):
        return _like(xs, _gradients(ys, listed(xs), us))


def jvp(ys: Nodes, xs: Nodes, vs: TensorLike, name: Optional[str] = None) -> TensorOrList:
    """Returns ``J v``: how ys move when xs move along vs.

    Two backward passes: the first is linear in its weights, and the second
    differentiates it with respect to them.

    Args:
      ys: a tensor, or a list of them.
      xs, vs: a tensor or variable and a direction of its shape, or lists of them.
      name: of the scope of the ops.

    Returns:
      A tensor like y for each y (a list if ys is one).

    Example:
      >>> change = jvp(logits, images, noise)   # to first order

    Raises:
      ArgumentError: xs and vs do not pair up.
      SecondOrderError: there is a v1 loop between xs and ys.

    J. Townsend, 2017, "A new trick for calculating Jacobian vector products".
    """
    place = "jvp(ys, xs, vs)"
    nodes(place, ys, differentiable=True)
    nodes(place, xs, differentiable=True)
    _tensor_arguments.check_one_graph(place, listed(ys), listed(xs), listed(vs))
    xs, vs = _pair(xs, vs, place)
    _refuse_v1_loops(listed(ys), xs, place)
    with tf.name_scope(name or "jvp"):
        weights = [v1.placeholder_with_default(tf.zeros_like(y), y.shape) for y in listed(ys)]
        backward = _gradients(listed(ys), xs, weights)
        return _like(ys, _second_gradients(place, backward, weights, vs))


def hvp(loss: tf.Tensor, xs: Nodes, vs: TensorLike, name: Optional[str] = None) -> TensorOrList:
    """Returns ``H v``: the Hessian of a scalar loss times a direction, without the Hessian.

    Args:
      loss: a scalar tensor.
      xs, vs: a tensor or variable and a direction of its shape, or lists of them;
        the Hessian is that of all xs together.
      name: of the scope of the ops.

    Returns:
      A tensor like x for each x (a list if xs is one); zeros where the loss is linear.

    Example:
      >>> curvature = tf.reduce_sum(v * hvp(loss, w, v))

    Raises:
      ArgumentError: xs and vs do not pair up, or the loss is no scalar.
      SecondOrderError: there is a v1 loop between xs and the loss.

    Pearlmutter, 1994, "Fast exact multiplication by the Hessian".
    """
    single = not isinstance(xs, (list, tuple))
    nodes("hvp(loss, xs, vs)", [loss, *listed(xs)], differentiable=True)
    _tensor_arguments.check_one_graph("hvp(loss, xs, vs)", [loss], listed(xs), listed(vs))
    _tensor_arguments.check_scalar("hvp(loss, xs, vs)", loss)
    xs, vs = _pair(xs, vs, "hvp(loss, xs, vs)")
    _refuse_v1_loops([loss], xs, "hvp(loss, xs, vs)")
    with tf.name_scope(name or "hvp"):
        products = _second_gradients("hvp(loss, xs, vs)", _gradients([loss], xs), xs, vs)
        return products[0] if single else products


def hessian(loss: tf.Tensor, xs: Nodes, name: Optional[str] = None) -> Any:
    """Returns all blocks of the Hessian of a scalar loss.

    Unlike `tf.hessians`, which has the diagonal blocks only.

    Args:
      loss: a scalar tensor.
      xs: a tensor or variable, or a list of them.
      name: of the scope of the ops.

    Returns:
      For a list a list of rows of blocks: ``blocks[i][j]`` has the shape of
      ``xs[i]`` followed by that of ``xs[j]``. For one x its one block.

    Example:
      >>> blocks = hessian(loss, [w, b])   # blocks[0][1]: d2 loss / dw db

    Raises:
      SecondOrderError: there is a v1 loop between xs and the loss.
    """
    single, xs = not isinstance(xs, (list, tuple)), listed(xs)
    nodes("hessian(loss, xs)", [loss, *xs], differentiable=True)
    _tensor_arguments.check_one_graph("hessian(loss, xs)", [loss], xs)
    _tensor_arguments.check_scalar("hessian(loss, xs)", loss)
    _refuse_v1_loops([loss], xs, "hessian(loss, xs)")
    with tf.name_scope(name or "hessian"):
        rows = [_hessian_row(gradient, xs) for gradient in _gradients([loss], xs)]
        return rows[0][0] if single else rows


def hessian_norm(
    loss: tf.Tensor,
    variables: Nodes,
    samples: int = 10,
    seed: int = 0,
    scale: float = 1.0,
    elementwise: bool = False,
    name: Optional[str] = None,
) -> Any:
    """Measures the Hessian's size along random directions, by gradients nearby.

    The mean over ``samples`` draws d of N(0, scale^2 I) of
    ``|grad(w + d) - grad(w - d)| / (2 |d|)``, with norms over all variables
    together: for a quadratic loss the mean of ``|H d| / |d|``. The graph is
    copied for each displacement with `graph_replace`; no variable is assigned.

    Args:
      loss: a scalar tensor.
      variables: a variable or tensor, or a list of them.
      samples: the number of draws, each of which adds two copies to the graph.
      seed: of the draws: an int, the same draws in every run.
      scale: the standard deviation of the displacements.
      elementwise: take ``(grad(w + d) - grad(w - d)) / (2 d)`` element by
        element instead: a list of tensors like the variables. A mean of ratios
        with unbounded spread; for one scalar variable it is the second derivative.
      name: of the scope of the ops.

    Returns:
      A scalar tensor; with ``elementwise`` a tensor like each variable.

    Example:
      >>> size = hessian_norm(loss, w, samples=20, seed=1)

    Raises:
      ReplaceError: the loss cannot be built again at another value of a variable.
    """
    single, variables = not isinstance(variables, (list, tuple)), listed(variables)
    _check_real("hessian_norm(loss, variables)", nodes("hessian_norm(loss, variables)", variables))
    nodes("hessian_norm(loss, variables)", [loss], differentiable=True)
    _tensor_arguments.check_one_graph("hessian_norm(loss, variables)", [loss], variables)
    _tensor_arguments.check_scalar("hessian_norm(loss, variables)", loss)
    terms = []
    with tf.name_scope(name or "hessian_norm"):
        for sample in range(samples):
            moves = [
                scale
                * tf.random.stateless_normal(
                    tf.shape(v), [seed, sample * len(variables) + i], dtype=v.dtype.base_dtype
                )
                for i, v in enumerate(variables)
            ]
            ahead = _gradients_at(loss, variables, moves, 1)
            behind = _gradients_at(loss, variables, moves, -1)
            change = [a - b for a, b in zip(ahead, behind)]
            if elementwise:
                terms.append([c / (2 * d) for c, d in zip(change, moves)])
            else:
                terms.append(_tf.Norm(change).value() / (2 * _tf.Norm(moves).value()))
        if not elementwise:
            return tf.add_n(terms) / samples
        means = [tf.add_n(list(term)) / samples for term in zip(*terms)]
        return means[0] if single else means


def _check_real(place, variables):
    """Raises for variables that no random draw of real numbers displaces."""
    for variable in variables:
        if not variable.dtype.base_dtype.is_floating:
            raise ArgumentError(
                place,
                "variables of a real float dtype",
                f"{variable.name!r} of dtype {variable.dtype.base_dtype.name}",
                "Leave it out.",
            )


def _gradients_at(loss, variables, moves, sign):
    """Returns the gradients of the loss at the variables, displaced."""
    points = [tf.convert_to_tensor(v) + sign * d for v, d in zip(variables, moves)]
    keys = [v.ref() if hasattr(v, "ref") else v for v in variables]
    return _gradients([graph_replace(loss, dict(zip(keys, points)))], points)


def _hessian_row(gradient, xs):
    """Returns derivatives of each element of one gradient with respect to all xs."""
    flat = tf.reshape(gradient, [-1])
    size = tf.size(flat)

    def body(i, arrays):
        row = _second_gradients("hessian(loss, xs)", [flat[i]], xs)
        return i + 1, [array.write(i, value) for array, value in zip(arrays, row)]

    arrays = [tf.TensorArray(x.dtype.base_dtype, size) for x in xs]
    _, arrays = v1.while_loop(lambda i, _: i < size, body, [tf.constant(0), arrays])
    blocks = []
    for array, x in zip(arrays, xs):
        block = tf.reshape(array.stack(), tf.concat([tf.shape(gradient), tf.shape(x)], 0))
        block.set_shape(gradient.shape.concatenate(x.shape))
        blocks.append(block)
    return blocks


def _refuse_v1_loops(ys, xs, place):
    """Refuses a v1 loop, of which TF has no second derivative: it raises or returns None."""
    starts = [_tf.handle_of(x) if _tf.is_variable(x) else x for x in xs]
    for op in _tf.downstream_ops(starts, _tf.upstream_ops(ys)):
        if op.type in ("Exit", "RefExit"):
            raise SecondOrderError(
                place,
                "a graph without loops of control flow v1 between xs and y",
                f"the loop that ends in op {op.name!r}",
                "Build the loop with control flow v2: tf.compat.v1.enable_control_flow_v2().",
            )


def _gradients(ys, xs, weights=None):
    """Returns tf.gradients, dense, with zeros in place of None."""
    try:
        with missing_named(v1.get_default_graph()):
            gradients = _tf.gradients(ys, xs, weights)
    except TfgraphtoolsError:
        raise
    except LookupError as error:
        raise UnknownGradientError(
            "a product with a Jacobian or Hessian",
            "ops with a gradient, those of the backward pass included",
            " ".join(str(error).split()),
            "Give it one before: gradients.register_gradient(fn, name=the op type); an op that you "
            "built yourself takes gradients.set_gradient(op, fn), too.",
        ) from error
    return [
        tf.zeros_like(tf.convert_to_tensor(x))
        if gradient is None
        else tf.convert_to_tensor(gradient)
        for gradient, x in zip(gradients, xs)
    ]


def _second_gradients(place, ys, xs, weights=None):
    """Returns `_gradients` of gradients; a SecondOrderError where TF has none or fails at them."""
    try:
        return _gradients(ys, xs, weights)
    except TfgraphtoolsError:
        raise
    except Exception as error:
        raise SecondOrderError(
            place,
            "a graph that TensorFlow differentiates twice",
            f"{type(error).__name__} from tf.gradients: " + " ".join(str(error).split()),
            "Build loops, branches and functions with TF 2 and control flow v2, or take "
            "differences of first gradients: hessian_norm, or graph_replace at x + d and x - d.",
        ) from error


def _like(model, values):
    """Returns the list, or its one element if the model is no list."""
    return values if isinstance(model, (list, tuple)) else values[0]


def _pair(tensors, weights, place):
    if not isinstance(tensors, (list, tuple)):
        tensors, weights = [tensors], [weights]
    tensors, weights = listed(tensors), listed(weights)
    if len(tensors) != len(weights):
        raise ArgumentError(
            place,
            f"a weight or direction for each of {len(tensors)} tensors",
            str(len(weights)),
            "Pass lists of one length.",
        )
    weights = [tensor_like(place, w, t) for t, w in zip(tensors, weights)]
    for tensor, weight in zip(tensors, weights):
        if not tensor.shape.is_compatible_with(weight.shape):
            raise ArgumentError(
                place,
                f"shape {tensor.shape} for {tensor.name!r}",
                f"shape {weight.shape}",
                "A direction has the shape of its tensor.",
            )
    return tensors, weights
