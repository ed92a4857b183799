"""The gradient of each example's loss: `per_example_gradients`, and norms of them.

The part of the graph between the examples and the losses is built once more for one
example, differentiated, and vectorised over the batch. So it costs about what a
batch does, where B backward passes through the whole batch would cost B times that.
"""

from typing import Any, List, Optional, Sequence

import numpy as np

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError, ReplaceError, TfgraphtoolsError
from tfgraphtools.gradients import _tensor_arguments
from tfgraphtools.gradients.examples.pfor_limits import check_control_flow
from tfgraphtools.gradients.overriding.set_gradient import missing_named
from tfgraphtools.gradients.replace import replaced_in_any_shape

_PLACE = "per_example_gradients(losses, xs)"
#: Ops that bring data into a graph.
_SOURCES = (
    "FIFOQueue", "Iterator", "OneShotIterator", "Placeholder", "PyFunc", "EagerPyFunc",
    "QueueDequeue", "ParseExample", "Unstage",
)  # fmt: skip
#: How far the loss of an example alone may be from that in the batch, by rounding.
_TOLERANCES = {"float64": 1e-8, "float32": 1e-3, "float16": 5e-2, "bfloat16": 2e-1}
#: The same of all losses together, where rounding has most of each, as of examples that are learnt.
_TOLERANCE_OF_SUM = 3e-2
#: Losses such as log(1 + p) are rounded in steps of those at 1: how many such steps may differ.
_CANCELLED_STEPS = 64
_REDUCTIONS = frozenset(["All", "Any", "Max", "Mean", "Min", "Prod", "Sum"])

#: Ops that move rows: the input with the axes; -1 is the first axis alone.
_MOVES_ROWS = {"Cumprod": 1, "Cumsum": 1, "RandomShuffle": -1, "ReverseV2": 1, "Roll": 2}


def per_example_gradients(
    losses: tf.Tensor, xs: Any, inputs: Optional[Sequence[tf.Tensor]] = None
) -> List[Optional[tf.Tensor]]:
    """Returns the gradient of every example's own loss, for all examples of a batch.

    It does nothing to the graph but add ops. The mean over the first dimension is
    the gradient of ``tf.reduce_mean(losses)``.

    Args:
      losses: a vector with one loss for each example.
      xs: a variable or tensor that all examples share, or a list of them.
      inputs: the tensors that hold the examples in their first dimension (features,
        labels, masks...). If None: placeholders, iterators, queues and random draws
        (dropout's) that the losses are computed from and that have as many rows.

    Returns:
      A list of tensors of shape ``[examples] + x.shape``, dense for embeddings, too;
      None for an x that the losses do not depend on.

    Example:
      >>> losses = tf.reduce_sum(tf.square(tf.matmul(x, w)), axis=1)
      >>> (grads,) = per_example_gradients(losses, [w])    # [batch, 2, 2]

    Raises:
      ArgumentError: losses are no vector; there are no inputs; the model was built
        for one size of batch, has a cond of control flow v1 or a loop that cannot be
        vectorised (nested, with random draws, of another length for each example); or the
        losses mix examples, as batch normalisation in training does. Where only the values
        tell, the run fails with InvalidArgumentError: the loss of an example alone is another
        than in the batch, relative to its size.
    """
    xs = _tensor_arguments.listed(xs)
    gradients = _for_each_example(losses, xs, inputs)
    for grads, x in zip(gradients, xs):
        if grads is not None:
            grads.set_shape(losses.shape[:1].concatenate(x.shape))
    return gradients


def per_example_gradient_norms(
    losses: tf.Tensor, xs: Any, inputs: Optional[Sequence[tf.Tensor]] = None
) -> tf.Tensor:
    """Returns the L2 norm of every example's gradient, over all xs together.

    Args:
      losses, xs, inputs: see `per_example_gradients`.

    Returns:
      A vector of as many norms as there are losses: float32 for gradients in half
      precision, whose own range a norm may leave.

    Example:
      >>> losses = tf.reduce_sum(tf.square(tf.matmul(x, w)), axis=1)
      >>> norms = per_example_gradient_norms(losses, [w])

    Raises:
      ArgumentError: see `per_example_gradients`.
    """
    each = per_example_gradients(losses, xs, inputs)
    with losses.graph.as_default(), v1.name_scope("per_example_norms"):
        return _tf.Norm([grads for grads in each if grads is not None], rows=True).value()


