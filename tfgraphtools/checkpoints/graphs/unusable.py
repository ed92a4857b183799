"""The parts of a graph that the installed TensorFlow cannot use; it is imported and asked."""

import os
from typing import List, Tuple, Union

from tfgraphtools.checkpoints.format.wire import expect_bytes, fields, last_fields, reading, text
from tfgraphtools.checkpoints.graphs import metagraph
from tfgraphtools.checkpoints.graphs.contrib_ops import MODULE_OF
from tfgraphtools.checkpoints.read.tensorflow_package import require_tensorflow

_ANYWHERE = {"CPU", "DEFAULT"}


def unusable(graph: Union[str, "os.PathLike[str]"]) -> List[Tuple[str, str]]:
    """Lists what of a graph the installed TensorFlow cannot load or run here; imports it.

    It does nothing about whether the values of the graph make sense.

    Args:
      graph: a ``.meta`` or ``.pb`` file.

    Returns:
      [(op or "collection NAME", why)].

    Example:
      >>> unusable("model.ckpt-1.meta")                                # doctest: +SKIP
      [('Resampler', 'an op of tf.contrib.resampler')]

    Raises:
      DamagedCheckpointError: it is no graph.
      MissingExtraError: TensorFlow is not installed.
    """
    graph = os.fspath(graph)
    require_tensorflow(graph)
    used = metagraph.read(graph).ops
    without = dict(lacking(used))
    reasons = [
        (op, f"an op of {of}" if of else "an op that this TensorFlow does not have")
        for op, of in without.items()
    ]
    reasons += [
        (op, "an op for {} alone, of which this machine has none".format(" and ".join(devices)))
        for op, devices in _without_kernels(used - set(without))
    ]
    return sorted(reasons) + _dangling(graph)


def lacking(used):
    """Returns [(op, module of tf.contrib that had it or "")] of ops that TensorFlow lacks."""
    from tensorflow.python.framework import op_def_registry

    if hasattr(op_def_registry, "get"):
        names = [op for op in used if op_def_registry.get(op) is None]
    else:
        known = op_def_registry.get_registered_ops()
        names = [op for op in used if op not in known]
    return [(op, MODULE_OF.get(op, "")) for op in sorted(names)]


def _without_kernels(used):
    """Yields (op, types of devices) of the ops whose kernels are for devices that are not here."""
    import tensorflow as tf
    from tensorflow.python.framework import kernels

    here = {device.device_type for device in tf.config.experimental.list_physical_devices()}
    for op in sorted(used):
        types = {kernel.device_type for kernel in kernels.get_registered_kernels_for_op(op).kernel}
        types = {device for device in types if not device.startswith("XLA_")}
        if types and not types & (_ANYWHERE | here):
            yield op, sorted(types)


def _dangling(path):
    """Returns [(collection, why)] of names without a node, which import_meta_graph refuses."""
    if not path.endswith(".meta"):
        return []
    with open(path, "rb") as file:
        data = file.read()
    nodes = metagraph.nodes(path)[0]
    dangling = []
    with reading(path, "Pass the .meta beside the checkpoint."):
        for number, entry in fields(data):
            if number != 4:
                continue
            pair = last_fields(expect_bytes(entry))
            listed = last_fields(expect_bytes(pair.get(2, b""))).get(1, b"")
            names = [text(name) for field, name in fields(expect_bytes(listed)) if field == 1]
            absent = [name for name in names if name.split(":")[0].lstrip("^") not in nodes]
            if absent:
                why = f"names {absent[0]}, which is not in the graph: import_meta_graph fails"
                dangling.append(("collection " + text(pair.get(1, b"")), why))
    return dangling
