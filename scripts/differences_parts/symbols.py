"""Walks the public API of TensorFlow 1.x, contrib included: names, kinds and signatures."""

import importlib
import inspect
import re
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


def takes_name(symbol):
    """Whether a function has a parameter for the name of what it returns."""
    return not symbol["class"] and any(name == "name" for name, *_ in symbol["signature"])


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


#: Methods that wait, end something, or are not of the object.
_NOT_CALLED = re.compile(
    r"_|mro$|join|wait|run|close|stop|start|begin|loop|prepare_or_wait|managed|request|recover|"
    r"fit|evaluate|predict|train|enable|disable|export|save|restore|Parse|Merge|Serialize|next$"
)

#: Methods with underscores that are called: the operators of a script.
_OPERATORS = (
    "__getitem__ __add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ "
    "__div__ __floordiv__ __rfloordiv__ __mod__ __rmod__ __pow__ __rpow__ __matmul__ __and__ "
    "__or__ __xor__ __invert__ __neg__ __abs__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __len__ "
    "__bool__ __int__ __iter__ __contains__ __call__"
).split()


def methods(value):
    """Yields (name, the class that has it, signature) of the methods that are called."""
    for name in sorted(dir(value)):
        if _NOT_CALLED.match(name) and name not in _OPERATORS:
            continue
        try:
            method = getattr(value, name)
        except Exception:
            continue
        if not inspect.isroutine(method) and not hasattr(method, "__wrapped__"):
            continue
        owners = [cls for cls in type(value).__mro__ if name in vars(cls)]
        found = signature(method)
        if owners and owners[0] is not object and found is not None:
            yield name, owners[0].__module__ + "." + owners[0].__name__, found


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
