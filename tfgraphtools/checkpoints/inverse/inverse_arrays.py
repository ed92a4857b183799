"""The tensors of TF1 of weights in another library, by the family or by matching."""

import collections
import collections.abc
import contextlib
import json
import os

import numpy as np

from tfgraphtools.checkpoints.families import applications, family_registry
from tfgraphtools.checkpoints.families import entries as _entries
from tfgraphtools.checkpoints.families import family as _family
from tfgraphtools.checkpoints.format import dtypes
from tfgraphtools.checkpoints.keras import keras_layers, keras_models
from tfgraphtools.checkpoints.optimizers import optimizer_slots
from tfgraphtools.checkpoints.torch import torch_models
from tfgraphtools.errors import DamagedCheckpointError, ModelError, PlanError, UnmatchedError

#: ``arrays``: {tensor: array} of all that a source has; ``notes``: what was assumed, and what file
#: said how a layer computes.
Arrays = collections.namedtuple("Arrays", "arrays notes")

#: The files of weights in a folder of Hugging Face, the newer one first.
_FOLDER_WEIGHTS, _INDEX = ("model.safetensors", "pytorch_model.bin"), ".index.json"


def find(source, like, without, options):
    """Returns the `Arrays` of everything that a source has.

    Args:
      source: as in `to_tf1`.
      like: the open checkpoint.
      without: names of its tensors that have no place in the source.
      options: of the matching.

    Raises:
      As `plan_tf1`.
    """
    if isinstance(source, (str, os.PathLike)):
        source = os.fspath(source)
        if os.path.isdir(source):
            source = _of_folder(source)
    if _is_keras(source):
        arrays = None if set(options) - {"graph"} else _of_application(source, like, without)
        if arrays is not None:
            return Arrays(arrays, [])
        if isinstance(source, str) and source.endswith(".h5"):
            raise ModelError(
                source,
                "a file that says which model it is of, such as .keras",
                "an .h5 file of weights",
                "Load it into the model (load_weights), and pass model.save('model.keras') or, in "
                "Python, the model.",
            )
        return _of_keras(source, like, without, options)
    model = torch_models.load(source, "to_tf1")
    if not set(options) - {"graph"}:
        arrays = _of_family(model, like, without)
        if arrays is not None:
            return Arrays(arrays, [])
    return _of_torch(model, like, without, options)


def _of_folder(folder):
    """Returns the file of weights in a folder, or the arrays of its shards."""
    for path in [os.path.join(folder, name) for name in _FOLDER_WEIGHTS]:
        if os.path.isfile(path):
            return path
        if os.path.isfile(path + _INDEX):
            return _of_shards(folder, path)
    raise ModelError(
        folder,
        "a folder with {}".format(" or ".join(_FOLDER_WEIGHTS)),
        "neither",
        "Save the model there: save_pretrained().",
    )


def _of_shards(folder, path):
    """Returns the arrays of the files that an index lists."""
    with open(path + _INDEX, "rb") as file:
        try:
            files = sorted(set(json.load(file)["weight_map"].values()))
            is_index = bool(files) and all(isinstance(name, str) for name in files)
        except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
            is_index = False
    if not is_index:
        raise DamagedCheckpointError(
            path + _INDEX,
            "the JSON of a sharded model: {'weight_map': {name: file}}",
            "something else",
            "Save the model again: save_pretrained().",
        )
    arrays = {}
    for name in files:
        shard = torch_models.load(os.path.join(folder, os.path.basename(name)), "to_tf1")
        arrays.update((entry, shard.values(entry)) for entry in shard.entries)
    return arrays


def _is_keras(source):
    if isinstance(source, str):
        return source.endswith((".keras", ".h5"))
    return not isinstance(source, collections.abc.Mapping) and bool(keras_models.package_of(source))


# By family ------------------------------------------------------------------------------


def _of_family(model, like, without):
    """Returns the arrays by the family's data, or None if it is no such model."""
    for to in ("hf", "timm", "torch"):
        arrays = _of_target(to, model, like, without)
        if arrays is not None:
            return arrays
    return None


def _of_application(source, like, without):
    """Returns the same of a model of keras.applications, by the names of its layers."""
    shapes = _shapes(like, without)
    family = family_registry.find_family(shapes)
    if not family or not _family.target_of(family, shapes, "keras"):
        return None
    if isinstance(source, str) and source.endswith(".h5"):  # weights alone
        keras_model = applications.plan_application(like).build()
        keras_model.load_weights(source)
    else:
        keras_model = keras_models.load(source, "to_tf1")
    variables = applications.variables_of(keras_model)
    entries = {
        name: torch_models.Weight(name, keras_layers.shape_of(variable), "float32")
        for name, variable in variables.items()
    }
    model = torch_models.Model((), entries, {}, lambda name: np.asarray(variables[name]), None)
    return _of_target("keras", model, like, without)


def _of_target(to, model, like, without):
    """Returns the arrays by the data of one library, or None."""
    shapes = _shapes(like, without)
    family = family_registry.find_family(shapes)
    target = family and _family.target_of(family, shapes, to)
    if not target:
        return None
    for name in [target[1], *target[0].likewise.get(target[1], ())]:
        entries, _, unknown = _entries.entries(target[0], shapes, name)
        stored = [entry for entry in entries if entry.value is None]
        if not unknown and {entry.name for entry in stored} <= set(model.entries):
            _require_constants(entries, model, shapes)
            _require_all(model, entries)
            return _undone(stored, model, shapes, like)
    return None


