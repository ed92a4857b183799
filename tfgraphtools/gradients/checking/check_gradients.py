"""Gradients against numbers, with a verdict instead of one number: `check_gradients`."""

import contextlib
from typing import Any, Optional, Sequence

import numpy as np

from tfgraphtools import _tf, select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError, ReplaceError
from tfgraphtools.gradients import _tensor_arguments
from tfgraphtools.gradients._tensor_arguments import nodes
from tfgraphtools.gradients._tensor_types import FeedDict, Nodes
from tfgraphtools.gradients.checking.check_report import Report, Result
from tfgraphtools.gradients.checking.diagnose import (
    COARSE,
    DISCONNECTED,
    JUMP,
    KINK,
    MATCH,
    MISMATCH,
    PRECISIONS,
    ROUNDOFF,
    STOCHASTIC,
    SURROGATE,
)
from tfgraphtools.gradients.checking.evaluate import Evaluator, precision_of
from tfgraphtools.gradients.checking.weighted_sums import confirmed, weightings
from tfgraphtools.gradients.checking.wide import WideCopy
from tfgraphtools.gradients.checking.worst_direction import Search, moves
from tfgraphtools.gradients.explaining.explain_gradient import explain_gradient
from tfgraphtools.gradients.nonfinite import first_nonfinite
from tfgraphtools.gradients.overriding.set_gradient import missing_named
from tfgraphtools.gradients.replace import graph_replace

_PLACE = "check_gradients(y, xs)"


def check_gradients(
    y: tf.Tensor,
    xs: Nodes,
    feed_dict: Optional[FeedDict] = None,
    session: Optional[v1.Session] = None,
    expect_surrogate: Any = None,
    steps: Optional[Sequence[float]] = None,
    tolerance: Optional[float] = None,
    max_elements: int = 200,
    directions: int = 20,
    seed: int = 0,
) -> Report:
    """Compares the gradient of y with numeric derivatives at several step sizes.

    Does not change variables. Adds the backward ops that it needs to the graph,
    so it is for tests and for graphs that are not finalized.

    Args:
      y: a tensor of a float or complex dtype and any shape. Checked is the gradient
        of its sum, and, where that is right, of a sum with fixed random weights;
        for a complex y and x by TF's convention, real and imaginary part each.
      xs: a tensor or variable, or a list of them; each is checked at the value
        that it has now (a resource variable at all its reads), each slice of a
        partitioned variable by itself.
      feed_dict: as for ``Session.run``.
      session: a session with initialised variables; if None, one is opened and
        the variables are initialised.
      expect_surrogate: for straight-through functions: what the gradient of
        ``sum(y)`` is meant to be, as a number, an array, or a function of the
        value of x; or True for any. Where it is so, "jump" and "surrogate" are
        no longer wrong.
      steps: the step sizes, falling, in units of ``max(1, |x|)``. If None, they
        are chosen by x and its dtype, and taken until the answer is sure.
      tolerance: the relative tolerance; by dtype if None: 1e-6 for float64, 1e-3 for float32,
        0.03 for float16 and 0.1 for bfloat16. In half precision an error of 1% is less than
        rounding. It is found in a copy of y and its gradient in double precision; where an op has
        none, and for errors of 1% in bfloat16, the verdict is "roundoff" in place of "match".
      max_elements: an x of more elements is checked along ``directions`` random
        directions instead of element by element.
      seed: of the weights and directions.

    Returns:
      A `Report`: ``print`` it, ask ``report.verdict(x)``, or call
      ``report.raise_if_wrong()`` in a test. The verdicts: "match"; "kink" (two
      slopes, the gradient between them); "roundoff" (too little precision to
      tell); "surrogate" (y is flat here, the gradient is not 0); "jump" (with
      its size); "stochastic" (y differs from run to run); "disconnected" (the
      gradient is None); "mismatch".

    Example:
      >>> check_gradients(loss, [w, b], {x: batch}, session).raise_if_wrong()

    Raises:
      ArgumentError: y or an x is not of a float or complex dtype, or is in the body of a
        function, loop or branch, or the graph is finalized.

    Central differences, extrapolated: Ridders, 1982, "Accurate computation of F'(x)
    and F'(x) F''(x)"; Press et al., "Numerical Recipes", section 5.7.
    """
    nodes(_PLACE, [y])
    xs = nodes(_PLACE, select.expand(_tensor_arguments.listed(xs)))
    _tensor_arguments.check_one_graph(_PLACE, [y], xs)
    graph = y.graph
    for tensor in [y] + xs:
        if tensor.dtype.base_dtype.name not in PRECISIONS:
            raise ArgumentError(
                _PLACE,
                "tensors of a float or complex dtype",
                f"{tensor.name!r} of dtype {tensor.dtype.base_dtype.name}",
                "Check with respect to the float tensors around it.",
            )
    _check_that_it_runs([y] + xs)
    if graph.finalized:
        raise ArgumentError(
            _PLACE,
            "a graph that takes ops",
            "a finalized graph",
            "Check before the graph is finalized.",
        )
    with graph.as_default(), _tf.feedability_kept(graph):
        points = [_Point(y, x) for x in xs]
        initialize = v1.global_variables_initializer() if session is None else None
    opened = session or v1.Session(graph=graph)
    try:
        if initialize is not None:
            opened.run(initialize, feed_dict)
        settings = steps, tolerance, max_elements, directions, seed, expect_surrogate
        return Report(y.name, [point.check(opened, feed_dict, *settings) for point in points])
    finally:
        if session is None:
            opened.close()