def _for_each_example(losses, xs, inputs):
    """Returns the gradients of one example, stacked over the examples; None for no gradient."""
    _check_losses(losses, xs)
    with losses.graph.as_default(), v1.name_scope("per_example"):
        sources = _checked_inputs(losses, inputs)
        _check_mixing(losses, sources)
        present = []

        def of_example(index):
            row = tf.reshape(index, [1])
            loss = _alone(losses, [(source, tf.gather(source, row)) for source in sources])
            with missing_named(losses.graph):
                grads = v1.gradients(loss, xs)
            grads = [None if grad is None else tf.convert_to_tensor(grad) for grad in grads]
            if all(grad is None for grad in grads):
                raise ArgumentError(
                    _PLACE,
                    "losses that depend on an x",
                    f"no gradient for {[x.name for x in xs]}",
                    "explain_gradient(loss, x) says why.",
                )
            present[:] = [grad is not None for grad in grads]
            return [grad for grad in grads if grad is not None] + [tf.reshape(loss, [])]

        stacked = _vectorised(of_example, tf.shape(losses)[0])
        with v1.control_dependencies([_same_losses(losses, stacked[-1])]):
            stacked = iter([tf.identity(value) for value in stacked[:-1]])
        return [next(stacked) if there else None for there in present]


def _vectorised(of_example, count):
    try:
        return _tf.for_each(of_example, count)
    except TfgraphtoolsError:
        raise
    except Exception as error:  # pylint: disable=broad-except  # whatever a converter raises
        raise ArgumentError(
            _PLACE,
            "ops that TensorFlow can vectorise",
            " ".join(str(error).split())[:200],
            "Build the model without it (loops in loops unrolled, say), or take one example after "
            "the other: [tf.gradients(losses[i], xs) for i in range(batch)].",
        ) from error


def _check_losses(losses, xs):
    _tensor_arguments.nodes(_PLACE, [losses], differentiable=True)
    _tensor_arguments.check_one_graph(_PLACE, [losses], _tensor_arguments.nodes(_PLACE, xs))
    if losses.shape.rank != 1:
        raise ArgumentError(
            _PLACE,
            "a vector with one loss for each example",
            f"{losses.name!r} of shape {losses.shape}",
            "Leave out the last reduce_mean: per_example_gradients(losses, xs) takes its input.",
        )


def _checked_inputs(losses, inputs):
    sources = list(inputs) if inputs is not None else _sources(losses)
    if not sources:
        raise ArgumentError(
            _PLACE,
            "placeholders, iterators or queues that hold the examples",
            f"none that {losses.name!r} is computed from",
            "Name them: per_example_gradients(losses, xs, inputs=[features, labels]).",
        )
    return sources


def _sources(losses):
    """Returns what brings examples in: the tensors with as many rows as there are losses."""
    batch = losses.shape.as_list()[0]
    sources = []
    for op in sorted(_tf.upstream_ops([losses]), key=_tf.order_of):
        if op.type.startswith(_SOURCES) or _tf.is_random(op):
            for tensor in op.outputs:
                rank = tensor.shape.rank
                rows = tensor.shape.as_list()[0] if rank else 0
                fits = rank and (rows is None or batch is None or rows == batch)
                if fits and tensor.dtype.base_dtype not in (tf.resource, tf.variant):
                    sources.append(tensor)
    return sources


