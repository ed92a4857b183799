"""``multi_gpu_model`` of Keras up to 2.3 and TF 1.15, which ``tf_keras`` has no more."""

import sys

from tfgraphtools.compat.engine import notices
from tfgraphtools.compat.engine.rows import Fix, Table


def multi_gpu_model(model, gpus, cpu_merge=True, cpu_relocation=False):
    """Returns a model that splits its batch over GPUs, each of which runs `model` on its part.

    Args:
      model: a functional or sequential model; its weights are shared.
      gpus: how many GPUs, at least 2, or a list of their numbers.
      cpu_merge: whether the outputs are concatenated on the CPU, else on the first GPU.
      cpu_relocation: whether the model is built again with its weights on the CPU.

    Raises:
      ValueError: fewer than two GPUs, or one that this machine has not.
    """
    import tf_keras

    from tfgraphtools._tf import v1

    numbers = gpus if isinstance(gpus, (list, tuple)) else range(gpus)
    if len(numbers) <= 1:
        asked = "len(gpus)" if isinstance(gpus, (list, tuple)) else "gpus"
        raise ValueError(
            "For multi-gpu usage to be effective, call `multi_gpu_model` with "
            f"`{asked} >= 2`. Received: `gpus={gpus}`"
        )
    _check_devices(gpus, ["/cpu:0"] + [f"/gpu:{number}" for number in numbers])
    if v1.executing_eagerly():
        notices.once(
            "multi_gpu_model",
            "multi_gpu_model: in eager execution TF 2.x chooses a GPU for each part of a batch",
        )
    if cpu_relocation:
        with v1.device("/cpu:0"):
            model = tf_keras.models.clone_model(model)

    parts = []
    for place, number in enumerate(numbers):
        with v1.device(f"/gpu:{number}"), tf_keras.backend.name_scope(f"replica_{number}"):
            sliced = [_part(x, place, len(numbers)) for x in model.inputs]
            outputs = model(sliced if len(sliced) > 1 else sliced[0])
            parts.append(outputs if isinstance(outputs, list) else [outputs])
    names = _distinct(model.output_names)
    with v1.device("/cpu:0" if cpu_merge else f"/gpu:{numbers[0]}"):
        merged = [
            tf_keras.layers.concatenate(list(outputs), axis=0, name=name)
            for name, outputs in zip(names, zip(*parts))
        ]
    return tf_keras.Model(model.inputs, merged)


def _check_devices(gpus, expected):
    available = [_normalize_device_name(name) for name in _get_available_devices()]
    if any(device not in available for device in expected):
        raise ValueError(
            f"To call `multi_gpu_model` with `gpus={gpus}`, we expect the following devices to be "
            f"available: {expected}. However this machine only has: {available}. "
            "Try reducing `gpus`."
        )


def _get_available_devices():
    from tfgraphtools._tf import v1

    return [device.name for device in v1.config.list_logical_devices()]


def _normalize_device_name(name):
    return "/" + name.lower().split("device:")[1]


def _part(x, place, count):
    import tf_keras

    layer = tf_keras.layers.Lambda(
        _get_slice,
        output_shape=tuple(x.shape.as_list())[1:],
        arguments={"place": place, "count": count},
    )
    return layer(x)


def _get_slice(data, place, count):
    """Returns part `place` of a batch that is cut into `count`; the last one takes the rest."""
    from tfgraphtools._tf import v1

    size = v1.shape(data)[0]
    step = size // count
    return data[step * place :] if place == count - 1 else data[step * place : step * (place + 1)]


def _distinct(names):
    """Yields names of outputs, numbered from 1 where several may be one tensor's."""
    counts = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
        yield f"{name}_{counts[name]}" if names.count(name) > 1 else name


TABLES = (
    Table(
        "functions of Keras's utilities",
        "names",
        [
            Fix(
                keras + ".utils.multi_gpu_model",
                "TF 2.4",
                "splits each batch over GPUs",
                lambda real: multi_gpu_model,
            )
            for keras in ("tensorflow.keras", "keras")
        ],
    ),
    Table(
        "modules of Keras's utilities",
        "modules",
        [
            Fix(name, "TF 2.4", "holds multi_gpu_model", lambda: sys.modules[__name__])
            for name in (
                "keras.utils.multi_gpu_utils",
                "keras.utils.training_utils",
                "tensorflow.python.keras.utils.multi_gpu_utils",
            )
        ],
    ),
)
