"""At each `tf.gradients` of a test, the same through each tool; compared when the test runs.

TensorFlow's answer goes to the test unchanged. The copies are built when a session first runs the
graph, so that names and seeds of what the test builds before stay as they are.
"""

import sys

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import func_graph, indexed_slices
from tensorflow.python.ops import gradient_checker, gradients_impl

from tfgraphtools import _tf, gradients
from tfgraphtools.errors import TfgraphtoolsError

#: Ops that a run moves on, or that wait: values behind them are not fetched apart.
_STATE = (
    "Queue", "FIFO", "Iterator", "OneShot", "PyFunc", "EagerPyFunc", "Random", "Truncated",
    "Barrier", "Stage", "Unstage", "Print", "Reader", "Recv", "Stateful",
)  # fmt: skip


class Asking:
    """The calls of `tf.gradients` of each graph, and the pairs of tensors to compare."""

    def __init__(self, log):
        self._log, self._calls, self._pairs, self.busy = log, {}, {}, False

    def called(self, ys, xs, options, result, error):
        """Notes one call of a test, or looks at once at one that raised."""
        self._log.event("asked", "tf.gradients")
        ys, xs = _listed(ys), _listed(xs)
        if error is not None:
            self._verdicts(ys, xs, options, None, error)
        elif not isinstance(ys[0].graph, func_graph.FuncGraph):
            self._calls.setdefault(ys[0].graph, []).append((ys, xs, options, result))

    def before_run(self, session, feed_dict):
        """Builds what is to be compared, and compares what this feed allows."""
        self.busy = True
        graph = session.graph
        was_final = graph.finalized
        try:
            if was_final:
                graph._unsafe_unfinalize()
            for call in self._calls.pop(graph, ()):
                self._build(graph, *call)
            self._compare(session, feed_dict)
        finally:
            if was_final:
                graph.finalize()
            self.busy = False

    def _tool(self, name, work):
        try:
            return work()
        except TfgraphtoolsError as error:
            self._log.event("refused", f"{name}: {error}")
        except Exception as error:  # pylint: disable=broad-except  # what is looked for
            self._log.event("raw error", f"{name}: {type(error).__name__}: {error}")
        return None

    def _build(self, graph, ys, xs, options, result):
        with graph.as_default(), tf.control_dependencies(None), graph.name_scope("through"):
            zero = self._verdicts(ys, xs, options, result, None)
            pairs = [(label, one, None) for label, one in zero]
            theirs = [one for one in result if one is not None]
            again = self._tool(
                "recompute", lambda: gradients.recompute_gradients(ys, xs, **options)
            )
            pairs += self._matched("recompute", result, again)
            stopped = options.get("stop_gradients") is not None  # they are not those of the copy
            moved = None
            if theirs and not stopped:
                moved = self._tool("replace", lambda: _replaced(ys, xs, result))
            if moved is not None:
                pairs += [("replace y", y, one) for y, one in zip(ys, moved)]
                again = self._tool(
                    "replace", lambda: gradients_impl.gradients(moved, xs, **options)
                )
                pairs += self._matched("replace", result, again)
        self._pairs.setdefault(graph, []).extend(
            [label, one, other, 3]
            for label, one, other in pairs
            if not _has_state(one) and getattr(one, "dense_shape", 0) is not None
        )

    def _matched(self, name, theirs, ours):
        """(label, TensorFlow's gradient, ours) of those that both have."""
        for number, (one, other) in enumerate(zip(theirs, ours or ())):
            if (one is None) != (other is None):
                self._log.event("value", f"{name}: {other} for {one}")
            elif one is not None:
                yield f"{name} {number}", one, other

    def _verdicts(self, ys, xs, options, result, error):
        """Asks `explain_gradient`; returns [(label, gradient that must be zeros)]."""
        if len(ys) > 1 or options.get("stop_gradients") is not None:
            return []
        if ys[0].dtype.is_complex and options.get("grad_ys") is not None:
            return []  # which is what makes it differentiable
        explanation = self._tool("explain", lambda: gradients.explain_gradient(ys[0], xs))
        zero = []
        for number, x in enumerate(xs if explanation is not None else ()):
            verdict = explanation.verdict(x)
            self._log.event("verdict asked", verdict)
            if error is not None:
                right = verdict == "none" or len(xs) > 1 or options.get("grad_ys") is not None
            else:
                right = (result[number] is None) == (verdict == "none")
            if not right:
                says = error if error is not None else result[number]
                self._log.event("verdict", f"{verdict} for {x.name!r}: {says!r}")
            elif verdict == "zero":
                zero.append((f"zero {x.name}", result[number]))
        return zero

    def _compare(self, session, feed_dict):
        left = []
        for label, one, other, tries in self._pairs.pop(session.graph, ()):
            one, dense = _dense(one), _dense(other)
            try:
                values = session.run([one, one if dense is None else dense], feed_dict)
            except Exception as error:  # pylint: disable=broad-except  # not fed, not initialised
                if tries > 1:
                    left.append([label, one, other, tries - 1])
                elif _runs(session, one, feed_dict):
                    self._log.event("raw error", f"run of {label}: {error!r}")
                continue
            values[1] = np.zeros_like(values[0]) if dense is None else values[1]
            self._log.event("compared", label.split(" ")[0])
            if _is_same(*values) or self._is_unsteady(session, one, values, feed_dict):
                continue
            # An Identity before an x delays its gradient, which is then added in another order.
            kind = "last bits" if label.startswith("replace") and _is_close(*values) else "value"
            self._log.event(kind, "{}: {!r} for {!r}".format(label, *values[::-1]))
        self._pairs[session.graph] = left

    @staticmethod
    def _is_unsteady(session, tensor, values, feed_dict):
        """Tells whether it is the tensor itself whose last bits differ from run to run."""
        runs = [session.run(tensor, feed_dict) for _ in range(8)]
        return np.allclose(*values, rtol=1e-5) and not all(_is_same(runs[0], run) for run in runs)