def _shapes(like, without):
    """Returns {tensor: shape} of the weights: global_step, which stays, is no part of any model."""
    shapes = {name: tuple(like.store.summary(name)[1]) for name in like if name not in without}
    state = optimizer_slots.optimizer_state(shapes)
    return {name: shape for name, shape in shapes.items() if name not in state}


def _undone(entries, model, shapes, like):
    arrays, stacks = {}, {}
    for entry in entries:
        shape = _entries.shape_of(entry, shapes[entry.source])
        array = model.values(entry.name)
        undone = _entries.layout_of(entry, shape).backward(array)
        if entry.layout == _entries.UNPADDED:
            undone = np.concatenate([like[entry.source][:1].astype(undone.dtype), undone[1:]])
        if entry.index is None:
            arrays[entry.source] = undone
        else:
            stacks.setdefault(entry.source, {})[entry.index] = undone
    for source, parts in stacks.items():
        arrays[source] = np.stack([parts[index] for index in sorted(parts)])
    return arrays


def _require_constants(entries, model, shapes):
    """Raises where a weight that TF1's layer does not have has left its neutral value."""
    for entry in entries:
        if entry.value is not None and entry.name in model.entries:
            values = np.asarray(model.values(entry.name))
            like = np.broadcast_to(values.dtype.type(0), shapes[entry.source])
            if not np.array_equal(values, _entries.array_of(entry, like)):
                raise PlanError(
                    entry.name,
                    _entries.words_of(entry, shapes[entry.source]),
                    "other values",
                    "Freeze it when you train the model on.",
                )


def _require_all(model, entries):
    """Raises where the source has weights that the TF1 model has no tensor for."""
    known = {entry.name for entry in entries}
    more = [n for n in model.entries if n not in known and not _is_no_weight(n)]
    tied = [name for name in more if _equals_one_of(name, model, known)]
    more = sorted(set(more) - set(tied))
    if more:
        raise PlanError(
            "to_tf1",
            "weights that the TF1 model has",
            ", ".join(map(repr, more[:5])) + (", ..." if len(more) > 5 else ""),
            "Pass the checkpoint of a model with the same head as like=... (--like).",
        )


def _is_no_weight(name):
    """Tells whether it is a counter or a computed buffer: position ids, causal masks."""
    return name.endswith(("num_batches_tracked", "position_ids", "attn.bias", "masked_bias"))


def _equals_one_of(name, model, known):
    """Tells whether an entry is another one written twice, as tied weights are."""
    shape = model.entries[name].shape
    return any(
        model.entries[other].shape == shape
        and np.array_equal(model.values(other), model.values(name))
        for other in known
        if other in model.entries
    )


# By matching ------------------------------------------------------------------------------


def _of_torch(model, like, without, options):
    from tfgraphtools.checkpoints.torch import torch_migration

    with _naming_resize():
        plan = torch_migration.plan_torch(
            like, model, drop=_exactly(without), exact_types=False, **options
        )
    arrays_found = {}
    for match in plan.matches:
        arrays = {role: _part(model, weight) for role, weight in match.target.weights.items()}
        arrays_found.update(_back(match, arrays))
    return Arrays(
        arrays_found, [note for note in plan.notes if not note.startswith(torch_migration.COUNTERS)]
    )


@contextlib.contextmanager
def _naming_resize():
    """Adds what to do about other numbers of rows to the error of a matching."""
    try:
        yield
    except UnmatchedError as error:
        if "has the shape" not in str(error.got):
            raise
        advice = "Rows that became more or fewer: resize={tensor: rows} (--resize TENSOR ROWS)."
        raise UnmatchedError(
            error.place, error.expected, error.got, f"{error.next_step} {advice}"
        ) from None


def _part(model, weight):
    array = np.asarray(model.values(weight.path))
    if weight.parts == 1:
        return array
    rows = array.shape[0] // weight.parts
    return array[weight.part * rows : (weight.part + 1) * rows]


def _of_keras(source, like, without, options):
    from tfgraphtools.checkpoints.keras import keras_migration

    with _naming_resize():
        plan = keras_migration.plan_keras(
            like,
            source,
            drop=_exactly(without),
            drop_optimizer=True,
            exact_types=False,
            **options,
        )
    arrays_found = {}
    for match in plan.matches:
        arrays = {r: _of_variable(w) for r, w in match.target.weights.items()}
        arrays_found.update(_with_old_bits(match, _back(match, arrays), like))
    return Arrays(arrays_found, plan.notes)


def _of_variable(weight):
    array = np.asarray(weight.variable)
    return array.astype(np.float32) if weight.dtype in dtypes.FOREIGN_FLOATS else array


def _with_old_bits(match, converted, like):
    """Returns the values of ``like`` where they become what the model has.

    Keras's LSTM holds TF1's bias and forget bias in one number, which has lost the low bits.
    """
    if not match.fit.is_shifted:
        return converted
    old = {argument: like.read(name) for argument, name in match.fit.leaves.items()}
    again = match.fit.back(match.fit.convert(old))
    return {
        name: np.where(again[argument] == converted[name], old[argument], converted[name])
        for argument, name in match.fit.leaves.items()
    }


def _exactly(names):
    from tfgraphtools.checkpoints.plans import rules

    return [rules.exactly(name) for name in sorted(names)]


def _back(match, arrays):
    """Returns {tensor: array} of one match."""
    if match.fit.back is None:
        raise PlanError(
            f"{match.source.name!r} from {match.target.name!r}",
            "a conversion that can be undone",
            f"one that cannot ({match.source.kind})",
            "Leave it out: drop=[...] (--drop).",
        )
    undone = match.fit.back(arrays)
    return {match.fit.leaves[a]: np.array(array, order="C") for a, array in undone.items()}
