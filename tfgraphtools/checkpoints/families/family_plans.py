"""A checkpoint of a known family for another library: shown, then written."""

import collections
import json
import os
import re
from typing import Any, Callable, Dict, List, Optional, Sequence

import numpy as np

from tfgraphtools.checkpoints.families import entries as _entries
from tfgraphtools.checkpoints.families import family as _family
from tfgraphtools.checkpoints.families import family_registry, inventory, settings
from tfgraphtools.checkpoints.format.type_hints import Path, Progress
from tfgraphtools.checkpoints.optimizers import optimizer_slots
from tfgraphtools.checkpoints.read.checkpoint import Checkpoint
from tfgraphtools.checkpoints.torch import torch_files
from tfgraphtools.errors import CollisionError, PlanError

#: A tensor of the library and where it comes from.
Row = collections.namedtuple("Row", "name dtype shape source step")


class FamilyPlan:
    """The files to write, planned by `plan_hugging_face`, `plan_timm` and others.

    Attributes:
      family, architecture: names, as `family_of` gives them.
      config: the settings of the model in the library.
      dropped: tensors that are left out.
      notes: sentences that the user should read.
    """

    def __init__(
        self,
        ckpt: Checkpoint,
        family: _family.Family,
        target: _family.Target,
        architecture: str,
        entries: Sequence[_family.Entry],
        config: Dict[str, Any],
        dropped: Sequence[str],
    ):
        self.checkpoint, self.target, self._entries = ckpt, target, entries
        self.family, self.architecture = family.name, architecture
        self.config, self.dropped, self.notes = config, dropped, list(target.notes)

    def rows(self) -> List[Row]:
        """Returns a `Row` for every tensor."""
        rows = []
        for entry in self._entries:
            dtype, shape = self.checkpoint.store.summary(entry.source)[:2]
            step = _entries.words_of(entry, shape)
            rows.append(Row(entry.name, dtype, _shape(entry, shape), entry.source, step))
        return rows

    def check(self) -> None:
        """Raises `DamagedCheckpointError` unless every tensor is what was written."""
        for source in sorted({entry.source for entry in self._entries}):
            self.checkpoint.check(source)

    def readers(self, as_stored: bool = True) -> Dict[str, Callable[[], np.ndarray]]:
        """Returns {name: function that gives the values}; not as stored, bfloat16 is float32."""
        return {entry.name: self._reader(entry, as_stored) for entry in self._entries}

    def write_weights(
        self, folder: Path, progress: Progress = None, max_shard_size: Optional[int] = None
    ) -> None:
        """Writes the tensors into a folder as ``model.safetensors``, or several and an index."""
        place = self.checkpoint.prefix
        torch_files.write_into(folder, self.writable(), place, max_shard_size, progress)
        self.checkpoint.check_unchanged()

    def writable(self) -> List[torch_files.Entry]:
        """Returns a `torch_files.Entry` for every tensor."""
        readers = self.readers()
        return [
            torch_files.Entry(row.name, row.dtype, row.shape, readers[row.name])
            for row in self.rows()
        ]

    def _reader(self, entry, as_stored):
        def read():
            source = entry.source
            ckpt = self.checkpoint
            array = ckpt.raw(source) if as_stored else ckpt.read(source, check=False)
            array = _entries.array_of(entry, array)
            self.checkpoint.release()
            return array

        return read

    def __str__(self):
        lines = [f"{self.family}: {self.architecture}"]
        for row in self.rows():
            step = f" ({row.step})" if row.step else ""
            lines.append(f"{row.name} {row.dtype} {list(row.shape)} <- {row.source}{step}")
        return "\n".join(lines + [f"- {name}" for name in self.dropped])


