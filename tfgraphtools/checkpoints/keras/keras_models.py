"""Keras models from files, and the files that are written: the one place that imports Keras."""

import importlib
import importlib.util
import json
import os
import sys
import zipfile

from tfgraphtools.checkpoints.plans import replacement, staging
from tfgraphtools.errors import DestinationError, MissingExtraError, ModelError

WEIGHTS, WHOLE = ".weights.h5", ".keras"
_MOST_METADATA = 1 << 20


def load(model, place="to_keras"):
    """Returns a built model: the one given, or that of a file.

    Args:
      model: a Keras 3 or tf_keras model; a ``.keras`` file; a ``.json`` file of its config; or
        ``model.py:build``, a function without arguments that returns a model.

    Raises:
      ModelError: it is no model, cannot be loaded, or has no weights yet.
      MissingExtraError: the Keras that it is for is not installed.
    """
    if isinstance(model, (str, os.PathLike)):
        place = os.fspath(model)
        model = _from_file(place)
    package = package_of(model)
    if package is None or not hasattr(model, "weights"):
        raise ModelError(
            place,
            "a model of Keras 3 or tf_keras",
            f"a {type(model).__module__}.{type(model).__name__}",
            "Pass a model, 'model.keras', 'config.json' or 'model.py:function'.",
        )
    if not model.built or not model.weights:
        raise ModelError(
            place,
            "a model that has its weights",
            "one that is not built, or has none",
            "Call it on data, or model.build(input_shape), first.",
        )
    _require_eager(package, place)
    return model


def package_of(item):
    """Returns "keras" or "tf_keras" by an object's classes, None for anything else."""
    for base in type(item).__mro__:
        root = base.__module__.partition(".")[0]
        if root in ("keras", "tf_keras"):
            return root
    return None


def _require_eager(package, place):
    tensorflow = sys.modules.get("tensorflow")
    if tensorflow is not None and not tensorflow.executing_eagerly():
        raise ModelError(
            place,
            f"a process in which {package} can write its variables",
            "one with eager execution disabled",
            "Convert in a process of its own, such as 'tfgraphtools ckpt convert --to keras'.",
        )


def _from_file(path):
    file, colon, function = path.rpartition(":")
    if colon and file.endswith(".py"):
        return _from_python(file, function)
    if path.endswith(".py"):
        raise ModelError(
            path,
            "a Python file and the function in it that returns a Keras model",
            "the file alone",
            f"Write {path}:build, with the function's name.",
        )
    if not os.path.isfile(path):
        raise ModelError(
            path, "a model's file", "none", "Pass model.keras, config.json or model.py:function."
        )
    if path.endswith(".json"):
        with open(path, "rb") as file:
            description = _parsed(path, file.read())
        package = "tf_keras" if _is_version_2(description) else "keras"
        text = json.dumps(description)
        return _called(path, _imported(package, path).models.model_from_json, text)
    if path.endswith(WHOLE) and zipfile.is_zipfile(path):
        metadata = _parsed(path, _called(path, _metadata, path))
        package = "tf_keras" if _is_version_2(metadata) else "keras"
        return _called(path, _imported(package, path).models.load_model, path)
    raise ModelError(
        path,
        "a .keras file, a .json file or model.py:function",
        "something else",
        "Write the model with model.save('model.keras').",
    )


def _metadata(path):
    """Returns the bytes that say which Keras wrote a file; few enough for any archive."""
    with zipfile.ZipFile(path) as archive, archive.open("metadata.json") as file:
        return file.read(_MOST_METADATA)


def _parsed(path, data):
    try:
        parsed = json.loads(data)
    except (ValueError, RecursionError) as error:
        parsed = error
    if not isinstance(parsed, dict):
        raise ModelError(path, "the JSON of a model", str(parsed), "Write it with model.to_json().")
    return parsed


def _is_version_2(description):
    return str(description.get("keras_version", "3")).startswith("2")


def _from_python(path, function):
    """Returns what a function of a file returns; the file may import its neighbours."""
    if not os.path.isfile(path):
        raise ModelError(path, "a Python file", "none", "Pass model.py:function.")
    folder = os.path.dirname(os.path.abspath(path))
    name = os.path.splitext(os.path.basename(path))[0]
    specification = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(specification)
    sys.path.insert(0, folder)
    try:
        _called(path, specification.loader.exec_module, module)
        build = getattr(module, function, None)
        if not callable(build):
            raise ModelError(
                path, f"a function {function!r}", "none", "Name it: model.py:function."
            )
        return _called(f"{path}:{function}", build)
    finally:
        sys.path.remove(folder)


def _called(place, function, *arguments, let=()):
    """Calls a function that is not ours; puts what it raises, but ``let``, in one line."""
    try:
        return function(*arguments)
    except (ModelError, *let):
        raise
    except Exception as error:
        lines = str(error).strip().splitlines() or [""]
        raise ModelError(
            place,
            "code and files that load",
            f"{type(error).__name__}: {lines[0]}",
            "Try it in plain Python first.",
        ) from error


def _imported(package, place):
    try:
        return importlib.import_module(package)
    except ImportError as error:
        name = "Keras 3 (TensorFlow 2.16 and newer install it)" if package == "keras" else package
        command = "keras" if package == "keras" else "tf_keras"
        raise MissingExtraError(
            place, name, "none installed", f"Install it: pip install {command}."
        ) from error


def require_keras(place):
    """Returns Keras 3, or raises `MissingExtraError`."""
    keras = _imported("keras", place)
    if not hasattr(keras, "ops"):
        raise MissingExtraError(
            place, "Keras 3", f"Keras {keras.__version__}", "Install it: pip install 'keras>=3'."
        )
    _require_eager("keras", place)
    return keras


# Writing ------------------------------------------------------------------------


def require_destination(destination, overwrite):
    """Raises `DestinationError` unless a file of this name can be written."""
    if not destination.endswith((WEIGHTS, WHOLE)):
        raise DestinationError(
            destination,
            f"a name that ends in {WEIGHTS} or {WHOLE}",
            os.path.basename(destination) or "a folder",
            f"Add one: {destination}{WHOLE}.",
        )
    replacement.require_free(destination, overwrite)
    try:
        import h5py  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(
            destination,
            "the package h5py, with which Keras writes",
            "none installed",
            "Install it: pip install h5py.",
        ) from error


def write(model, destination, overwrite):
    """Writes a model: beside the destination, and in one step into its place.

    Keras writes ``.weights.h5`` variable by variable; for ``.keras`` it may hold them all again.
    """
    ending = WEIGHTS if destination.endswith(WEIGHTS) else WHOLE
    save = model.save_weights if ending == WEIGHTS else model.save
    with replacement.replacing(destination, overwrite) as staged:
        named = staged + ending  # Keras goes by the name
        try:
            _called(
                destination, save, named, let=(OSError,)
            )  # a full disk is not the model's fault
            os.rename(named, staged)
        finally:
            staging.remove(named)
