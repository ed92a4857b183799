"""A state of which a restore has given one half: what is kept of variables, without its count.

A ``Saver`` of some variables, an assignment map of some scopes or a warm start by patterns can
give that: a sum of gradients without the number of its runs has no mean. It is looked for in the
first run of a process, before that changes anything.
"""

import collections
import weakref
from typing import Any, Callable, List

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1

#: A count that is kept once, and the slots of which it says how they came to be.
Halves = collections.namedtuple("Halves", "count slots")

#: {graph: [Halves]}, the variables as weak references: collections of the graph hold them.
_known = weakref.WeakKeyDictionary()


def noticed(
    kind: str, count: Any, slots: List[Any], are_unused: Callable, is_quick: bool = False
) -> tf.Operation:
    """Returns the op that fails where the slots were restored and their count was not.

    It does nothing but in the first run of a process, or of a server.

    Args:
      kind: name of the optimizer's class.
      count: an integer variable: 0 before the first step.
      slots: variables.
      are_unused: ``are_unused()``: a bool scalar, whether the slots have nothing of a training.
      is_quick: True if that takes no pass over the slots, and may be done in every run.
    """
    halves = _known.setdefault(_tf.root_graph(), [])
    halves.append((weakref.ref(count), [weakref.ref(slot) for slot in slots]))
    own = _tf.components(count)[0]
    seen = _tf.Flag(own, f"{own.op.name}_seen")
    words = f"{kind}: expected {_select.listing(slots)} and {own.op.name!r} of one training, got "
    words += f"the first without the second, which is 0. {_REMEDY}"

    def look(is_whole):
        checked = tf.raw_ops.Assert(condition=is_whole, data=[tf.constant(words)])
        with v1.control_dependencies([checked]):
            return seen.set()

    def is_whole():
        return tf.logical_or(are_unused(), tf.not_equal(own.read_value(), 0))

    # The slots may be on another server than their count: only the mark is beside it.
    if is_quick:
        return look(tf.logical_or(seen.is_set(), is_whole()))
    with _tf.colocate_with(own):
        is_first = tf.logical_not(seen.is_set(), name="is_first_run")
    return _tf.run_if(is_first, lambda: look(is_whole()))


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
