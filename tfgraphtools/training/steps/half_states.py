"""A state of which a restore has given one half: what is kept of variables, without its count.

A ``Saver`` of some variables, an assignment map of some scopes or a warm start by patterns can
give that: a sum of gradients without the number of its runs has no mean. It is looked for in the
first run of a process, before that changes anything.
"""

import collections
import functools
import weakref
from typing import Any, Callable, List, NamedTuple

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.training.steps import variable_locks as _locks

#: A count that is kept once, and the slots of which it says how they came to be.
Halves = collections.namedtuple("Halves", "count slots")

#: {graph: [Halves]}, the variables as weak references: collections of the graph hold them.
_known = weakref.WeakKeyDictionary()


class Look(NamedTuple):
    """A look for one half of a state.

    Fields:
      kind: name of the optimizer's class.
      count: an integer variable: 0 before the first step.
      slots: variables.
      are_unused: ``are_unused()``: a bool scalar, whether the slots have nothing of a training.
    """

    kind: str
    count: Any
    slots: List[Any]
    are_unused: Callable

    def message(self) -> str:
        """Returns the message of the error where one half is missing."""
        name = _tf.components(self.count)[0].op.name
        words = f"{self.kind}: expected {_select.listing(self.slots)} and {name!r} of one training"
        return f"{words}, got the first without the second, which is 0. {_REMEDY}"


class Looks:
    """The looks of the wrappers of a step, which are one for all: a step may have hundreds."""

    def __init__(self):
        self._place = _tf.place_of_building()
        self._constant = functools.lru_cache(maxsize=None)(tf.constant)
        self._looks = []
        self._done = None

    def noticed(self, look: Look) -> tf.Operation:
        """Returns an op that waits for the look, which `build` makes; elsewhere as `noticed`."""
        if _tf.place_of_building() != self._place:
            return noticed(look)
        self._looks.append(look)
        if self._done is None:
            self._done = tf.no_op(name="looked")
        return self._done

    def build(self) -> None:
        """Builds the looks where this was made: one on each server, with a mark of its own."""
        looks_of = {}
        for look in self._looks:
            kind = _locks.server_of(look.count), look.count.dtype.base_dtype
            looks_of.setdefault(kind, []).append(look)
        if looks_of:
            _tf.add_control_inputs(self._done, [_looked(own) for own in looks_of.values()])

    def constants(self) -> Callable:
        """Returns `tf.constant` with a cache, for ops that are built here now."""
        is_here = _tf.place_of_building() == self._place
        return self._constant if is_here else functools.lru_cache(maxsize=None)(tf.constant)


def with_looks(step: Any, build: Callable) -> tf.Operation:
    """Returns the op of ``build()``, whose wrappers have one look for all in ``step.looks``."""
    outer, step.looks = step.looks, Looks()
    op = build()
    step.looks.build()
    step.looks = outer
    return op


def noticed(look: Look) -> tf.Operation:
    """Returns the op that fails where the slots were restored and their count was not.

    It does nothing but in the first run of a process, or of a server.
    """
    return _looked([look])


def _looked(looks):
    """Returns the op of looks for halves whose counts are on one server, of one dtype."""
    halves = _known.setdefault(_tf.root_graph(), [])
    for look in looks:
        halves.append((weakref.ref(look.count), [weakref.ref(slot) for slot in look.slots]))
    # Every worker finds the same mark, whatever the order in which it builds.
    counts = [_tf.components(look.count)[0] for look in looks]
    own = min(counts, key=lambda count: count.op.name)
    seen = _tf.Flag(own, f"{own.op.name}_seen")

    def look_at_all():
        has_count = tf.not_equal(tf.stack([_tf.read_now(count) for count in counts]), 0)
        is_whole = tf.logical_or(tf.stack([look.are_unused() for look in looks]), has_count)
        first_half = tf.argmin(tf.cast(is_whole, tf.int32))
        message = tf.gather([look.message() for look in looks], first_half)
        checked = tf.raw_ops.Assert(condition=tf.reduce_all(is_whole), data=[message])
        with v1.control_dependencies([checked]):
            return seen.set()

    # The slots may be on another server than their count: only the mark is beside it.
    with _tf.colocate_with(own):
        is_first = tf.logical_not(seen.is_set(), name="is_first_run")
    return _tf.run_if(is_first, look_at_all)


_REMEDY = (
    "Restore all of optimizer.state_variables(), or none of them: list the variables of the model "
    "in the Saver, the assignment map or vars_to_warm_start."
)


def all_are_zero(slots: List[Any]) -> tf.Tensor:
    """Tells, as a scalar tensor, whether all elements of slots are 0."""
    values = [_tf.components(slot)[0].read_value() for slot in slots]
    return _tf.all_true([tf.reduce_all(tf.equal(value, 0)) for value in values])


def known(graph: tf.Graph) -> List[Halves]:
    """Returns the halves of the steps that were built in a graph."""
    return [
        Halves(count(), [slot() for slot in slots])
        for count, slots in _known.get(graph, [])
        if count() is not None and all(slot() is not None for slot in slots)
    ]
