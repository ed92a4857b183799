"""The answers for some xs: also where y is in the body of a function and x is outside of it.

`tf.gradients` goes on from what the body captured. So the way from y to x is that from y to
each captured tensor, and on from there.
"""

from tfgraphtools import _tf
from tfgraphtools.gradients.explaining import causes
from tfgraphtools.gradients.explaining.answer import Answer
from tfgraphtools.gradients.explaining.flow import Flow
from tfgraphtools.gradients.explaining.verdicts import at_once
from tfgraphtools.gradients.explaining.verdicts.verdict import LIVE, NONE, UNKNOWN, ZERO, Verdicts
from tfgraphtools.gradients.slicing.scratch import untouched


def answers(y, xs):
    """Returns the answer for each x, as `Answer` has it."""
    error = at_once.error_of_y(y)
    unchecked = _answers_from(y, xs)
    for answer in unchecked:
        if error is not None:
            answer.verdict, answer.error, answer.tree = NONE, answer.error or error, None
            if y.dtype.is_complex:
                answer.blockers = [causes.Blocker(causes.COMPLEX, detail=error)]
    return unchecked


def _answers_from(y, xs):
    """Returns the answers for a gradient of y that is given."""
    with untouched(y.graph):
        starts = [_tf.handle_of(x) if _tf.is_variable(x) else x for x in xs]
        ways = [_ways(y.graph, start) for start in starts]
        inner = [tensor for way in ways for tensor, _ in way if _tf.has_gradients(tensor.dtype)]
        free = {op.name for op in _tf.downstream_ops(inner)} | {tensor.op.name for tensor in inner}
        flow, verdicts = Flow(y, free), Verdicts(y, free)
        if _tf.has_gradients(y.dtype):
            verdicts.ask([tensor for tensor in inner if flow.reached_from(((), tensor.name))])
        return [
            _answer(flow, verdicts, y, x, start, way) for x, start, way in zip(xs, starts, ways)
        ]


def _answer(flow, verdicts, y, x, start, ways):
    if start.graph is y.graph or not ways or not _tf.has_gradients(x.dtype):
        return Answer(flow, verdicts, y, x, start)
    parts = []
    for inner, outer in ways:
        parts.append([Answer(flow, verdicts, y, x if outer is None else inner, inner)])
        if outer is not None and parts[-1][0].verdict != NONE:
            parts[-1].extend(_answers_from(outer, [x]))
    return _Joined(x, y, start, parts)


def _ways(graph, start):
    """Returns [(tensor by which x comes into the graph, outer tensor, or None for x)]."""
    if start.graph is graph:
        return [(start, None)]
    ways, downstream = [], _tf.downstream_ops([start])
    for outer, inner in _tf.captures_of(graph):
        if outer is start:
            ways.append((inner, None))
        elif outer.graph is start.graph and outer.op in downstream:
            ways.append((inner, outer))
        elif outer.graph is not start.graph and _ways(outer.graph, start):
            ways.append((inner, outer))
    return ways


class _Joined:
    """The answer for an x outside of the body of y, from the answers on the ways to it.

    Args:
      parts: for each way a list of answers, from y outward.
    """

    def __init__(self, x, y, start, parts):
        self.name = x.name
        states = [_state(part) for part in parts]
        errors = [answer.error for part in parts for answer in part if answer.error]
        self.error = at_once.error_of_graphs(y, start) or (errors[0] if errors else None)
        self.verdict = NONE
        if not self.error:
            self.verdict = next((s for s in (UNKNOWN, LIVE, ZERO) if s in states), NONE)
        first = parts[states.index(self.verdict)] if self.verdict in states else parts[0]
        ordered = first + [answer for part in parts if part is not first for answer in part]
        self.tree = next((answer.tree for answer in ordered if answer.tree), None)
        self.blockers = list({str(b): b for answer in ordered for b in answer.blockers}.values())


def _state(part):
    """Returns the verdict of one way: the gradient must pass all of it."""
    verdicts = [answer.verdict for answer in part]
    return next((verdict for verdict in (NONE, UNKNOWN, ZERO) if verdict in verdicts), LIVE)
