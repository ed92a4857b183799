"""Summaries for TensorBoard: variables, gradients, update ratios, learning rates."""

from typing import Any, List, Optional

import numpy as np

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError
from tfgraphtools.training import _arguments, _types
from tfgraphtools.training.learning_rates import learning_rates
from tfgraphtools.training.steps import indexed_slices as _slices


def add_summaries(
    grads_and_vars: _types.Pairs, rates: Any = None, collections: Optional[List[str]] = None
) -> _types.Tensor:
    """Adds summary ops that ``tf.compat.v1.summary.merge_all`` and the stock hooks take up.

    Tags: ``variables/<name>`` and ``gradients/<name>``, histograms of the finite
    elements; ``gradients_not_finite/<name>``, how many others there are;
    ``rates/<label>``. Fetched with a step, a variable's histogram may be from
    before or after it; `SummaryHook` is exact, and has update ratios too.

    It does nothing unless the summaries are fetched, and no histogram for a
    gradient of None. Of a sparse gradient it shows the rows that are there.

    Args:
      grads_and_vars: list of (gradient, variable) as `compute_gradients` returns it.
      rates: ``{label: scalar tensor}``, or an optimizer: see `learning_rates`.
      collections: of the graph to add the ops to; None is ``[GraphKeys.SUMMARIES]``.

    Returns:
      The op that merges these summaries: a scalar string tensor.

    Example:
      >>> pairs = optimizer.compute_gradients(loss)
      >>> train_op = optimizer.apply_gradients(pairs)
      >>> summary = add_summaries(pairs, rates=optimizer)

    Raises:
      ArgumentError: no variables; a rate that is no scalar.
      OptimizerKindError: an optimizer without a learning rate.
    """
    pairs = _checked(grads_and_vars, "add_summaries")
    with v1.name_scope("summaries"):
        ops = _histograms([v for _, v in pairs]) + _of_gradients(pairs) + _of_rates(_named(rates))
        for collection in [v1.GraphKeys.SUMMARIES] if collections is None else collections:
            for op in ops:
                v1.add_to_collection(collection, op)
        return v1.summary.merge(ops, collections=[])


class SummaryHook(v1.train.SessionRunHook):
    """Writes summaries of every n-th run, each of a definite moment of it.

    Gradients are those of the run; learning rates are read before it, with its
    feeds; variables are read after it; ``update_ratio/<name>`` is the norm of
    what the run added to a variable over the variable's norm before. The other
    tags are those of `add_summaries`.

    It does nothing in the other runs, and costs nothing there. What it has written is in the file
    as the run ends: an error or a kill loses none.

    Args:
      directory: of the event file, shared with other summary hooks there.
      grads_and_vars: list of (gradient, variable) as `compute_gradients` returns it.
      rates: ``{label: scalar tensor}``, or an optimizer: see `learning_rates`.
      every: summarise one run in this many, an int.

    Example:
      >>> pairs = optimizer.compute_gradients(loss)
      >>> train_op = optimizer.apply_gradients(pairs, global_step=global_step)
      >>> hook = SummaryHook("logs", pairs, rates=optimizer)

    Raises:
      ArgumentError: no variables, or ``every`` is no int of at least 1; when the session begins:
        a rate that is no scalar.
      OptimizerKindError: when the session begins: an optimizer without a rate.
    """

    def __init__(
        self, directory: str, grads_and_vars: _types.Pairs, rates: Any = None, every: int = 100
    ) -> None:
        self._directory = str(directory)
        self._pairs = _checked(grads_and_vars, "SummaryHook")
        self._every = _arguments.check_count("SummaryHook every", every)
        self._given_rates = rates
        self._variables = {v.op.name: v for _, v in self._pairs}
        self._of_gradients = self._of_variables = self._global_step = self._writer = None
        self._rates = {}
        self._runs = 0
        self._before = None  # in a run that is summarised: (values, rates)

    def begin(self) -> None:
        """Builds the summary ops."""
        self._global_step = v1.train.get_global_step()
        self._writer = v1.summary.FileWriterCache.get(self._directory)
        with v1.name_scope("SummaryHook"):
            self._rates = _named(self._given_rates)
            gradients = _of_gradients(self._pairs)
            self._of_gradients = v1.summary.merge(gradients) if gradients else tf.constant(b"")
            self._of_variables = v1.summary.merge(_histograms(self._variables.values()))

    def after_create_session(self, session: v1.Session, coord: Any) -> None:
        """Tells TensorBoard where the session begins: it hides what a lost one wrote beyond."""
        if self._global_step is not None:
            step = session.run(self._global_step)
            started = v1.SessionLog(status=v1.SessionLog.START)
            self._writer.add_session_log(started, step)
            self._writer.flush()

    def before_run(
        self, run_context: v1.train.SessionRunContext
    ) -> Optional[v1.train.SessionRunArgs]:
        """Reads the rates, and the variables as they are; asks for the gradients."""
        self._runs += 1
        self._before = None
        if self._runs % self._every == 0:
            feed = run_context.original_args.feed_dict
            self._before = run_context.session.run([self._variables, self._rates], feed)
            return v1.train.SessionRunArgs(self._of_gradients)

    def after_run(
        self, run_context: v1.train.SessionRunContext, run_values: v1.train.SessionRunValues
    ) -> None:
        """Reads the variables again and writes all of it."""
        if self._before is None:
            return
        session = run_context.session
        old, rates = self._before
        new, histograms = session.run([self._variables, self._of_variables])
        step = self._runs if self._global_step is None else session.run(self._global_step)
        scalars = {f"update_ratio/{name}": _ratio(old[name], new[name]) for name in new}
        scalars.update((f"rates/{label}", rate) for label, rate in rates.items())
        for summary in (run_values.results, histograms, _scalars(scalars)):
            self._writer.add_summary(summary, step)
        self._writer.flush()  # an error or a kill calls no `end`

    def end(self, session: v1.Session) -> None:
        """Writes what is left to the file."""
        self._writer.flush()


