"""The verdict on a gradient, from TensorFlow itself, on a copy of the graph.

The part between the xs and y is copied to a graph that is thrown away, and
`tf.gradients` builds the backward pass there. It starts from a *seed*, a
placeholder in the place of the gradient of y: what does not depend on it, or is
zero whatever it is, is no gradient.
"""

import collections

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.gradients.explaining import by_run
from tfgraphtools.gradients.explaining.zeros import Zeros
from tfgraphtools.gradients.slicing.scratch import scratch_copy
from tfgraphtools.gradients.slicing.slice import ALL, Slice

LIVE, NONE, ZERO = "live", "none", "zero"
_MOST_OPS = 5000  # in a copy of all that y is computed from

#: What TF says of one x: the verdict, and what `tf.gradients` raised, or None.
Outcome = collections.namedtuple("Outcome", "verdict, error")


class CopyError(Exception):
    """The part between x and y could not be copied."""


class Verdicts:
    """Asks TF for the gradients of one y; ``free`` names the ops that depend on an x."""

    def __init__(self, y, free):
        self._y, self._free, self._known, self._whole = y, free, {}, None
        self._small = len(_tf.upstream_ops([y])) <= _MOST_OPS

    def ask(self, starts):
        """Finds the outcomes for these tensors together, where that is as good as one by one.

        A gradient that is there for all is there for each. An x without one is
        asked about alone: what another x needs may have raised.
        """
        if len(starts) < 2:
            return
        try:
            found = self._outcomes(starts)
        except CopyError:
            return
        for start, outcome in zip(starts, found):
            if outcome.verdict == LIVE:
                self._known[start.name] = outcome

    def of(self, start):
        """The `Outcome` of one tensor; CopyError if TF cannot be asked."""
        if start.name not in self._known:
            self._known[start.name] = self._outcomes([start])[0]
        return self._known[start.name]

    def frontier(self, start):
        """Where the gradient stops, outside of loops: [(op, its input, "none" or "zero")]."""
        part = Slice(self._y.graph, [start], [self._y], share_random=False)
        between = [op for op in part.ops if not _tf.contexts_of(op)]
        tensors = [start] + [one for op in between for one in op.outputs if one is not start]
        tensors = [one for one in tensors if _tf.has_gradients(one.dtype)]
        copy = self._copy([start])
        found = copy.gradients([copy.inside(one) for one in tensors])
        verdicts = _verdicts(found, copy.seed, self._free)
        states = {one.name: verdict for one, verdict in zip(tensors, verdicts)}
        stops = []
        for op in between:
            if not any(states.get(one.name) == LIVE for one in op.outputs):
                continue
            for tensor in op.inputs:
                if states.get(tensor.name, LIVE) != LIVE:
                    stops.append((op, tensor, states[tensor.name]))
        return stops

    def _outcomes(self, starts):
        """The outcome for each of these tensors, in one backward pass."""
        copy = self._copy(starts)
        try:
            inside = [copy.inside(start) for start in starts]
        except KeyError as error:
            raise CopyError(f"no copy of {error}") from error
        try:
            found = copy.gradients(inside)
        except Exception as error:  # pylint: disable=broad-except  # any gradient function's
            message = "{}: {}".format(type(error).__name__, " ".join(str(error).split())[:200])
            return [Outcome(NONE, message)] * len(starts)
        return [Outcome(one, None) for one in _verdicts(found, copy.seed, self._free)]

    def _copy(self, starts):
        """The copy to ask: of all that y is computed from, or of a part if that is large."""
        if self._whole is None and self._small:
            try:
                self._whole = _Copy(self._y, ALL)
            except CopyError:
                self._small = False
        return self._whole or _Copy(self._y, starts)


class _Copy:
    """A copy of what lies between some tensors and y, ready to be differentiated."""

    def __init__(self, y, starts):
        self._scratch = _tf.capturing_graph()
        try:
            part = Slice(y.graph, starts, [y], share_random=False)
            _, self._renamed = scratch_copy(
                y.graph, part.ops, part.definitions(), scratch=self._scratch, inline=False
            )
            self._y = self.inside(y)
            self._has_loops = any(op.type == "LoopCond" for op in part.ops)
            self._keep_shapes(part.ops)
            for op in part.ops:  # a call of a tf.function has its gradient in Python
                _tf.copy_call_gradient(op, self._scratch)
        except Exception as error:
            raise CopyError(f"{type(error).__name__}: {error}") from error
        with self._scratch.as_default():
            self.seed = v1.placeholder(self._y.dtype.base_dtype, self._y.shape, name="seed")

    def inside(self, tensor):
        """The copy of a tensor."""
        return self._scratch.get_tensor_by_name(self._renamed.get(tensor.name, tensor.name))

    def gradients(self, inside):
        """`tf.gradients` of y, on the copy."""
        if self._has_loops:
            try:
                with _tf.no_function(self._scratch):
                    return v1.gradients(self._y, inside, self.seed)
            except Exception:  # pylint: disable=broad-except  # it takes tensors of y's graph
                pass
        with self._scratch.as_default():
            return v1.gradients(self._y, inside, self.seed)

    def _keep_shapes(self, ops):
        """The static shapes of the original: some were inferred from what is not copied."""
        for op in ops:
            for tensor in op.outputs:
                if tensor.name not in self._renamed:
                    self.inside(tensor).set_shape(tensor.shape)


def _verdicts(gradients, seed, free):
    """The verdict on each gradient of a copy."""
    zeros = Zeros(seed.graph, seed, free)
    found = [_verdict(gradient, zeros) for gradient in gradients]
    live = [i for i, verdict in enumerate(found) if verdict == LIVE]
    for i in by_run.always_zero([gradients[i] for i in live], seed, free):
        found[live[i]] = ZERO
    return found


def _verdict(gradient, zeros):
    if gradient is None:
        return NONE
    if isinstance(gradient, tf.IndexedSlices):
        gradient = gradient.values
    return ZERO if zeros.is_zero(gradient) else LIVE