def _check_that_it_runs(tensors):
    """Raises if a session cannot run one of these: it is in a body, or beside half a loop."""
    for tensor in tensors:
        start = _tf.handle_of(tensor) if _tf.is_variable(tensor) else tensor
        in_function = getattr(start.graph, "outer_graph", None) is not None
        if in_function or _tf.in_legacy_function(start.graph):
            body = f"the function body {start.graph.name!r}"
        elif _tf.current_context(start.graph) is not None:
            body = "a graph whose loop or branch of control flow v1 is being built"
        elif start.graph.is_fetchable(start.op):
            continue
        else:
            body = "the body of a loop or branch of control flow v1"
        raise ArgumentError(
            _PLACE,
            "a y and xs that a session can run",
            f"{tensor.name!r} in {body}",
            "Check outside of the body: return y from it, and check what the call, loop or branch "
            "returns with respect to what goes in.",
        )


class _Point:
    """One x: how to evaluate y and the gradient at values of it."""

    def __init__(self, y, x):
        self._x, self._y = x, y
        self._dtype = x.dtype.base_dtype
        self._fed, self._at = x, y
        self._feed_a_copy(x, y)
        self._weights = v1.placeholder(y.dtype.base_dtype, None, name="check/weights")
        with tf.name_scope("check"):
            weights = tf.reshape(self._weights, tf.shape(self._at))
            with missing_named(y.graph):
                gradient = _tf.gradients(self._at, self._fed, weights)[0]
            self._gradient = None if gradient is None else tf.convert_to_tensor(gradient)

    def _feed_a_copy(self, x, y):
        """Makes y a function of a placeholder.

        Feeding a variable reaches one of its reads only, and TF cannot
        differentiate a branch of control flow v2 that a session has run.
        """
        value = v1.placeholder(self._dtype, x.shape, name="check/value")
        key = x.ref() if hasattr(x, "ref") else x
        try:
            self._at, self._fed = graph_replace(y, {key: value}, name="check/replaced"), value
        except ReplaceError:
            if _tf.is_variable(x) and explain_gradient(y, x).verdict(x) == "live":
                raise

    def check(
        self, session, feed_dict, steps, tolerance, max_elements, directions, seed, surrogate
    ):
        feed_dict = feed_dict or {}
        value = np.asarray(session.run(self._x, feed_dict))
        if self._gradient is None:
            blockers = explain_gradient(self._y, self._x).blockers(self._x)
            return Result(self._x.name, DISCONNECTED, advice="; ".join(map(str, blockers)))
        evaluate = Evaluator(session, self._at, self._fed, feed_dict, value)
        if evaluate.is_stochastic():
            return Result(self._x.name, STOCHASTIC)
        if not value.size:
            return Result(self._x.name, MATCH)
        random = np.random.RandomState(seed)
        own = precision_of(*self._dtypes())

        def gradient_at(at, weights):
            return evaluate.gradient(self._gradient, weights, self._weights, at)

        chosen, tolerance = tolerance, tolerance or own.tolerance
        with self._wide_copy(session, feed_dict) as copy:
            copy = copy if copy is not None and evaluate.use(copy, own.tolerance) else None
            checked = weightings(evaluate, gradient_at, copy, own, tolerance, random)
            precision = own if copy is None else PRECISIONS["float64"]
            search = Search(evaluate, checked, steps, precision)
            search.add(moves(value, checked[0].gradient, max_elements, directions, random))
            finding = search.worst(0)
            if surrogate is None and finding[0] in (MATCH, KINK, ROUNDOFF):
                is_coarse = own.epsilon > COARSE and not chosen
                finding = confirmed(finding, search, checked, own.epsilon if is_coarse else 0)
        wrong, verdict = None, finding[0]
        if surrogate is not None and verdict in (JUMP, SURROGATE, MATCH):
            wrong = not _is_expected(surrogate, value, checked[0].gradient, tolerance)
            verdict = MISMATCH if wrong else verdict
        advice = "" if np.isfinite(finding[2]) else self._cause_of_nan(session, feed_dict)
        return Result(self._x.name, verdict, *finding[1:], wrong, advice, len(search))

    def _cause_of_nan(self, session, feed_dict):
        """Returns advice about what makes the gradient NaN; "" if that is unknown."""
        try:
            cause = first_nonfinite(self._y, self._x, feed_dict, session)
        except Exception:  # pylint: disable=broad-except  # a graph that cannot be copied
            cause = None
        if cause is None:
            return ""
        advice = f"{cause}."
        if cause.origin != "op":
            return advice
        op = self._y.graph.get_operation_by_name(cause.forward_name)
        behind = _tf.downstream_ops(op.outputs, _tf.upstream_ops([self._y]))
        if any(user.type in ("Select", "SelectV2") for user in behind):
            advice += (
                " tf.where differentiates the branch that it does not take, too, and 0 * inf is "
                "NaN: give that branch a safe input, tf.where(ok, f(tf.where(ok, x, 1.0)), 0.0)."
            )
        return advice

    def _dtypes(self):
        """Returns the dtypes of x, of y and of what is between, which may round more."""
        fed = _tf.handle_of(self._fed) if _tf.is_variable(self._fed) else self._fed
        between = _tf.downstream_ops([fed], _tf.upstream_ops([self._at]))
        dtypes = {tensor.dtype.base_dtype for op in between for tensor in op.outputs}
        own = {self._dtype, self._y.dtype.base_dtype}
        return own | {dtype for dtype in dtypes if dtype.name in PRECISIONS}

    @contextlib.contextmanager
    def _wide_copy(self, session, feed_dict):
        """Opens the `WideCopy`, or None where y has none."""
        copy = None
        if not self._dtypes() <= {tf.float64, tf.complex128}:
            for backward in ((self._gradient, self._weights), ()):
                try:
                    with self._y.graph.as_default():
                        copy = WideCopy(self._at, self._fed, session, feed_dict, backward)
                    break
                except Exception:  # pylint: disable=broad-except  # no op in double precision
                    copy = None
        try:
            yield copy
        finally:
            if copy is not None:
                copy.close()


def _is_expected(surrogate, value, gradient, tolerance):
    if surrogate is True:
        return True
    wanted = surrogate(value) if callable(surrogate) else surrogate
    return np.allclose(
        gradient, np.broadcast_to(wanted, gradient.shape), rtol=tolerance, atol=tolerance
    )
