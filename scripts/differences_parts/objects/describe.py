"""What is kept of an object's attributes: their classes, values and signatures, as JSON."""

import functools
import inspect
import json
import re

import numpy as np
import symbols
import tensorflow as tf
from google.protobuf import json_format

#: Elements of a list that are kept, and how deep.
KEPT, DEEP = 24, 2

#: Classes whose instances are told apart by their names, whatever a version calls the classes.
_NAMED = ("IndexedSlices", "SparseTensor", "Variable", "Tensor", "Operation")

#: Names of attributes that are not asked for: they are of Python, or reading them does something.
_SKIPPED = re.compile(
    r"__|_abc_|_tf_api|_keras_api|_estimator_api|_tf_decorator|_tf_deprecat|_.+__|_self_|"
    r"(_fields_defaults|_id|_id_value|_extensions_by_\w+|_is_graph_tensor|_hash|"
    r"_next_checkpoint_time|_name_uid\w*|DESCRIPTOR|FromString|Extensions|RegisterExtension)$"
)

_MISSING = "missing"


def attributes(value, asked=()):
    """{attribute: [the class that has it, its description]}, of those of `dir` and of `asked`."""
    names = asked or [name for name in _listed(value) if not _SKIPPED.match(name)]
    return {name: [_owner(value, name), _attribute(value, name)] for name in names}


def _listed(value):
    if isinstance(value, dict) or type(value) in (list, tuple):
        return []
    try:
        return sorted(set(dir(value)))
    except Exception:
        return []


def _owner(value, name):
    for cls in type(value).__mro__:
        if name in vars(cls):
            return cls.__name__
    return type(value).__name__


def read(value, name):
    """``value.name`` as a user's file has it, which `run` may adapt."""
    return _reader(name)(value)


def _attribute(value, name):
    try:
        found = read(value, name)
    except AttributeError:
        return {"is": _MISSING}
    except Exception as error:
        return {"is": "error", "value": type(error).__name__}
    return of(found)


@functools.lru_cache(maxsize=None)
def _reader(name):
    space = {"__name__": __name__, "__file__": __file__}
    exec(f"import tensorflow as tf\n\ndef read(value):\n    return value.{name}\n", space)
    return space["read"]


def of(value, depth=0):
    """A description of a value."""
    if value is None or isinstance(value, (bool, int, float, complex)):
        return {"is": type(value).__name__, "value": repr(value)}
    if isinstance(value, (str, bytes)):
        return {"is": type(value).__name__, "value": _text(value)}
    if isinstance(value, np.generic):
        return {"is": "numpy." + type(value).__name__, "value": repr(value.item())}
    if isinstance(value, np.ndarray):
        shown = value.ravel()[:KEPT].tolist()
        return {"is": "ndarray", "value": f"{value.dtype} {value.shape} {_text(repr(shown))}"}
    if isinstance(value, (tf.TensorShape, tf.DType)):
        return {"is": type(value).__name__, "value": str(value)}
    if type(value).__name__ == "Dimension":
        return {"is": "Dimension", "value": str(value)}
    if inspect.isclass(value):
        return {"is": "class", "value": value.__name__}
    if inspect.ismodule(value):
        return {"is": "module"}
    for name in _NAMED:
        if isinstance(value, getattr(tf, name)):
            return {"is": name, "value": _name_of(value)}
    if hasattr(value, "SerializeToString") and hasattr(value, "DESCRIPTOR"):
        return {"is": value.DESCRIPTOR.name, "value": _message(value)}
    if isinstance(value, dict):
        if depth >= DEEP:
            return {"is": "dict", "value": len(value)}
        if not all(isinstance(key, (str, bytes)) for key in value):
            return {
                "is": "dict",
                "value": [of(one, depth + 1) for one in list(value.values())[:KEPT]],
            }
        return {"is": "dict", "value": {_text(key): of(value[key], depth + 1) for key in value}}
    if isinstance(value, (list, tuple, set, frozenset)):
        kind = next(k.__name__ for k in (list, tuple, set, frozenset) if isinstance(value, k))
        if hasattr(value, "_fields"):
            kind = type(value).__name__
        if depth >= DEEP or "set" in kind:
            return {"is": kind, "value": len(value)}
        return {"is": kind, "value": [of(one, depth + 1) for one in list(value)[:KEPT]]}
    if callable(value) and (inspect.isroutine(value) or hasattr(value, "__wrapped__")):
        return {"is": "callable", "signature": symbols.signature(value)}
    return {"is": type(value).__name__}


def _name_of(value):
    """The name of a tensor, an op or a variable, its dtype and static shape."""
    parts = []
    for name in ("name", "dtype", "shape"):
        try:
            parts.append(str(getattr(value, name)))
        except Exception:  # a tensor of eager execution has no name
            parts.append("-")
    return " ".join(parts)


def _message(value):
    """The fields of a protobuf message, in an order that no version changes."""
    fields = json_format.MessageToDict(value, preserving_proto_field_name=True)
    return _text(json.dumps(fields, sort_keys=True))


def _text(value):
    """A text without what differs from process to process."""
    text = value.decode("latin-1") if isinstance(value, bytes) else value
    text = re.sub(r"0x[0-9a-f]{6,}", "0x", text)
    text = re.sub(r"grap(h?)-key-\d+", "graph-key-", text)
    text = re.sub(r"__inference_(.*)_\d+", r"__inference_\1_", text)
    text = re.sub(r"\b1[5-9]\d{8}(\.\d+)?\b", "TIME", text)
    return re.sub(r"/tmp/\w+(/tmp\w+)?", "/tmp/_", text)[:1000]
