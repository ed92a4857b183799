"""The answer for one x: TensorFlow's verdict, and the cause that a walk over the graph names."""

from tfgraphtools import _tf
from tfgraphtools.gradients.explaining import apart, causes, render
from tfgraphtools.gradients.explaining.lines import user_line
from tfgraphtools.gradients.explaining.verdicts import at_once
from tfgraphtools.gradients.explaining.verdicts.verdict import (
    LIVE,
    NONE,
    NOT_FINITE,
    UNKNOWN,
    ZERO,
    Outcome,
)


class Answer:
    """The answer for one x: verdict, blockers, and the rows of its tree.

    Args:
      flow: the `Flow` of y.
      verdicts: the `Verdicts` of y.
      start: the tensor that stands for x in the graph.
    """

    def __init__(self, flow, verdicts, y, x, start):
        self.name, self._x, self.start = x.name, x, start
        self._flow, self._verdicts, self._y = flow, verdicts, y
        self.blockers, self.tree, self.path = [], None, set()
        self.verdict, self.error, _ = self._decide()

    def _decide(self):
        cause = self._cause_without_a_path()
        if cause is not None:
            self.blockers = [cause]
            return Outcome(NONE, at_once.error_of_graphs(self._y, self.start))
        key = ((), self.start.name)
        self.path = self._flow.reached_from(key)
        if not self.path:
            self.blockers = [apart.cause(self._y, self.start)]
            return self._outcome_without_data()
        gradient = self._flow.gradient(self.path)
        outcome = self._outcome(key in gradient)
        live = outcome.verdict == LIVE
        self.blockers = self._blocked_edges(gradient, live)
        if not live and (not self.blockers or key in gradient):
            self.blockers = self._frontier() or self.blockers
        if outcome.verdict in (NONE, ZERO) and not self.blockers:
            self.blockers = [self._unplaced(outcome)]
        self.tree = render.Tree(self._flow, self.path, gradient, key, self.blockers)
        if outcome.remark == NOT_FINITE:
            self.blockers.insert(0, causes.Blocker(causes.NOT_FINITE))
        if outcome.verdict == UNKNOWN:
            self.blockers.insert(0, causes.Blocker(causes.UNKNOWN, detail=outcome.remark))
        return outcome

    def _outcome_without_data(self):
        """Returns None, or the zeros of an If, While or call that takes x in any way."""
        if self._y.op not in _tf.downstream_ops([self.start]):
            return Outcome(NONE)
        outcome = self._outcome(False)
        return Outcome(ZERO) if outcome.verdict == LIVE else outcome

    def _outcome(self, walked):
        """Returns TF's own answer; where the walk finds a gradient, two copies must have none."""
        if self.start is self._y and not _tf.has_gradients(self._y.dtype):
            return Outcome(LIVE)  # the ones that TF starts from
        ask = self._verdicts.confirmed if walked else self._verdicts.of
        outcome = ask(self.start)
        if outcome.verdict == LIVE and not walked and self._through_a_defun():
            return Outcome(ZERO)
        return outcome

    def _through_a_defun(self):
        """Tells whether a Defun is on the way, whose gradient is zeros and never None."""
        ops = {edge.op for key in self.path for edge in self._flow.edges[key]}
        return any(_tf.is_legacy_call(op) for op in ops)

    def _cause_without_a_path(self):
        if self.start.graph is not self._y.graph:
            return causes.Blocker(causes.WRONG_GRAPH)
        cause = self._cause_of_dtype()
        return None if cause is not None and self._is_differentiated() else cause

    def _is_differentiated(self):
        """Tells whether TF has more than None for an x or y of a dtype without gradients.

        It starts from ones at y itself and at what is read from x at once, and asks the op that
        makes y, which may have zeros for x, or no gradient registered.
        """
        y, start = self._y, self.start
        if at_once.error_of_y(y) is not None:
            return False
        if start is y:
            return True
        reaches = any(source is start for source in y.op.inputs)
        if not reaches and _tf.has_gradients(self._x.dtype):
            reaches = bool(self._flow.reached_from(((), start.name)))
        if not reaches or y.dtype.is_bool:  # no copy can be asked about a bool
            return False
        outcome = self._outcome(True)
        return outcome.verdict != NONE or outcome.error is not None

    def _cause_of_dtype(self):
        if not _tf.has_gradients(self._x.dtype):
            return causes.Blocker(causes.SOURCE_DTYPE, detail=self._x.dtype.base_dtype.name)
        if not _tf.has_gradients(self._y.dtype):
            detail = self._y.dtype.base_dtype.name
            return causes.Blocker(
                causes.of_dtype(self._y.op), self._y.op, (), user_line(self._y.op), detail
            )
        return None

    def _blocked_edges(self, gradient, live):
        """Returns blockers at the frontier: the gradient is at the op's output, not this input.

        For a live x, an op with a gradient of its own is none: what it does not
        pass (the hard value of a straight-through) was decided by who wrote it.
        """
        blockers = {}
        for key in gradient:
            for edge in self._flow.edges[key]:
                if edge.source not in self.path:
                    continue
                blocked = self._flow.blocked(edge)
                by_choice = live and _tf.gradient_override(edge.op) is not None
                if blocked is not None and not by_choice:
                    cause, detail = blocked
                    op = self._flow.blamed(edge, cause)
                    blocker = causes.Blocker(cause, op, edge.path, user_line(op), detail)
                    # One predicate is one blocker, however many ops it steers.
                    where = str(edge.source) if cause is causes.CONDITION else blocker.op_name
                    blockers.setdefault((where, cause.name), blocker)
        for name, cause in list(blockers):  # of a custom gradient: what it passes back decides
            if cause == causes.RETURNED_ZEROS.name:
                blockers.pop((name, causes.RETURNED_NONE.name), None)
        others = [key for key in blockers if key[1] != causes.OVERWRITTEN.name]
        if others or live:  # what the body makes of the value matters, not what went in
            blockers = {key: blockers[key] for key in others}
        # A condition is seldom what one looks for: it comes last.
        order = sorted(blockers, key=lambda key: (key[1] in causes.SELDOM, key))
        return [blockers[key] for key in order]

    def _frontier(self):
        """Returns where TF's own backward pass stops, for what the walk takes to be live."""
        try:
            stops = self._verdicts.frontier(self.start)
        except Exception:  # pylint: disable=broad-except  # some tensor on the way has none
            return []
        blockers = {}
        for op, tensor, verdict in stops:
            if verdict == NONE and op.type.startswith("TensorArray"):
                continue  # its flow: the order of writes
            cause = causes.RETURNED_ZEROS if verdict == ZERO else causes.RETURNED_NONE
            if not _tf.has_gradients(tensor.dtype):
                cause = causes.of_dtype(op)
            blockers.setdefault(op.name, causes.Blocker(cause, op, (), user_line(op)))
        return [blockers[name] for name in sorted(blockers)]

    def _unplaced(self, outcome):
        """Returns the blocker when only TF's own word is known."""
        if outcome.error and "Second-order gradient" in outcome.error:
            return causes.Blocker(causes.SECOND_ORDER)
        if outcome.error and "inside while loop" in outcome.error:
            return causes.Blocker(causes.START_OF_LOOP, detail=outcome.error)
        if outcome.error:
            return causes.Blocker(causes.RAISED, detail=outcome.error)
        cause = causes.CANCELS if outcome.verdict == ZERO else causes.RETURNED_NONE
        return causes.Blocker(cause, self._y.op, (), user_line(self._y.op))
