"""The verdict on a gradient, from TensorFlow itself, on a copy of the graph.

`tf.gradients` builds the backward pass on a copy, from a *seed*, a placeholder in the place of
the gradient of y: what does not depend on it, or is zero whatever it is, is no gradient.

What a copy lacks is no verdict. A copy can only lose: so where the first copy raises, or gives
no gradient though the original seems to have one, a copy of another kind is asked. Where
neither tells, the verdict is "unknown".
"""

import collections

from tfgraphtools import _tf
from tfgraphtools._tf import tf
from tfgraphtools.gradients.explaining.verdicts import by_run
from tfgraphtools.gradients.explaining.verdicts.copied_gradients import (
    CopyError,
    RaisedError,
    SliceCopy,
    WholeCopy,
)
from tfgraphtools.gradients.explaining.verdicts.sampled import is_ever_nonzero, is_never_finite
from tfgraphtools.gradients.explaining.zero_rules import Zeros
from tfgraphtools.gradients.slicing.slice import ALL, Slice

LIVE, NONE, ZERO, UNKNOWN = "live", "none", "zero", "unknown"
_MOST_OPS = 5000  # in a copy of all that y is computed from

#: What TF says of one x: the verdict; what `tf.gradients` raises, or None; and a remark: why
#: the verdict is unknown, or that a gradient is NaN.
Outcome = collections.namedtuple("Outcome", "verdict, error, remark")
Outcome.__new__.__defaults__ = (None, None)
NOT_FINITE = "not finite"


class Verdicts:
    """Asks TF for the gradients of one y; ``free`` names the ops that depend on an x."""

    def __init__(self, y, free):
        self._y, self._free, self._known = y, free, {}
        self._copy_kept = None  # a copy of all that y is computed from, if it can be used again
        self._small = len(_tf.upstream_ops([y])) <= _MOST_OPS

    def ask(self, starts):
        """Finds the outcomes for these tensors together, where that is as good as one by one.

        A gradient that is there for all is there for each. An x without one is
        asked about alone: what another x needs may have raised.
        """
        if len(starts) < 2:
            return
        try:
            outcomes = self._outcomes(self._slice, starts)
        except (CopyError, RaisedError):
            return
        for start, outcome in zip(starts, outcomes):
            if outcome.verdict == LIVE:
                self._known[start.name] = outcome

    def of(self, start):
        """Returns the `Outcome` of one tensor."""
        if start.name not in self._known:
            try:
                outcome = self._outcomes(self._slice, [start], check_finite=True)[0]
            except (CopyError, RaisedError) as error:
                outcome = self._of_whole_copy(start, error)
            self._known[start.name] = outcome
        return self._known[start.name]

    def confirmed(self, start):
        """Returns the `Outcome` of a tensor with a gradient in the walk and none in the copy."""
        outcome = self.of(start)
        if outcome.verdict not in (NONE, ZERO) or outcome.error:
            return outcome
        try:
            copy, (gradient,) = self._gradients(self._whole, [start])
            other = self._judged(copy, [gradient], check_finite=True)[0]
        except (CopyError, RaisedError):
            return outcome
        # Rules and runs prove zeros on the first copy that they may miss on the second.
        if outcome.verdict == NONE or is_ever_nonzero(gradient, copy.seed):
            self._known[start.name] = outcome = other
        return outcome

    def frontier(self, start):
        """Returns where the gradient stops, outside of loops: [(op, input, "none" or "zero")]."""
        part = Slice(self._y.graph, [start], [self._y], share_random=False)
        between = [op for op in part.ops if not _tf.contexts_of(op)]
        tensors = [start] + [
            output for op in between for output in op.outputs if output is not start
        ]
        tensors = [tensor for tensor in tensors if _tf.has_gradients(tensor.dtype)]
        outcomes = self._outcomes(self._slice, tensors)
        states = {tensor.name: outcome.verdict for tensor, outcome in zip(tensors, outcomes)}
        stops = []
        for op in between:
            if not any(states.get(output.name) == LIVE for output in op.outputs):
                continue
            for tensor in op.inputs:
                if states.get(tensor.name, LIVE) != LIVE:
                    stops.append((op, tensor, states[tensor.name]))
        return stops

    def _of_whole_copy(self, start, first):
        """Returns the outcome where the first copy failed: of the second, or of both errors."""
        try:
            return self._outcomes(self._whole, [start], check_finite=True)[0]
        except (CopyError, RaisedError) as second:
            raised = [failure for failure in (first, second) if isinstance(failure, RaisedError)]
            agree = len(raised) == 2 and str(first) == str(second)
            if (agree or any(failure.is_lookup for failure in raised)) and not any(
                failure.may_be_of_the_copy for failure in raised
            ):
                return Outcome(NONE, str(raised[0]))
            return Outcome(UNKNOWN, None, str(first))

    def _outcomes(self, copied, starts, check_finite=False):
        """Returns the outcome for each of these tensors, in one backward pass.

        Args:
          copied: makes the copy to ask, for some starts.
          check_finite: whether a zero is looked at in runs, too.
        """
        return self._judged(*self._gradients(copied, starts), check_finite)

    def _gradients(self, copied, starts):
        """Returns (the copy, the gradients on it); a copy that TF failed on is not asked again."""
        copy = copied(starts)
        try:
            return copy, copy.gradients(starts, captures=not copy.has_loops)
        except RaisedError as error:
            if not copy.has_loops or not error.may_be_of_the_copy:
                raise
        copy = copied(starts)
        return copy, copy.gradients(starts, captures=True)

    def _judged(self, copy, gradients, check_finite):
        """Returns the outcome that each of the gradients on a copy is."""
        zeros = Zeros(copy.seed.graph, copy.seed, self._free)
        verdicts = [_verdict(gradient, zeros) for gradient in gradients]
        if not copy.is_open:  # a run cannot fetch what is inside of a loop
            live = [i for i, verdict in enumerate(verdicts) if verdict == LIVE]
            for i in by_run.always_zero([gradients[i] for i in live], copy.seed, self._free):
                verdicts[live[i]] = ZERO
        outcomes = [Outcome(verdict) for verdict in verdicts]
        for i, verdict in enumerate(verdicts if check_finite else ()):
            if verdict == ZERO and is_never_finite(gradients[i], copy.seed):
                outcomes[i] = Outcome(LIVE, None, NOT_FINITE)
        return outcomes

    def _slice(self, starts):
        """Returns a copy of all that y is computed from, or of a part if that is large."""
        if self._copy_kept is None and self._small:
            try:
                copy = SliceCopy(self._y, ALL)
            except CopyError:
                self._small = False
            else:
                if copy.is_changed_by_use:
                    return copy
                self._copy_kept = copy
        return self._copy_kept or SliceCopy(self._y, starts)

    def _whole(self, _):
        return WholeCopy(self._y)


def _verdict(gradient, zeros):
    if gradient is None:
        return NONE
    if isinstance(gradient, tf.IndexedSlices):
        gradient = gradient.values
    return ZERO if zeros.is_zero(gradient) else LIVE
