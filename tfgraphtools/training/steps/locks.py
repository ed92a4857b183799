"""Locks of what a step saves and puts back, where several steps meet.

To freeze is to save, to step, and to put back. Between the first and the last
the step of another worker, or of another thread on the same session, would be
lost, or be saved as the frozen value. So a step holds locks from its saving to
its putting back: on servers one for each variable, in one process one for all
that it changes so.
"""

import weakref

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.training.steps import slices as _slices

#: graph: {name of a variable of this process: the name of its lock}. By name: a variable would
#: keep its graph alive.
_groups = weakref.WeakKeyDictionary()


def acquire(variables, after):
    """Locks variables until `release`.

    All steps take their locks in one order, that of the names, so that no two
    wait for one another.

    Args:
      variables: that the step saves and puts back.
      after: gradients: no lock is held while they are computed.

    Returns:
      The locks. What is built in their control dependencies is done while they
      are held.
    """
    places = {}
    for variable in variables:
        one = _tf.components(variable)[0]
        if is_on_server(one):
            places[f"frozen/{one.op.name}"] = _cpu_of(one)
    here = [v for v in variables if not is_on_server(_tf.components(v)[0])]
    places.update((name, _HERE) for name in _names_here(here))
    locks = []
    waits = [tensor.op for tensor in _slices.parts(after)] if places else []
    for name in sorted(places):
        with v1.device(None), v1.device(places[name]), v1.control_dependencies(waits):
            mutex = tf.raw_ops.MutexV2(container="", shared_name=name, name="mutex")
            locks.append(tf.raw_ops.MutexLock(mutex=mutex, name="lock"))
        waits = [locks[-1].op]
    return locks


def release(locks, after):
    """The operation that, after the given one, releases the locks."""
    if not locks:
        return after
    with v1.control_dependencies([after]):
        released = []
        for lock in locks:
            with v1.device(None), v1.device(lock.device):
                released.append(tf.raw_ops.ConsumeMutexLock(mutex_lock=lock, name="unlock"))
    return released[0] if len(released) == 1 else tf.group(*released, name="unlocked")


def is_on_server(variable):
    """True for a variable on a device of a named job, such as "/job:ps/task:0"."""
    return tf.DeviceSpec.from_string(variable.device).job not in (None, "localhost")


_HERE = "/device:CPU:0"


def _names_here(variables):
    """The names of the locks in this process: steps that share a variable share one.

    One lock costs some microseconds, so a step has one for all its variables, but
    where some of them are in the lock of another step already.
    """
    if not variables:
        return []
    groups = _groups.setdefault(_tf.root_graph(), {})
    names = [_first(v).op.name for v in variables]
    new = "frozen/" + min(names)
    return sorted({groups.setdefault(name, new) for name in names})


def _first(variable):
    return _tf.components(variable)[0]


def _cpu_of(variable):
    place = tf.DeviceSpec.from_string(variable.device)
    return tf.DeviceSpec(
        job=place.job, replica=place.replica, task=place.task, device_type="CPU", device_index=0
    ).to_string()
