"""The part of a step under locks on servers: nothing of it waits for another machine.

A worker that stops while a step of it holds a lock (a paused machine, a lost network) would
stop all others. So all that comes between the lock and its release runs on the servers, and
what it takes from elsewhere has arrived before the lock is taken.
"""

import functools

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1


def confine(lock, machines):
    """Moves what waits for a lock to the servers, and what it needs from elsewhere before it.

    In a loop, branch or function it does nothing.

    Args:
      lock: the op that takes the first of the locks.
      machines: those that hold the variables, see `task_of`.
    """
    if lock.graph is _tf.root_graph() and _tf.control_flow_context(lock) is None:
        begin = _tf.order_of(lock)
        ops = [op for op in lock.graph.get_operations() if _tf.order_of(op) > begin]
        _Section(lock, machines).confine(ops)


@functools.lru_cache(maxsize=None)
def task_of(device):
    """Returns the machine of a device, such as "/job:ps/task:0"; "" where it names none."""
    spec = tf.DeviceSpec.from_string(device)
    if spec.job in (None, "localhost"):
        return ""
    return tf.DeviceSpec(job=spec.job, replica=spec.replica, task=spec.task).to_string()


class _Section:
    def __init__(self, lock, machines):
        self._lock = lock
        self._machines = machines
        self._behind = {lock}  # what waits for the lock
        self._arrived = {}  # (tensor, server): the tensor there, before the lock

    def confine(self, ops):
        for op in ops:
            inputs = [tensor.op for tensor in op.inputs]
            if self._behind.isdisjoint(inputs) and self._behind.isdisjoint(op.control_inputs):
                continue
            for tensor in filter(_tf.is_ref, op.inputs):
                if task_of(tensor.op.device) != task_of(op.device):
                    _tf.move(op, tensor.op.device)  # a ref is sent before it is read
            if not self._is_on_server(op) and not _takes_variable(op):
                if _is_pure(op) and self._behind.isdisjoint(inputs):
                    self._take_out(op)
                    continue
                self._move(op, inputs)
            self._behind.add(op)
            self._bring(op)

    def _is_on_server(self, op):
        return task_of(op.device) in self._machines

    def _take_out(self, op):
        """Lets an op that needs nothing behind the lock run before it."""
        _tf.keep_control_inputs(
            op, [before for before in op.control_inputs if before not in self._behind]
        )

    def _move(self, op, inputs):
        near = [task_of(source.device) for source in inputs + list(op.control_inputs)]
        server = task_of(self._lock.device)
        _tf.move(op, next((task for task in near if task in self._machines), server))

    def _bring(self, op):
        """Makes the lock wait until all that an op takes from elsewhere has arrived."""
        early = [
            before
            for before in op.control_inputs
            if before not in self._behind and not self._is_on_server(before)
        ]
        if early:
            _tf.keep_control_inputs(
                op, [before for before in op.control_inputs if before not in early]
            )
            _tf.add_control_inputs(self._lock, early)
        for position, tensor in enumerate(op.inputs):
            if tensor.op in self._behind or self._is_on_server(tensor.op):
                continue
            if not _is_of_variable(tensor):
                _tf.replace_input(op, position, self._there(tensor, task_of(op.device)))

    def _there(self, tensor, server):
        key = (tensor.name, server)
        if key not in self._arrived:
            with tensor.graph.as_default(), v1.control_dependencies(None), v1.name_scope(None):
                with _tf.colocate_with(None, ignore_existing=True), v1.device(server):
                    name = self._lock.name + "/arrived"
                    # The graph optimizer would leave out an Identity.
                    self._arrived[key] = tf.raw_ops.Merge(inputs=[tensor], name=name).output
            _tf.add_control_inputs(self._lock, [self._arrived[key].op])
        return self._arrived[key]


def _is_of_variable(tensor):
    return _tf.is_resource(tensor) or _tf.is_ref(tensor)


def _takes_variable(op):
    return any(_is_of_variable(tensor) for tensor in op.inputs)


def _is_pure(op):
    return not _tf.is_stateful(op) and op.type not in ("Switch", "Merge")
