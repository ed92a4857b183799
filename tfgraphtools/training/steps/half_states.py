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


def noticed(kind: str, count: Any, slots: List[Any], has_begun: Callable) -> tf.Operation:
    """Returns the op that fails where the slots were restored and their count was not.

    It does nothing but in the first run of a process, or of a server.

    Args:
      kind: name of the optimizer's class.
      count: an integer variable: 0 before the first step.
      slots: variables.
      has_begun: ``has_begun()``: a bool scalar, whether the slots have anything of a training.
    """
    halves = _known.setdefault(_tf.root_graph(), [])
    halves.append((weakref.ref(count), [weakref.ref(slot) for slot in slots]))
    own = _tf.components(count)[0]
    with v1.name_scope(None):
        seen = _tf.unsaved_variable(own, [], f"{own.op.name}_seen")
    with _tf.colocate_with(own):
        is_first = tf.logical_not(v1.is_variable_initialized(seen), name="is_first_run")
    words = f"{kind}: expected {_select.listing(slots)} and {own.op.name!r} of one training, got "
    words += f"the first without the second, which is 0. {_REMEDY}"

    def look():
        is_half = tf.logical_and(tf.equal(own.read_value(), 0), has_begun())
        checked = v1.debugging.Assert(tf.logical_not(is_half), [words])
        with _tf.after([checked]), _tf.colocate_with(own):
            return v1.assign(seen, tf.ones([], own.dtype.base_dtype)).op

    return _tf.run_if(is_first, look)


_REMEDY = (
    "Restore all of optimizer.state_variables(), or none of them: list the variables of the model "
    "in the Saver, the assignment map or vars_to_warm_start."
)


def any_is_not_zero(slots: List[Any]) -> tf.Tensor:
    """Tells, as a scalar tensor, whether an element of a slot is not 0."""
    own = [_tf.components(slot)[0] for slot in slots]
    return tf.reduce_any(tf.stack([tf.reduce_any(tf.not_equal(x.read_value(), 0)) for x in own]))


def known(graph: tf.Graph) -> List[Halves]:
    """Returns the halves of the steps that were built in a graph."""
    return [
        Halves(count(), [slot() for slot in slots])
        for count, slots in _known.get(graph, [])
        if count() is not None and all(slot() is not None for slot in slots)
    ]