def _listed(values):
    return list(values) if isinstance(values, (list, tuple)) else [values]


def _replaced(ys, xs, result):
    """The ys with each x replaced by its own value."""
    connected = [
        x
        for x, one in zip(xs, result)
        if one is not None and _tf.has_gradients(x.dtype)  # an integer's ends at the first op
    ]
    if not connected:
        return ys
    return gradients.graph_replace(ys, {x: tf.identity(x) for x in connected})


def _has_state(value):
    ops = _tf.upstream_ops(value if isinstance(value, list) else _parts(value), controls=True)
    return any(op.type.startswith(_STATE) or _tf.writes(op) for op in ops)


def _parts(value):
    if isinstance(value, indexed_slices.IndexedSlices):
        return [value.values, value.indices]
    return [value]


def _dense(value):
    return None if value is None else tf.convert_to_tensor(value)


def _runs(session, tensor, feed_dict):
    try:
        session.run(tensor, feed_dict)
        return True
    except Exception:  # pylint: disable=broad-except  # TensorFlow's own answer
        return False


def _is_same(value, other):
    """Compares bits, but for the sign of zeros and the kind of NaNs."""
    value, other = np.asarray(value), np.asarray(other)
    nan = value != value
    return (
        value.shape == other.shape
        and np.array_equal(nan, other != other)
        and np.array_equal(value[~nan], other[~nan])
    )


def _is_close(value, other):
    """Tells whether two arrays differ by the rounding of a few sums at most."""
    value, other = np.asarray(value), np.asarray(other)
    if value.shape != other.shape or value.dtype.kind not in "fc":
        return False
    bound = 8 * np.finfo(value.dtype).eps * np.max(np.abs(value), initial=0)
    return np.allclose(value, other, rtol=0, atol=bound, equal_nan=True)


def install(log):
    """Patches `tf.gradients` and the checks of gradients; returns the `Asking`."""
    asking, original = Asking(log), gradients_impl.gradients

    def through(ys, xs, *arguments, **options):
        if asking.busy:
            return original(ys, xs, *arguments, **options)
        result = error = None
        options.update(zip(("grad_ys", "name"), arguments))
        try:
            result = original(ys, xs, **options)
            return result
        except Exception as raised:
            error = raised
            raise
        finally:
            known = {key: value for key, value in options.items() if key != "name"}
            tensors = all(isinstance(y, tf.Tensor) for y in _listed(ys))
            if tensors and not tf.executing_eagerly():
                asking.busy = True
                try:
                    asking.called(ys, xs, known, result, error)
                finally:
                    asking.busy = False

    _everywhere(original, through)
    _everywhere(
        gradient_checker.compute_gradient_error,
        _checked(log, asking, gradient_checker.compute_gradient_error),
    )
    return asking


def _checked(log, asking, original):
    def compute_gradient_error(x, x_shape, y, y_shape, x_init_value=None, delta=1e-3, **options):
        theirs = original(x, x_shape, y, y_shape, x_init_value, delta, **options)
        feeds = dict(options.get("extra_feed_dict") or {})
        given = x_init_value if x_init_value is not None else [None] * len(_listed(x))
        shapes = x_shape if isinstance(x, (list, tuple)) else [x_shape]
        for one, shape, value in zip(_listed(x), shapes, _listed(given)):
            if value is None and isinstance(one, tf.Tensor):  # TensorFlow draws one, too
                value = np.random.RandomState(0).uniform(size=shape)
            if value is not None:
                feeds[one] = value
        session = tf.compat.v1.get_default_session()
        asking.busy = True
        try:
            report = asking._tool(
                "check", lambda: gradients.check_gradients(y, _listed(x), feeds, session)
            )
        finally:
            asking.busy = False
        if report is not None:
            log.event("check asked", report.ok)
            wrong = "blames" if not report.ok and theirs < 1e-3 else ""
            wrong = "accepts" if report.ok and not theirs < 0.5 else wrong
            if wrong:
                log.event("verdict", f"check {wrong}: {theirs}, {report}")
        return theirs

    return compute_gradient_error


def _everywhere(original, patched):
    """Puts one function for another in all modules that have it by its name."""
    for module in list(sys.modules.values()):
        name = getattr(module, "__name__", "")
        if name.startswith("tensorflow") and vars(module).get(original.__name__) is original:
            setattr(module, original.__name__, patched)