def _alone(losses, replacements):
    """Returns the loss of one example by itself."""
    try:
        loss = replaced_in_any_shape(losses, replacements)
    except ReplaceError:
        raise
    except ValueError as error:
        raise ArgumentError(
            _PLACE,
            "a model that takes a batch of one example",
            "an op that was built for another size ({})".format(" ".join(str(error).split())[:160]),
            "Build it with placeholders of shape [None, ...] and reshape with -1 for the batch.",
        ) from error
    if not loss.shape.is_compatible_with([1]):
        raise ArgumentError(
            _PLACE,
            "one loss from one example",
            f"shape {loss.shape} of {losses.name!r}",
            "Name all tensors that hold examples: inputs=[features, labels, mask].",
        )
    return loss


def _check_mixing(losses, sources):
    """Refuses ops that are known to make one example's loss depend on the others."""
    upstream = _tf.upstream_ops([losses])
    between = _tf.downstream_ops(sources, upstream, through_shapes=False)
    check_control_flow(_PLACE, upstream, between)
    turned = _tf.downstream_ops(
        [t for op in between if op.type == "Transpose" for t in op.outputs], upstream
    )
    for op in sorted(between, key=_tf.order_of):
        batch_norm = op.type.startswith("FusedBatchNorm") and op.get_attr("is_training")
        if batch_norm or (op not in turned and _mixes_rows(op, losses)):
            raise ArgumentError(
                _PLACE,
                "losses that depend on one example each",
                f"the op {op.name!r} of type {op.type}, which mixes the examples of the batch",
                "Use normalisation of each example (layer or group normalisation), or batch "
                "normalisation with training=False.",
            )


def _mixes_rows(op, losses):
    """Returns True for what mixes or moves the rows of what has a row for each example."""
    axes_input = 1 if op.type in _REDUCTIONS else _MOVES_ROWS.get(op.type)
    if axes_input is None or not op.inputs[0].shape.rank:
        return False
    axes = np.zeros(1, int) if axes_input < 0 else _tf.static_value(op.inputs[axes_input])
    rank = op.inputs[0].shape.rank
    if axes is None or 0 not in [int(axis) % rank for axis in axes.reshape(-1)]:
        return False
    rows, batch = op.inputs[0].shape.as_list()[0], losses.shape.as_list()[0]
    return rows == batch


def _same_losses(losses, alone):
    """Returns an op that fails unless the losses of examples alone are those in the batch."""
    message = (
        "per_example_gradients: expected each example's loss to be the same alone as in the "
        "batch; it is not, so the losses mix examples or depend on the size of the batch, or an "
        "input that holds examples is not among inputs=[...]. Losses in the batch and alone:"
    )
    same = tf.logical_and(_each_close(losses, alone), _all_close(losses, alone))
    return v1.Assert(same, [message, losses, alone], summarize=8)


def _each_close(losses, alone):
    """Tells whether each loss is the same but for rounding, also of what cancels in it."""
    tolerance = _TOLERANCES[losses.dtype.name]
    rounding = min(tolerance, _CANCELLED_STEPS * _step_at_one(losses.dtype))
    close = tf.abs(losses - alone) <= tolerance * tf.abs(losses) + rounding
    both_nan = tf.logical_and(tf.math.is_nan(losses), tf.math.is_nan(alone))
    return tf.reduce_all(tf.logical_or(tf.logical_or(close, both_nan), tf.equal(losses, alone)))


def _all_close(losses, alone):
    """Tells whether the losses are the same relative to their sum, however small they are."""
    distances, sizes = tf.abs(losses - alone), tf.abs(losses)
    finite, zeros = tf.math.is_finite(distances), tf.zeros_like(losses)
    distances, sizes = (_tf.where(finite, values, zeros) for values in (distances, sizes))
    largest = tf.reduce_max(tf.maximum(distances, sizes))  # float16 has small sums
    scale = _tf.where(largest > 0, largest, tf.ones_like(largest))
    tolerance = max(_TOLERANCES[losses.dtype.name], _TOLERANCE_OF_SUM)
    total = tf.reduce_sum(sizes / scale)
    return tf.reduce_sum(distances / scale) <= tolerance * total


def _step_at_one(dtype):
    """Returns the distance from 1 to the next number of a dtype."""
    return 2.0**-7 if dtype.name == "bfloat16" else float(np.finfo(dtype.as_numpy_dtype).eps)
