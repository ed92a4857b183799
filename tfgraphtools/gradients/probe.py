"""Values of gradients while a model trains, with the training left bit-identical."""

from typing import Any, Optional

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ProbeError
from tfgraphtools.gradients import _tensor_arguments
from tfgraphtools.gradients._tensor_arguments import nodes
from tfgraphtools.gradients._tensor_types import FeedDict, Nodes
from tfgraphtools.gradients.explaining.explain_gradient import explain_gradient
from tfgraphtools.gradients.overriding.set_gradient import missing_named
from tfgraphtools.gradients.slicing.scratch import scratch_copy, untouched
from tfgraphtools.gradients.slicing.slice import ALL, Slice

_PLACE = "GradientProbe(session, loss, xs)"

#: Stateful ops that a copy may run for itself: they touch no data of the training.
_OWN = (
    frozenset(
        [
            "Assert",
            "Placeholder",
            "Print",
            "PrintV2",
            "ReadVariableOp",
            "ResourceGather",
            "ResourceGatherNd",
            "VariableShape",
        ]
    )
    | _tf.CALLS
)


class GradientProbe:
    """Gradients of a loss, evaluated beside a training session and not in it.

    To fetch a gradient in a run of its own advances dropout, samplers, iterators
    and queues; to build one before a random op shifts that op's seed (TF 1.15).
    A probe does neither. It copies what the loss is computed from into a graph
    and a session of its own, and for each run reads the variables (which
    changes nothing) and takes the batch from you. No op is added to your graph,
    which may be finalized, so a probe can be made at any moment.

    The copy draws its own random numbers: under dropout the gradient is that of
    another mask than the training's, with the same distribution.

    Args:
      session: the training session; a MonitoredSession is read without its hooks.
      loss: a tensor.
      xs: a tensor (embeddings, images...) or variable, or a list of them.
      config: a `ConfigProto` for the probe's session.

    Example:
      >>> probe = GradientProbe(session, loss, embedded)
      >>> for batch in batches:
      ...     session.run(train_op, {x: batch})
      ...     direction = np.sign(probe.run({x: batch}))

    Raises:
      ProbeError: the gradient of an x is None (it says why), or the loss is
        computed from what a run writes.
    """

    def __init__(self, session: v1.Session, loss: tf.Tensor, xs: Nodes, config: Any = None) -> None:
        self._single = not isinstance(xs, (list, tuple))
        nodes(_PLACE, [loss], differentiable=True)
        xs = nodes(_PLACE, xs)
        _tensor_arguments.check_one_graph(_PLACE, [loss], xs)
        self._training = session._tf_sess() if hasattr(session, "_tf_sess") else session
        self._loss, self._graph = loss, loss.graph
        with untouched(self._graph):
            self._copy(xs)
        self._session = v1.Session(graph=self._scratch, config=config)

    def run(self, feed_dict: Optional[FeedDict] = None) -> Any:
        """Returns the gradients now, as dense NumPy arrays: a list, or one for a single x.

        Args:
          feed_dict: the batch, by the tensors of the training graph: its
            placeholders, or the outputs of its iterator or queue. What the loss
            does not need is left out.

        Raises:
          ProbeError: a placeholder, iterator or queue that the loss needs is not fed.
        """
        feeds = {
            self._graph.as_graph_element(key): value for key, value in (feed_dict or {}).items()
        }
        self._check_fed(feeds)
        values = self._training.run(self._reads)
        fed = {name + ":0": value for name, value in values.items()}
        for tensor, value in feeds.items():
            if tensor.op.name in self._needed:
                fed[self._renamed.get(tensor.name, tensor.name)] = value
        gradients = self._session.run(self._gradients, fed)
        return gradients[0] if self._single else gradients

    def close(self) -> None:
        """Closes the probe's session."""
        self._session.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _copy(self, xs):
        part = Slice(self._graph, ALL, [self._loss])
        self._needed = {op.name for op in part.ops}
        variables = [op for op in part.ops if op.type in _tf.VARIABLES]
        self._refuse_writes(part, variables)
        self._sources = {op.name for op in part.ops if is_source(op)}
        specs = {op: _variable_spec(op) for op in variables}
        handles = {op.outputs[0].name: specs[op] for op in variables if op.type == "VarHandleOp"}
        placeholders = [(op,) + specs[op] for op in variables]
        ops = [op for op in part.ops if op.name not in self._sources]
        self._scratch, self._renamed = scratch_copy(
            self._graph, ops, part.definitions(), handles, placeholders
        )
        self._reads = {op.name: self._read_of(op) for op in variables}
        self._gradients = self._differentiate(xs)

    def _differentiate(self, xs):
        inside = []
        for x in xs:
            tensor = _tf.handle_of(x) if _tf.is_variable(x) else x
            if tensor.op.name not in self._needed:
                raise self._no_gradient(x)
            inside.append(self._inside(tensor))
        with self._scratch.as_default():
            with missing_named(self._scratch):
                gradients = v1.gradients(self._inside(self._loss), inside)
            for x, gradient in zip(xs, gradients):
                if gradient is None:
                    raise self._no_gradient(x)
            return [tf.convert_to_tensor(gradient) for gradient in gradients]

    def _inside(self, tensor):
        return self._scratch.get_tensor_by_name(self._renamed.get(tensor.name, tensor.name))

    def _no_gradient(self, x):
        explanation = explain_gradient(self._loss, x)
        why = "; ".join(str(blocker) for blocker in explanation.blockers(x))
        return ProbeError(
            _PLACE,
            "an x with a gradient",
            f"none for {x.name!r}: {why}",
            "print(explain_gradient(loss, x)) shows the whole path.",
        )

    def _refuse_writes(self, part, variables):
        """Refuses a loss that reads what its own run has written."""
        read = set(variables)
        for op in _tf.upstream_ops([self._loss], controls=True):
            written = {
                variable
                for handle in _tf.written_handles(op)
                for variable in _tf.variables_behind(handle)
            }
            if written & read:
                raise ProbeError(
                    _PLACE,
                    "a loss that only reads variables",
                    f"op {op.name!r} of type {op.type}, which writes "
                    f"{min(v.name for v in written & read)!r} before the loss reads it",
                    "Probe a loss that is not under that control dependency.",
                )

    def _read_of(self, op):
        """Returns a tensor of the training graph that reads a variable, and does nothing else."""
        read = _tf.read_outside(op)
        if read is None:
            raise ProbeError(
                _PLACE,
                "a read of every variable outside of control flow",
                f"none of {op.name!r}",
                "Build v.value() before the graph is final.",
            )
        return read

    def _check_fed(self, feeds):
        """Raises for a source of data that the loss reaches and no feed covers."""
        covered, seen, waiting = {t.name for t in feeds}, set(), [self._loss]
        while waiting:
            tensor = waiting.pop()
            if tensor.name in covered or tensor.name in seen:
                continue
            seen.add(tensor.name)
            if tensor.op.name in self._sources or tensor.op.type == "Placeholder":
                raise ProbeError(
                    "GradientProbe.run(feed_dict)",
                    f"a value for {tensor.name!r} ({tensor.op.type})",
                    "none in feed_dict",
                    "Fetch the batch with the training step and feed it here, so that the probe "
                    "takes nothing from the training's data.",
                )
            waiting.extend(tensor.op.inputs)


def is_source(op):
    """Returns True for an op that hands out data or acts outside: it must be fed, not run again."""
    if not _tf.is_stateful(op) or op.type in _tf.VARIABLES | _OWN or _tf.is_random(op):
        return False
    return not op.type.startswith(("TensorArray", "Stack", "TensorList"))


def _variable_spec(op):
    """Returns (dtype enum, shape) of a variable, by its op."""
    return op.get_attr("dtype").as_datatype_enum, tf.TensorShape(op.get_attr("shape"))
