"""Walks the public API of TensorFlow 1.x, contrib included: names, kinds and signatures."""

import importlib
import inspect
import types

_SKIPPED = ("compat", "python", "core", "examples", "tools", "pywrap_tensorflow", "app", "test")
_PUBLIC = ("tensorflow._api", "tensorflow_core._api", "tensorflow_core.keras", "tensorflow.contrib",
           "tensorflow_core.contrib", "tensorflow_core.estimator", "tensorflow_estimator",
           "tensorflow_core.python.keras.api")  # fmt: skip

#: Walked last: where a symbol has several names, another is the better one.
_LAST = ("contrib", "raw_ops")

#: Names that are never called: they touch files, start servers, wait, or end the process.
NEVER = (
    "tensorflow.gfile", "tensorflow.io.gfile", "tensorflow.train.", "tensorflow.summary.File",
    "tensorflow.io.write", "tensorflow.write_file", "tensorflow.distribute", "tensorflow.profiler",
    "tensorflow.saved_model", "tensorflow.io.tf_record", "tensorflow.python_io", "tensorflow.lite",
    "tensorflow.tpu", "tensorflow.debugging.enable", "tensorflow.enable_", "tensorflow.disable_",
    "tensorflow.load_", "tensorflow.contrib.tpu", "tensorflow.contrib.cloud", "tensorflow.flags",
    "tensorflow.contrib.training.wait", "tensorflow.contrib.training.checkpoints",
    "tensorflow.contrib.training.evaluate_rep", "tensorflow.contrib.slim.evaluation",
    "tensorflow.keras.datasets", "tensorflow.keras.utils.get_file", "tensorflow.keras.applications",
    "tensorflow.contrib.learn.datasets", "tensorflow.config", "tensorflow.py_func",
    "tensorflow.estimator", "tensorflow.contrib.distribute", "tensorflow.contrib.eager",
    "tensorflow.logging", "tensorflow.contrib.tfprof", "tensorflow.contrib.session_bundle",
    "tensorflow.contrib.saved_model", "tensorflow.contrib.mpi", "tensorflow.contrib.bigtable",
    "tensorflow.contrib.ffmpeg", "tensorflow.InteractiveSession", "tensorflow.contrib.kafka",
    "tensorflow.contrib.summary", "tensorflow.contrib.keras", "tensorflow.raw_ops.Batch",
    "tensorflow.raw_ops.Unbatch", "tensorflow.experimental", "tensorflow.WholeFileReader",
)  # fmt: skip

#: Exceptions to NEVER, which change nothing but the graph.
SAFE = (
    "tensorflow.train.exponential", "tensorflow.train.natural", "tensorflow.train.cosine",
    "tensorflow.train.linear_cosine", "tensorflow.train.noisy", "tensorflow.train.polynomial",
    "tensorflow.train.piecewise", "tensorflow.train.inverse",
)  # fmt: skip


#: Parts of names of what changes a setting of the whole process, under any alias.
SETTINGS = ("keras_style", "resource_variables", "v2_behavior", "v2_tensorshape", "eager_execution")


def never_called(name):
    """Whether calling a symbol would do more than build a graph."""
    if any(part in name for part in SETTINGS):
        return True
    return name.startswith(NEVER) and not name.startswith(SAFE)


def walk(module, name):
    """Yields (dotted name, object) of a public module, its modules and contrib's."""
    seen = set()

    def visit(module, name, depth):
        if id(module) in seen or depth > 5:
            return
        seen.add(id(module))
        for attribute in sorted(dir(module), key=lambda item: (item in _LAST, item)):
            if attribute.startswith("_") or attribute in ("absolute_import", "division"):
                continue
            if attribute == "print_function" or (name == "tensorflow" and attribute in _SKIPPED):
                continue
            try:
                value = getattr(module, attribute)
            except Exception:  # a lazily loaded module that cannot be loaded
                continue
            full = name + "." + attribute
            if isinstance(value, types.ModuleType):
                if name == "tensorflow" or value.__name__.startswith(_PUBLIC):
                    if attribute not in ("python", "ops", "kernels"):
                        yield from visit(value, full, depth + 1)
            elif callable(value):
                yield full, value

    yield from visit(module, name, 0)


def find(name):
    """The object of a dotted name."""
    parts = name.split(".")
    value = importlib.import_module(parts[0])
    for position, part in enumerate(parts[1:], 2):
        try:
            value = getattr(value, part)
        except AttributeError as error:  # GoneError, too, which says more than ImportError
            try:
                value = importlib.import_module(".".join(parts[:position]))
            except ImportError:
                raise error from None
    return value


def signature(value):
    """[[parameter, has default, repr of the default]], or None where Python cannot tell."""
    function = value.__init__ if inspect.isclass(value) else value
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    listed = []
    for parameter in parameters:
        if parameter.name == "self":
            continue
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            listed.append(["*" + parameter.name, True, ""])
            continue
        has = parameter.default is not parameter.empty
        listed.append([parameter.name, has, plain(parameter.default) if has else ""])
    return listed


def plain(value):
    """A default as text that does not depend on the version."""
    if isinstance(value, (int, float, str, bool, type(None), bytes)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(plain(item) for item in value) + "]"
    name = getattr(value, "name", None) or getattr(value, "__name__", None)
    return "<" + str(name or type(value).__name__) + ">"
