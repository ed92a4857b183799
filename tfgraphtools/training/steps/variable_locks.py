"""The locks of a step, where several steps meet.

To freeze is to save, to step, and to put back. Between the first and the last
the step of another worker, or of another thread on the same session, would be
lost, or be saved as the frozen value. So a step holds locks from its saving to
its putting back: one on each server that holds its variables, and one for those of
this process. A lock has one name everywhere: steps of several graphs share it.
"""

import contextlib

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.training.steps import indexed_slices as _slices
from tfgraphtools.training.steps import section as _section

#: The name of the lock in each process.
NAME = "tfgraphtools/step"


class Locks:
    """The locks that a step holds from its first read to its last write.

    All steps take their locks in one order, that of the devices, so that no two
    wait for one another. No lock is held while gradients are computed.

    Args:
      variables: that the step saves and puts back.
      grads: of the step.
      others: the other variables that it changes.
      held: the places of the locks that a step around this one holds.
    """

    def __init__(self, variables=(), grads=(), others=(), held=()):
        self.places = sorted({place_of(variable) for variable in variables} - set(held))
        changed = [_tf.components(variable)[0] for variable in list(variables) + list(others)]
        self._machines = {_section.task_of(variable.device) for variable in changed} - {""}
        waits = [tensor.op for tensor in _slices.parts(grads)] if self.places else []
        self._locks = _taken(self.places, waits)

    @contextlib.contextmanager
    def held(self):
        """Runs all that is built while it is open under the locks, on the servers."""
        with self._on_server(), _tf.after(self._locks):
            yield

    def release(self, build):
        """Returns the operation of ``build()``, after which the locks are released."""
        if not self._locks:
            return build()
        with self._on_server():
            with v1.control_dependencies([build()]):
                released = [_unlocked(lock) for lock in self._locks]
        if self._servers:
            _section.confine(self._locks[0].op, self._machines)
        return released[0] if len(released) == 1 else tf.group(*released, name="unlocked")

    @property
    def _servers(self):
        return [place for place in self.places if place != _HERE]

    @contextlib.contextmanager
    def _on_server(self):
        """Places on a server what is built, and has no place of its own."""
        if not self._servers:
            yield
            return
        with v1.device(None), v1.device(_section.task_of(self._servers[0])):
            yield


_HERE = "/device:CPU:0"


def around_reads(reads, variables):
    """Makes ops read between two steps, and returns the op after which the next step may begin.

    Args:
      reads: ops of this graph, on the servers of their variables.
      variables: the ops of the variables that they read.
    """
    locks = _taken(sorted({_place_of_device(op.device) for op in variables}), [])
    for op in reads:
        _tf.add_control_inputs(op, [lock.op for lock in locks])
    with v1.control_dependencies(reads):
        return tf.group(*[_unlocked(lock) for lock in locks])


def _taken(places, waits):
    """Returns locks on all places, each taken after the one before."""
    locks = []
    for place in places:
        with _tf.colocate_with(None, ignore_existing=True), v1.device(place):
            with v1.control_dependencies(waits):
                mutex = tf.raw_ops.MutexV2(container="", shared_name=NAME, name="mutex")
                locks.append(tf.raw_ops.MutexLock(mutex=mutex, name="lock"))
        waits = [locks[-1].op]
    return locks


def _unlocked(lock):
    with _tf.colocate_with(None, ignore_existing=True), v1.device(lock.device):
        return tf.raw_ops.ConsumeMutexLock(mutex_lock=lock, name="unlock")


def is_on_server(variable):
    """Returns True for a variable on a device of a named job, such as "/job:ps/task:0"."""
    return _is_of_server(variable.device)


def _is_of_server(device):
    return tf.DeviceSpec.from_string(device).job not in (None, "localhost")


def place_of(variable):
    """Returns the device of the lock of a variable."""
    return _place_of_device(_tf.components(variable)[0].device)


def _place_of_device(device):
    return _section.task_of(device) + _HERE if _is_of_server(device) else _HERE


def server_of(variable):
    """Returns the server that holds a variable, such as "/job:ps/task:0"; "" for none."""
    first = _tf.components(variable)[0]
    return _section.task_of(first.device) if is_on_server(first) else ""


def task_of_first(variables):
    """Returns the server of the first of the variables by name; "" for none.

    Every worker finds the same one, whatever the order in which it builds.
    """
    first = [_tf.components(variable)[0] for variable in variables]
    return server_of(min(first, key=lambda variable: variable.op.name)) if first else ""


def note(wrapper, pairs, locked, unlocked):
    """Tells `describe` on which servers variables and their locks are, and warns of those without.

    Args:
      wrapper: that opened the step.
      pairs: that it was given.
      locked: variables for which the step holds a lock.
      unlocked: those for which a wrapper wants none; another one may want it.
    """
    keys = {_tf.key(_tf.container(variable)) for variable in locked}
    for grad, variable in pairs:
        first = _tf.components(variable)[0]
        if grad is None or not is_on_server(first):
            continue
        columns = {"place": _section.task_of(first.device)}
        if _tf.key(_tf.container(variable)) in keys:
            columns["lock"] = columns["place"]
        wrapper.note(variable, **columns)
    left_out = [v for v in unlocked if _tf.key(_tf.container(v)) not in keys]
    left_out = [v for v in left_out if is_on_server(_tf.components(v)[0])]
    if left_out:
        v1.logging.warning(
            "%s: threads='one' takes no lock for %s on servers. Where two workers step at a time, "
            "updates are lost. Leave threads out to keep them.",
            type(wrapper).__name__,
            _select.listing(left_out),
        )
