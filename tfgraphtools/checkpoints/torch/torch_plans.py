"""The source of every entry of a PyTorch state dict: shown, then written."""

import collections
from typing import Any, Collection, Dict, List, Mapping, Optional, Sequence

from tfgraphtools.checkpoints.format import dtypes
from tfgraphtools.checkpoints.format.type_hints import Path, Progress
from tfgraphtools.checkpoints.read.checkpoint import Checkpoint
from tfgraphtools.checkpoints.torch import torch_files, torch_models, torch_optimizer_state
from tfgraphtools.checkpoints.torch.torch_units import COUNTER

#: An entry of the state dict and where it comes from. ``sources`` are tensor names, ``step`` what
#: is done to them, ``how`` the match was found: "map", "name", "the only fit", "order", "kept",
#: "tied" or "counter".
Row = collections.namedtuple("Row", "name dtype shape sources step how")


class TorchPlan:
    """The tensors that become parameters; made by `plan_torch`.

    Attributes:
      model: the `torch_models.Model`.
      matches: the pairs of units.
      kept: names of entries that keep the model's own values.
      dropped: tensors that are left out.
      averages: {variable: the moving average that is read in its place}.
      count: what the counters of batches get.
      types: {entry: type} of those that a cast changes.
      rewritten: the `Plan` of casts and transpositions that the checkpoint is a view of, or None.
      state: what an optimizer takes over, or None.
      notes: sentences that the user should read.
      facts: [(layer, question, value, source)]: what no tensor says, and which file says it.
    """

    def __init__(
        self,
        ckpt: Checkpoint,
        model: torch_models.Model,
        matches: Sequence[Any],
        kept: Collection[str],
        dropped: Sequence[str],
        averages: Mapping[str, str],
        count: Optional[int],
    ):
        self.checkpoint, self.model, self.matches = ckpt, model, matches
        self.kept, self.dropped, self.averages = kept, dropped, averages
        self.count, self.state, self.notes, self.facts = count, None, [], []
        self.types, self.rewritten = {}, None

    def apply(
        self,
        destination: Optional[Path] = None,
        *,
        overwrite: bool = False,
        progress: Progress = None,
        max_shard_size: Optional[int] = None,
    ) -> None:
        """Writes the state dict, or, without a destination, sets the model's own tensors.

        An optimizer takes its state over in both cases. Every tensor is checked against its
        checksum before the first byte is written or set.

        Args:
          destination: ``x.safetensors`` or ``x.pt``; None for a live module; a folder if there is
            a ``max_shard_size``.
          overwrite: replace a file that is there.
          progress: called with (bytes done, bytes in all).
          max_shard_size: in bytes; a larger state dict becomes several files with
            ``model.safetensors.index.json``, as Transformers reads them.

        Raises:
          CastError: a cast would lose more than rounding does.
          DamagedCheckpointError, DestinationError, SourceChangedError: nothing was changed or
            written then.
        """
        for name in sorted(self._used()):
            self.checkpoint.check(name)
        if self.rewritten is not None:
            self.rewritten.check()
        state = {}
        if self.state is not None:
            state = torch_optimizer_state.read(self.state, self.checkpoint)
        check, place = self.checkpoint.check_unchanged, self.checkpoint.prefix
        if destination is None:
            self._load()
        elif max_shard_size is not None:
            torch_files.write_folder(
                destination, self._entries(), place, max_shard_size, overwrite, progress, check
            )
        else:
            torch_files.write(destination, self._entries(), place, overwrite, progress, check)
        if self.state is not None:
            self.state.optimizer.state.update(state)

    def arrays(self) -> Dict[str, Any]:
        """Returns {entry: array} of the whole state dict, ties included."""
        return {entry.name: entry.array() for entry in self._entries()}

    def _load(self):
        torch = torch_models.require_torch("to_torch")
        state = self.model.module.state_dict(keep_vars=True)
        values = {
            entry.name: torch.from_numpy(entry.array().copy())
            for entry in self._entries()
            if entry.name not in self.kept and entry.name not in self.model.tied
        }
        self.checkpoint.check_unchanged()
        with torch.no_grad():
            for name, value in values.items():
                state[name].copy_(value)

    def _used(self):
        used = {
            self._read(n) for pair_match in self.matches for n in pair_match.fit.leaves.values()
        }
        if self.state is not None:
            used.update(torch_optimizer_state.tensors(self.state))
        return used

    def _read(self, name):
        return self.averages.get(name, name)

    def _entries(self):
        """Returns `torch_files.Entry` of every entry of the state dict."""
        parts_of, kept = self._by_entry(), self.kept
        entries = []
        for name, weight in self.model.entries.items():
            if name in kept:
                array = _later(self.model.values, name)
            elif name.rpartition(".")[2] == COUNTER:
                array = _later(_counter, self.count)
            else:
                array = _later(self._converted, parts_of[name])
            dtype = self.types.get(name, weight.dtype)
            entries.append(torch_files.Entry(name, dtype, weight.shape, array))
        by_name = {entry.name: entry for entry in entries}
        return entries + [
            by_name[first]._replace(name=name) for name, first in self.model.tied.items()
        ]

    def _by_entry(self):
        """Returns {entry: [(match, role)]}, in the order of the parts."""
        parts_of = collections.defaultdict(list)
        for pair_match in self.matches:
            for role, weight in pair_match.target.weights.items():
                parts_of[weight.path].append((weight.part, pair_match, role))
        return {
            name: [
                (pair_match, role)
                for _, pair_match, role in sorted(parts, key=lambda part: part[0])
            ]
            for name, parts in parts_of.items()
        }

    def _converted(self, parts):
        import numpy as np

        arrays = []
        for pair_match, role in parts:
            arrays_of_match = {
                argument: self.checkpoint.read(self._read(name), check=False)
                for argument, name in pair_match.fit.leaves.items()
            }
            weight = pair_match.target.weights[role]
            array = pair_match.fit.convert(arrays_of_match)[role]
            is_foreign = weight.dtype in dtypes.FOREIGN_FLOATS  # whose values come as float32
            if weight.path not in self.types and not is_foreign:  # what is cast has its type
                array = array.astype(weight.dtype, copy=False)
            arrays.append(array)
        self.checkpoint.release()
        return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)

    def rows(self) -> List[Row]:
        """Returns a `Row` for every entry of the state dict, in its order."""
        parts_of = self._by_entry()
        rows = []
        for name, weight in self.model.entries.items():
            if name in self.kept:
                how, sources, step = "kept", (), ""
            elif name in parts_of:
                how = parts_of[name][0][0].how
                sources, steps = [], []
                for pair_match, role in parts_of[name]:
                    sources += [self._read(n) for n in _sources(pair_match, role)]
                    steps.append(pair_match.fit.steps.get(role, ""))
                steps.append("parts in one" if len(parts_of[name]) > 1 else "")
                step = "; ".join(dict.fromkeys(filter(None, steps)))
            else:
                how, sources, step = "counter", (), f"set to {self.count}"
            dtype = self.types.get(name, weight.dtype)
            rows.append(Row(name, dtype, weight.shape, tuple(sources), step, how))
        for name, first in self.model.tied.items():
            row = next(row for row in rows if row.name == first)
            rows.append(row._replace(name=name, how="tied", step=f"the same tensor as {first}"))
        return rows

    def __str__(self):
        lines = []
        for row in self.rows():
            origin = " <- " + " + ".join(row.sources) if row.sources else ""
            reason = ", ".join(filter(None, [row.how, row.step]))
            lines.append(f"{row.name} {row.dtype} {list(row.shape)}{origin} ({reason})")
        lines += [f"- {name}" for name in self.dropped]
        if self.state is not None:
            lines.append(f"optimizer: {self.state.kind} after {self.state.steps} steps")
        return "\n".join(lines + ["note: " + note for note in self.notes])


def _later(function, argument):
    return lambda: function(argument)


def _counter(count):
    import numpy as np

    return np.array(count, np.int64)


def _sources(pair_match, role):
    """Returns the tensors that a weight is made of."""
    if role in pair_match.fit.leaves:
        return [pair_match.fit.leaves[role]]
    if pair_match.fit.steps.get(role, "").startswith("all "):
        return []
    is_bias = role.startswith("bias")
    return sorted(n for a, n in pair_match.fit.leaves.items() if a.endswith("bias") == is_bias)
