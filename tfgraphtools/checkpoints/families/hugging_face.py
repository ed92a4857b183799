"""`to_hugging_face`: a TF1 checkpoint of a known family as a folder for Transformers."""

import collections
import json
import os
import re
import shutil

from tfgraphtools.checkpoints.families import family as rules
from tfgraphtools.checkpoints.families import registry
from tfgraphtools.checkpoints.optimizers import slots
from tfgraphtools.checkpoints.plans.replacement import replacing
from tfgraphtools.checkpoints.read.opening import opened
from tfgraphtools.checkpoints.torch import layouts, writing
from tfgraphtools.errors import PlanError

#: The files that every folder has.
WEIGHTS, CONFIG = "model.safetensors", "config.json"

#: A tensor of the folder and where it comes from.
Row = collections.namedtuple("Row", "name dtype shape source step")


class HuggingFacePlan:
    """What a folder will have; made by `plan_hugging_face`.

    Attributes:
      family, architecture: names, as `family_of` gives them.
      config: the settings for ``config.json``.
      dropped: tensors that are left out.
      files: paths of the tokenizer's files, which are copied.
      notes: sentences that the user should read.
    """

    def __init__(self, ckpt, found, entries, config, dropped, files):
        self._ckpt, self._entries = ckpt, entries
        self.family, self.architecture = found.name, config["architectures"][0]
        self.config, self.dropped, self.files = config, dropped, files
        self.notes = list(found.notes)

    def rows(self):
        """A `Row` for every tensor."""
        rows = []
        for entry in self._entries:
            dtype, shape = self._ckpt.store.summary(entry.source)[:2]
            layout = _layout(entry, shape)
            rows.append(Row(entry.name, dtype, _shape(layout, shape), entry.source, layout.words))
        return rows

    def apply(self, folder, overwrite=False, progress=None):
        """Writes the folder beside its place and moves it in at the end.

        Args:
          folder: to write.
          overwrite: replace one that `apply` wrote.
          progress: called with (bytes done, bytes in all).

        Raises:
          DamagedCheckpointError, DestinationError: nothing was written then.
        """
        for entry in self._entries:
            self._ckpt.check(entry.source)
        with replacing(os.fspath(folder), overwrite, folder_with=(CONFIG,)) as staged:
            os.mkdir(staged)
            with open(os.path.join(staged, CONFIG), "w", encoding="utf-8") as file:
                json.dump(self.config, file, indent=2, sort_keys=True)
                file.write("\n")
            for path in self.files:
                shutil.copyfile(path, os.path.join(staged, os.path.basename(path)))
            weights = os.path.join(staged, WEIGHTS)
            writing.write(weights, self._writable(), self._ckpt.prefix, progress=progress)
            self._ckpt.check_unchanged()

    def _writable(self):
        return [
            writing.Entry(row.name, row.dtype, row.shape, self._reader(entry))
            for row, entry in zip(self.rows(), self._entries)
        ]

    def _reader(self, entry):
        def read():
            array = self._ckpt.raw(entry.source)
            return _layout(entry, array.shape).forward(array)

        return read

    def __str__(self):
        lines = [f"{self.family}: {self.architecture}"]
        for row in self.rows():
            step = f" ({row.step})" if row.step else ""
            lines.append(f"{row.name} {row.dtype} {list(row.shape)} <- {row.source}{step}")
        return "\n".join(lines + [f"- {name}" for name in self.dropped])


def to_hugging_face(checkpoint, folder, config=None, overwrite=False, progress=None):
    """Writes a folder that ``AutoModel.from_pretrained`` loads, from a TF1 checkpoint.

    The family is found by the tensors' names (see `family_of`): BERT, ALBERT, ELECTRA's
    discriminator, GPT-2. The optimizer's state is left behind. Neither PyTorch nor Transformers
    is needed.

    Args:
      checkpoint: as in `open_checkpoint`, or an open one.
      folder: to write: ``config.json``, ``model.safetensors``, and the tokenizer's files that are
        beside the checkpoint.
      config: the model's own settings, a dict or a JSON file; by default the file that the family
        has beside a checkpoint, such as ``bert_config.json``.
      overwrite: replace a folder that is there.
      progress: called with (bytes done, bytes in all).

    Returns:
      The `HuggingFacePlan` that was carried out.

    Example:
      >>> to_hugging_face("uncased_L-12_H-768_A-12/bert_model.ckpt", "bert")   # doctest: +SKIP
      >>> transformers.AutoModel.from_pretrained("bert")

    Raises:
      PlanError: no known family, a tensor that it does not have, or a setting that is missing.
      DamagedCheckpointError, DestinationError: nothing was written then.
    """
    with opened(checkpoint) as ckpt:
        plan = plan_hugging_face(ckpt, config)
        plan.apply(folder, overwrite, progress)
        return plan


