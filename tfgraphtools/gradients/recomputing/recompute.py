"""Gradients for less memory: `recompute_gradients` and the optimizer that uses it.

The backward pass is TensorFlow's own. Where one of its ops takes an activation,
it is made to take a copy that is computed from the nearest checkpoints once the
gradient has arrived there, so that the activation itself is freed in the forward
pass. The values are the same, and so is every gradient, to the bit.
"""

from typing import Any, List, Optional, Sequence, Union

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError
from tfgraphtools.gradients import _tensor_arguments
from tfgraphtools.gradients.overriding.set_gradient import missing_named
from tfgraphtools.gradients.recomputing.forward import Forward
from tfgraphtools.gradients.recomputing.rewire import rewire
from tfgraphtools.gradients.recomputing.segments import cuts_at, cuts_by_size

#: The collection of ``checkpoints="collection"``.
COLLECTION = "checkpoints"
_PLACE = "recompute_gradients(ys, xs, checkpoints=...)"
#: Ops that are dear to compute again: ``checkpoints="speed"`` keeps what they make.
_DEAR = (
    "BatchMatMul", "Conv2D", "Conv3D", "CudnnRNN", "DepthwiseConv2dNative", "Einsum", "MatMul",
    "SparseMatMul", "SparseTensorDenseMatMul",
)  # fmt: skip

Checkpoints = Union[str, Sequence[tf.Tensor]]


def recompute_gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    checkpoints: Checkpoints = "memory",
    **options: Any,
) -> List[Optional[tf.Tensor]]:
    """Computes `tf.gradients` in less memory: the backward pass computes activations again.

    It does nothing to the gradients, which are those of `tf.gradients` to the bit
    where TensorFlow's kernels are deterministic (``AddN`` of more than two terms is not: it begins
    with one whose buffer is free). It recomputes nothing that has a
    state: random draws and variables are read once, updates (of batch
    normalisation, say) happen once. Where a loop or cond of control
    flow v1 is between xs and ys it does nothing: those are plain gradients. Calls and loops
    of control flow v2 that read a variable or draw are kept as plain gradients keep them.
    Under XLA it
    saves nothing: XLA merges the copies with the originals.

    Args:
      ys: a tensor, or a list of tensors.
      xs: a tensor or variable, or a list of them.
      grad_ys: as for `tf.gradients`.
      checkpoints: which activations are kept. "memory": few, where the graph is
        narrow, so that a chain of n equal layers needs memory for O(sqrt(n));
        "speed": these and all outputs of convolutions and matrix products;
        "collection": the tensors of the graph's collection "checkpoints"; or a
        list of tensors. The graph is cut at each of them, in the order in which it
        was built, and what else crosses a cut is kept, too.
      **options: further arguments of `tf.compat.v1.gradients`.

    Returns:
      A list of gradients, as that of `tf.gradients`.

    The gradient of a ref variable is there when no copy reads the variable any more. What
    reads a ref variable that the forward pass updates, as spectral normalisation does, is kept.
    Another op that updates one in the same run must wait for the gradient.

    A tensor between xs and ys that is fed when the graph runs must be among the xs
    or the checkpoints: the copies do not see it. A placeholder may be fed.

    Example:
      >>> grads = recompute_gradients(loss, [w, b])
      >>> grads = recompute_gradients(loss, [w, b], checkpoints=[h])

    Raises:
      ArgumentError: ``checkpoints`` is none of these, is of another graph, or has no
        tensor between xs and ys.

    Source: Chen, Xu, Zhang, Guestrin, "Training deep nets with sublinear memory
    cost", arXiv:1604.06174.
    """
    ys = _tensor_arguments.nodes(_PLACE, ys, differentiable=True)
    xs = _tensor_arguments.nodes(_PLACE, xs)
    if grad_ys is None and any(y.dtype.is_complex for y in ys):
        raise ArgumentError(
            _PLACE,
            "grad_ys for a complex y",
            "None",
            "Write grad_ys=tf.ones_like(y), or differentiate a real tensor.",
        )
    _tensor_arguments.check_one_graph(_PLACE, ys, xs)
    with missing_named(v1.get_default_graph()), _Recomputed(ys, xs, checkpoints) as recomputed:
        grads = _tf.gradients(ys, xs, grad_ys, **options)
    return [recomputed.gated(grad, x) for grad, x in zip(grads, xs)]


