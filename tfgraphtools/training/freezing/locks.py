"""Locks of frozen variables on servers, where the steps of several workers meet.

To freeze is to save, to step, and to put back. Between the first and the last
another worker's step would be lost, or be saved as the frozen value. So a step
holds the lock of each such variable from its saving to its putting back. In one
process there is one step at a time, and no lock.
"""

from tfgraphtools._tf import tf, v1


def acquire(variables, after, depth):
    """Locks the variables that are on a server.

    All workers take the locks in one order, that of the names, so that no two
    wait for one another.

    Args:
      variables: that the step saves and puts back.
      after: gradients: no lock is held while they are computed.
      depth: how many `FreezeOptimizer` work around one another: each has its own locks.

    Returns:
      The locks, to be released. What is built in their control dependencies is
      done while they are held. None of them where no variable is on a server.
    """
    locks = []
    on_servers = sorted(filter(is_on_server, variables), key=lambda v: v.op.name)
    waits = [part.op for grad in after for part in _parts(grad)] if on_servers else []
    for variable in on_servers:
        name = f"frozen/{depth}/{variable.op.name}"
        with v1.device(_cpu_of(variable)), v1.control_dependencies(waits):
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
            with v1.device(lock.device):
                released.append(tf.raw_ops.ConsumeMutexLock(mutex_lock=lock, name="unlock"))
    return tf.group(*released, name="unlocked")


def _parts(grad):
    return [grad.values, grad.indices] if isinstance(grad, tf.IndexedSlices) else [grad]


def is_on_server(variable):
    """True for a variable on a device of a named job, such as "/job:ps/task:0"."""
    return tf.DeviceSpec.from_string(variable.device).job not in (None, "localhost")


def _cpu_of(variable):
    place = tf.DeviceSpec.from_string(variable.device)
    return tf.DeviceSpec(
        job=place.job, replica=place.replica, task=place.task, device_type="CPU", device_index=0
    ).to_string()