def plan_hugging_face(ckpt, config=None):
    """Plans what `to_hugging_face` writes.

    Args:
      ckpt: an open checkpoint.
      config: as in `to_hugging_face`.

    Returns:
      A `HuggingFacePlan`: print it, `apply` it.

    Example:
      >>> with open_checkpoint("bert_model.ckpt") as ckpt:             # doctest: +SKIP
      ...     print(plan_hugging_face(ckpt))

    Raises:
      PlanError: as `to_hugging_face`.
    """
    shapes = {name: tuple(ckpt.store.summary(name)[1]) for name in ckpt}
    found = registry.find_family(list(shapes))
    if found is None:
        raise PlanError(
            ckpt.prefix,
            "a model of a known family: {}".format(", ".join(f.name for f in registry.FAMILIES)),
            "tensors such as {}".format(", ".join(sorted(shapes)[:3])),
            "For any other model: ckpt convert --to torch --model model.py:function.",
        )
    state = slots.optimizer_state(shapes)
    names = [name for name in shapes if name not in state]
    head = rules.architecture(found, names)
    entries, left_out, unknown = rules.entries(found, names, head)
    if unknown:
        raise PlanError(
            f"{ckpt.prefix}, a {found.name}",
            "tensors that this family has",
            ", ".join(map(repr, unknown[:5])) + (", ..." if len(unknown) > 5 else ""),
            "Drop them first: tfgraphtools ckpt strip SOURCE OTHER --match PATTERN.",
        )
    folder = os.path.dirname(os.path.abspath(ckpt.prefix))
    settings = _settings(found, folder, config, shapes)
    settings = dict(settings, architectures=[head])
    dropped = sorted(state | set(left_out))
    return HuggingFacePlan(ckpt, found, entries, settings, dropped, _copies(found, folder))


def _settings(found, folder, config, shapes):
    """Transformers' settings of a model."""
    own, place = _own_settings(found, folder, config)
    try:
        return found.settings(own, shapes)
    except KeyError as error:
        raise PlanError(
            f"the settings of a {found.name}",
            f"{error.args[0]}, which no tensor tells",
            f"none in {place}",
            f"Pass config={{{error.args[0]!r}: ...}}, or the path of {found.files[0]} (--config).",
        )


def _own_settings(found, folder, config):
    """({setting: value}, where from)."""
    if isinstance(config, dict):
        return config, "the config given"
    paths = [config] if config is not None else [os.path.join(folder, f) for f in found.files]
    for path in paths:
        if config is not None or os.path.isfile(path):
            try:
                with open(path, encoding="utf-8") as file:
                    read = json.load(file)
                if isinstance(read, dict):
                    return read, path
                reason = f"a {type(read).__name__}"
            except (OSError, ValueError) as error:
                reason = str(error)
            raise PlanError(
                f"the settings of a {found.name}",
                f"a JSON object in {path}",
                reason,
                f"Pass the model's own {found.files[0]}.",
            )
    return {}, "{} beside the checkpoint".format(" or ".join(found.files))


def _copies(found, folder):
    """The tokenizer's files in a checkpoint's folder."""
    return sorted(
        os.path.join(folder, name)
        for name in os.listdir(folder)
        if any(re.fullmatch(pattern, name) for pattern in found.copies)
    )


def _layout(entry, shape):
    """The `Layout` of an entry, for a tensor of this shape."""
    if entry.layout == "transposed":
        return layouts.candidates(shape, tuple(shape[::-1]))["transposed"]
    if entry.layout == "squeezed":
        return layouts.candidates(shape, tuple(shape[1:]))["same"]
    return layouts.SAME


def _shape(layout, shape):
    import numpy as np

    return layout.forward(np.broadcast_to(np.int8(0), shape)).shape