def _histograms(variables):
    return [_histogram(f"variables/{v.op.name}", v.read_value()) for v in variables]


def _of_gradients(pairs):
    ops = []
    for grad, variable in pairs:
        if grad is not None:
            name, values = variable.op.name, _wide(_slices.values_of(grad))
            count = tf.math.count_nonzero(tf.math.logical_not(tf.math.is_finite(values)))
            ops.append(_histogram(f"gradients/{name}", values))
            ops.append(_scalar(f"gradients_not_finite/{name}", count))
    return ops


def _of_rates(rates):
    return [_scalar(f"rates/{label}", rate) for label, rate in rates.items()]


# The ops themselves, as tf.summary's functions would put the current name scope
# into the tag, or a number after it.


def _histogram(tag, values):
    """Returns a histogram of the finite elements: the op fails on the others."""
    with _tf.colocate_with(values):
        flat = tf.reshape(_wide(values), [-1])
        finite = tf.boolean_mask(flat, tf.math.is_finite(flat))
    return tf.raw_ops.HistogramSummary(tag=tag, values=finite)


def _wide(values):
    """Returns the values in a dtype that every kernel takes."""
    return values if values.dtype.size >= 4 else tf.cast(values, tf.float32)


def _scalar(tag, value):
    return tf.raw_ops.ScalarSummary(tags=tag, values=tf.cast(value, tf.float32))


def _scalars(values):
    summary = v1.Summary()
    for tag, value in values.items():
        summary.value.add(tag=tag, simple_value=float(value))
    return summary


def _ratio(old, new):
    """Returns the norm of the difference over that of the old value; infinite from zeros."""
    old, new = np.asarray(old, np.float64), np.asarray(new, np.float64)
    moved, size = np.linalg.norm(new - old), np.linalg.norm(old)
    return moved / size if size else (np.inf if moved else 0.0)


def _named(rates):
    if rates is None:
        return {}
    if isinstance(rates, v1.train.Optimizer):
        return learning_rates(rates)
    named = {}
    for label, rate in rates.items():
        named[label] = tf.convert_to_tensor(rate)
        _arguments.check_shown(f"rates {label!r}", named[label])
    return named


def _checked(grads_and_vars, place):
    pairs = [tuple(pair) for pair in grads_and_vars]
    if not pairs:
        raise ArgumentError(
            place, "(gradient, variable) pairs", "none", "Pass optimizer.compute_gradients(loss)."
        )
    return pairs