class RecomputeOptimizer(v1.train.Optimizer):
    """An optimizer whose `compute_gradients` recomputes activations: `recompute_gradients`.

    It does nothing to the updates, nor to the names of the optimizer's state.

    Args:
      optimizer: any ``tf.compat.v1.train.Optimizer``, wrappers included. It may
        stand inside or around those of `training`.
      checkpoints: see `recompute_gradients`.
      name: of this optimizer.

    Example:
      >>> optimizer = RecomputeOptimizer(tf.compat.v1.train.AdamOptimizer(1e-3))
      >>> step = optimizer.minimize(loss)

    Raises:
      ArgumentError: not an optimizer for Sessions, or see `recompute_gradients`.
    """

    def __init__(
        self,
        optimizer: v1.train.Optimizer,
        checkpoints: Checkpoints = "memory",
        name: str = "Recompute",
    ) -> None:
        if not isinstance(optimizer, v1.train.Optimizer):
            raise ArgumentError(
                "RecomputeOptimizer(optimizer)",
                "a tf.compat.v1.train.Optimizer",
                repr(optimizer),
                "Wrap the optimizer itself: RecomputeOptimizer(AdamOptimizer(1e-3)).",
            )
        super().__init__(use_locking=False, name=name)
        self._optimizer, self._checkpoints = optimizer, checkpoints

    def compute_gradients(self, loss: Any, var_list: Any = None, **options: Any) -> list:
        """Computes gradients as the wrapped optimizer does."""
        if callable(loss) or not isinstance(loss, tf.Tensor):
            raise ArgumentError(
                "RecomputeOptimizer.compute_gradients(loss)",
                "a tensor",
                repr(loss),
                "Pass the loss itself, in graph mode.",
            )
        xs = list(v1.trainable_variables() if var_list is None else var_list)
        xs = [part for x in xs for part in (list(x) if _tf.is_partitioned(x) else [x])]
        options = {key: value for key, value in options.items() if value is not None}
        with _Recomputed([loss], xs, self._checkpoints) as recomputed:
            pairs = self._optimizer.compute_gradients(loss, var_list=var_list, **options)
        return [(recomputed.gated(grad, variable), variable) for grad, variable in pairs]

    def apply_gradients(self, grads_and_vars: Any, *args: Any, **kwargs: Any) -> Any:
        """Applies gradients as the wrapped optimizer does."""
        return self._optimizer.apply_gradients(grads_and_vars, *args, **kwargs)

    def get_slot(self, var: Any, name: str) -> Any:
        """Returns the wrapped optimizer's slot."""
        return self._optimizer.get_slot(var, name)

    def get_slot_names(self) -> List[str]:
        """Returns the wrapped optimizer's slot names."""
        return self._optimizer.get_slot_names()

    def variables(self) -> list:
        """Returns the wrapped optimizer's state."""
        return self._optimizer.variables()


class _Recomputed:
    """A scope in which a backward pass is built; on leaving, it is made to recompute."""

    def __init__(self, ys, xs, checkpoints):
        self._graph = ys[0].graph
        self._forward = Forward(ys, xs)
        self._checkpoints = checkpoints
        self._checkpoint_names = self._tensors()

    def __enter__(self):
        self._before = len(self._graph.get_operations())
        return self

    def gated(self, grad, x):
        """Returns the gradient, which an update of x takes once no copy reads x any more."""
        if grad is None or not _tf.is_variable(x) or _tf.is_resource_variable(x):
            return grad
        readers = self._readers.get(_tf.handle_of(x).op)
        if not readers:
            return grad
        with self._graph.as_default(), v1.control_dependencies(readers):
            if isinstance(grad, tf.IndexedSlices):
                values = tf.identity(grad.values)
                return tf.IndexedSlices(values, grad.indices, grad.dense_shape)
            return tf.identity(grad)

    def __exit__(self, kind, error, trace):
        if kind is not None:
            return
        forward = self._forward
        backward = self._graph.get_operations()[self._before :]
        if any(op.type in _tf.CONTROL_FLOW for op in backward):
            self._readers = {}  # a copy could wait for an op of a branch that is not taken
            return
        uses = forward.uses_in(backward)
        if self._checkpoint_names is not None:
            kept, cuts = set(self._checkpoint_names), cuts_at(forward, self._checkpoint_names)
        else:
            dear = self._checkpoints == "speed"
            kept = set(forward.made_by(_DEAR) if dear else ())
            cuts = cuts_by_size(forward, uses, kept)
        self._readers = rewire(self._graph, forward, backward, uses, cuts, kept)

    def _tensors(self):
        """Returns the names of the checkpoints that were given, or None for a strategy."""
        checkpoints = self._checkpoints
        if checkpoints in ("memory", "speed") if isinstance(checkpoints, str) else False:
            return None
        if isinstance(checkpoints, str) and checkpoints == "collection":
            checkpoints = self._graph.get_collection(COLLECTION)
        elif isinstance(checkpoints, str) or not isinstance(checkpoints, (list, tuple, set)):
            raise ArgumentError(
                _PLACE,
                '"memory", "speed", "collection" or a list of tensors',
                repr(checkpoints),
                'Write checkpoints="memory", or checkpoints=[h1, h2].',
            )
        for checkpoint in checkpoints:
            if not isinstance(checkpoint, tf.Tensor) or checkpoint.graph is not self._graph:
                raise ArgumentError(
                    _PLACE,
                    "tensors of the graph of ys",
                    repr(checkpoint),
                    "Give activations between xs and ys.",
                )
        names = [
            checkpoint.name
            for checkpoint in checkpoints
            if checkpoint.name in self._forward.position
        ]
        if not names:
            raise ArgumentError(
                _PLACE,
                "at least one tensor between xs and ys that can be recomputed from",
                f"{[checkpoint.name for checkpoint in checkpoints]}",
                'Give activations outside of loops and branches, or checkpoints="memory".',
            )
        return names
