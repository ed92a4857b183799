"""The source of every weight of a Keras model: shown first, then done."""

import collections
import contextlib
import os
from typing import Any, Iterable, List, Optional

from tfgraphtools.checkpoints.format.type_hints import Path, Progress
from tfgraphtools.checkpoints.keras import (
    keras_fits,
    keras_layers,
    keras_models,
    keras_optimizer_state,
)
from tfgraphtools.checkpoints.read.checkpoint import Checkpoint

#: A weight and where it comes from: a row of `KerasPlan.rows`. ``sources`` are tensor names,
#: ``step`` what is done to them, ``how`` the match was found: "map", "name", "the only fit",
#: "order" or "kept".
WeightRow = collections.namedtuple("WeightRow", "path dtype shape sources step how")


class KerasPlan:
    """The tensors that become weights of a Keras model; made by `plan_keras`.

    Attributes:
      model: the Keras model.
      matches: the pairs of units.
      state: what the model's optimizer takes over, or None.
      kept: paths of weights that stay as they are.
      dropped: tensors that are left out.
      notes: sentences that the user should read.
      facts: [(layer, question, value, source)]: what no tensor says, and which file says it.
    """

    def __init__(
        self,
        ckpt: Checkpoint,
        model: Any,
        matches: Iterable[Any],
        kept: Iterable[Any],
        dropped: Iterable[str],
    ):
        self.checkpoint, self.model, self.matches = ckpt, model, matches
        self.kept, self.dropped = kept, dropped
        self.state, self.notes, self.facts = None, [], []

    def apply(
        self,
        destination: Optional[Path] = None,
        overwrite: bool = False,
        progress: Progress = None,
    ) -> Optional[str]:
        """Sets the model's weights, and writes it.

        Every tensor is checked against its checksum before the first weight changes; then one
        after the other is read, converted and set.

        Args:
          destination: ``x.weights.h5`` or ``x.keras``, or None.
          overwrite: replace a file that is there.
          progress: called with (tensors done, all tensors), or None; each is checked, then set.

        Returns:
          The destination.

        Raises:
          DamagedCheckpointError, DestinationError, PlanError: nothing was changed or written then.
        """
        if destination is not None:
            destination = os.fspath(destination)
            keras_models.require_destination(destination, overwrite)
        names = sorted(self._used())
        tell = progress or (lambda done, total: None)
        for count, name in enumerate(names, 1):
            self.checkpoint.check(name)
            tell(count // 2, len(names))
        slots = []
        if self.state is not None:
            slots = keras_optimizer_state.variables(self.model, self.state)
        with _restoring(self._changed(slots)):
            self._assign(slots, lambda count: tell((len(names) + count) // 2, len(names)))
            tell(len(names), len(names))
            self.checkpoint.check_unchanged()
            if destination is not None:
                keras_models.write(self.model, destination, overwrite)
        return destination

    def _changed(self, slots):
        """Returns the variables that `apply` sets."""
        changed = [
            w.variable for pair_match in self.matches for w in pair_match.target.weights.values()
        ]
        changed += [variable for _, of_row in slots for variable in of_row.values()]
        return changed + ([self.model.optimizer.iterations] if self.state is not None else [])

    def _assign(self, slots, tell):
        count = 0
        for pair_match in self.matches:
            arrays = {
                argument: self.checkpoint.read(name, check=False)
                for argument, name in pair_match.fit.leaves.items()
            }
            for role, array in pair_match.fit.convert(arrays).items():
                pair_match.target.weights[role].variable.assign(array)
            count += len(pair_match.fit.leaves)
            tell(count)
        if self.state is not None:
            keras_optimizer_state.apply(self.model, self.state, self.checkpoint, slots)

    def _used(self):
        used = {name for pair_match in self.matches for name in pair_match.fit.leaves.values()}
        if self.state is not None:
            for row in self.state.rows:
                used.update(name for names in row.slots.values() for name in names.values())
        return used

    def rows(self) -> List[WeightRow]:
        """Returns a `WeightRow` for every weight of the model, in the model's order."""
        by_path = {}
        for pair_match in self.matches:
            for role, weight in pair_match.target.weights.items():
                by_path[weight.path] = WeightRow(
                    weight.path,
                    weight.dtype,
                    weight.shape,
                    keras_fits.tensors_of(pair_match.fit, role),
                    pair_match.fit.steps.get(role, ""),
                    pair_match.how,
                )
        rows = []
        for target in keras_layers.find(self.model):
            for weight in target.weights.values():
                kept = WeightRow(weight.path, weight.dtype, weight.shape, (), "", "kept")
                rows.append(by_path.get(weight.path, kept))
        return rows

    def __str__(self):
        lines = [
            "{} {} {}{}{}".format(
                row.path,
                row.dtype,
                list(row.shape),
                " <- {} (by {}{})".format(
                    " + ".join(row.sources), row.how, "; " + row.step if row.step else ""
                )
                if row.sources
                else "",
                " (kept)" if not row.sources else "",
            )
            for row in self.rows()
        ]
        if self.state is not None:
            lines.append(
                f"optimizer: {self.state.kind}, {len(self.state.rows)} weights with slots, "
                f"{self.state.steps} steps"
            )
        lines += [f"- {name}" for name in self.dropped]
        return "\n".join(lines + ["note: " + note for note in self.notes])


@contextlib.contextmanager
def _restoring(variables):
    """Gives variables their values back if what is done inside raises."""
    import numpy as np

    before = [(variable, np.array(variable)) for variable in variables]
    try:
        yield
    except BaseException:
        for variable, value in before:
            variable.assign(value)
        raise