def make(ckpt, to, config=None, plan_class=FamilyPlan, architecture=None):
    """Plans what a checkpoint becomes in a library.

    Args:
      ckpt: an open checkpoint.
      to: a key of `family_registry.LIBRARIES`.
      config: the model's own settings, a dict or a JSON file; None for the file beside it.
      plan_class: what to make.
      architecture: which model, where the checkpoint has several; None: the first.

    Raises:
      PlanError: no known family, no model of this size in that library, a tensor that the family
        does not have, or a setting that is missing.
    """
    shapes = {name: tuple(ckpt.store.summary(name)[1]) for name in ckpt}
    family, target, model = _target(ckpt, shapes, to, architecture)
    _require_sizes(ckpt, family, target, shapes)
    state = optimizer_slots.optimizer_state(shapes)
    names = {name: shape for name, shape in shapes.items() if name not in state}
    entries, left_out, unknown = _entries.entries(target, names, model)
    if unknown:
        raise PlanError(
            f"{ckpt.prefix}, a {family.name}",
            "tensors that this family has",
            ", ".join(map(repr, unknown[:5])) + (", ..." if len(unknown) > 5 else ""),
            "Leave them out, if the model does not use them (--drop PATTERN; in Python, the view "
            "of a plan), or rename them (--rule PATTERN NEW).",
        )
    _require_layouts(family, entries, names)
    notes = _require_whole(ckpt, family, target, model, entries)
    config, assumed = _settings(family, target, folders_of(ckpt), config, shapes)
    dropped = sorted(state | set(left_out))
    plan = plan_class(ckpt, family, target, model, entries, config, dropped)
    plan.notes += notes + assumed
    others = sorted(set(family_registry.candidates(shapes, to)) - {model})
    if others and architecture is None:
        plan.notes.append(
            "its tensors are those of {}, too: architecture={!r} (--architecture)".format(
                " and ".join(others), others[0]
            )
        )
    return plan


def _target(ckpt, shapes, to, architecture):
    """Returns (the `Family`, the `Target`, the model's name)."""
    if architecture is not None:
        return _named(ckpt, shapes, to, architecture)
    library, names = family_registry.LIBRARIES[to], list(shapes)
    of = [f for f in family_registry.FAMILIES if any(target.to == to for target in f.targets)]
    family = family_registry.find_family(names)
    if family is None:
        raise PlanError(
            ckpt.prefix,
            "a model of a known family: {}".format(", ".join(f.name for f in of)),
            "tensors such as {}".format(", ".join(sorted(shapes)[:3])),
            family_registry.hint(names)
            or "For any other model: ckpt convert --to torch --model model.py:function.",
        )
    target_and_model = _family.target_of(family, shapes, to)
    if target_and_model is None:
        others = sorted({t.to for t in family.targets if _family.model_of(t, shapes)})
        raise PlanError(
            ckpt.prefix,
            f"a model that {library} has: {{}}".format(", ".join(f.name for f in of)),
            f"{family.name}, of which {library} has none that computes the same",
            "Use {}.".format(" or ".join("--to " + other for other in others))
            if others
            else "Write the model by hand: ckpt convert --to keras --model model.py:function.",
        )
    return (family, *target_and_model)


def _named(ckpt, shapes, to, architecture):
    candidates = family_registry.candidates(shapes, to)
    if architecture not in candidates:
        raise PlanError(
            f"architecture={architecture!r} of {ckpt.prefix}",
            "a model that it has: {}".format(", ".join(sorted(candidates)) or "none"),
            repr(architecture),
            "Leave architecture (--architecture) out, or pass one of these.",
        )
    return (*candidates[architecture], architecture)


def _require_sizes(ckpt, family, target, shapes):
    """Raises where the library's models of this family have other sizes."""
    for tensor, axis, wanted in target.requires:
        wanted = settings.value_of(wanted, {}, shapes)
        for name, shape in sorted(shapes.items()):
            if re.fullmatch(tensor, name) and shape[axis : axis + 1 or None] != (wanted,):
                raise PlanError(
                    f"{ckpt.prefix}, a {family.name}: {name!r}",
                    f"{wanted} at axis {axis}, as {family_registry.LIBRARIES[target.to]} builds it",
                    f"the shape {list(shape)}",
                    "Write the model by hand: ckpt convert --model model.py:function.",
                )


def _require_layouts(family, entries, shapes):
    for entry in entries:
        if _entries.layout_of(entry, _entries.shape_of(entry, shapes[entry.source])) is None:
            raise PlanError(
                f"{entry.source!r} of a {family.name}",
                f"a shape that becomes {entry.name!r} ({entry.layout})",
                str(list(shapes[entry.source])),
                "Drop it, or convert the model by hand: ckpt convert --to torch --model ...",
            )


def _require_whole(ckpt, family, target, model, entries):
    """Raises unless the model has every entry once; notes what the library draws at random."""
    counts = collections.Counter(entry.name for entry in entries)
    twice = [entry.source for entry in entries if counts[entry.name] > 1]
    if twice:
        raise CollisionError(
            f"{ckpt.prefix}, a {family.name}",
            "one tensor for each entry",
            " and ".join(map(repr, twice[:2])) + " for the same one",
            "Drop one of them: --drop PATTERN.",
        )
    missing, optional = inventory.missing(target, model, counts)
    if missing:
        raise PlanError(
            f"{ckpt.prefix}, a {family.name}",
            f"what becomes {missing[0]!r}, as every {model} has it",
            "no such tensor" + (f", and {len(missing) - 1} more are missing" * (len(missing) > 1)),
            "It is another model, or one with other names. Rename tensors with --rule PATTERN NEW, "
            "or write the model by hand: ckpt convert --to torch --model model.py:function.",
        )
    if not optional:
        return []
    return [f"it has nothing for {', '.join(optional)}: the library draws it at random"]


def folders_of(ckpt):
    """Returns the folders that may have a checkpoint's files: its own; a module's assets."""
    folder = os.path.dirname(os.path.abspath(ckpt.prefix))
    above, name = os.path.split(folder)
    return [folder] if name != "variables" else [folder, above, os.path.join(above, "assets")]


def _settings(family, target, folders, config, shapes):
    """Returns (the library's settings of a model, notes on those that no file says)."""
    own, place = _own_settings(family, folders, config)
    try:
        values = settings.evaluate(target.settings, own, shapes)
    except KeyError as error:
        file_hint = "the path of {} (--config)".format(
            family.files[0] if family.files else "its file"
        )
        raise PlanError(
            f"the settings of a {family.name}",
            f"{error.args[0]}, which no tensor tells",
            f"none in {place}",
            f"Pass config={{{error.args[0]!r}: ...}}, or {file_hint}.",
        )
    wrong = sorted(settings.contradicted(target.settings, own, values))
    if wrong:
        raise PlanError(
            f"the settings of a {family.name}",
            ", ".join(f"{name} {values[name]}" for name in wrong) + ", as the tensors have it",
            ", ".join(f"{name} {own[name]}" for name in wrong) + f" in {place}",
            "Pass the file of this model: config=... (--config).",
        )
    return values, [
        f"{name} is {values[name]}, as in the published models of this size: it is not in {place} "
        f"(--config, config={{{name!r}: ...}})"
        for name in settings.assumed(target.settings, own)
    ]


def _own_settings(family, folders, config):
    """Returns ({setting: value}, where from)."""
    if isinstance(config, dict):
        return config, "the config given"
    paths = [os.path.join(folder, name) for folder in folders for name in family.files]
    paths = paths if config is None else [config]
    for path in paths:
        if config is not None or os.path.isfile(path):
            try:
                with open(path, "rb") as file:
                    read = json.load(file)
                if isinstance(read, dict):
                    return read, path
                reason = f"a {type(read).__name__}"
            except (OSError, ValueError, RecursionError) as error:
                reason = str(error)
            raise PlanError(
                f"the settings of a {family.name}",
                f"a JSON object in {path}",
                reason,
                "Pass the model's own {}.".format(family.files[0] if family.files else "file"),
            )
    return {}, "{} beside the checkpoint".format(" or ".join(family.files) or "no file")


def _shape(entry, shape):
    return _entries.array_of(entry, np.broadcast_to(np.int8(0), shape)).shape
