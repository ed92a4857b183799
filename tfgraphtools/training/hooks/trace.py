"""Values over the steps of training: as arrays, a CSV file and a plot."""

import csv
import os
from typing import Any, Optional

import numpy as np

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError, NothingMatchedError
from tfgraphtools.training import _arguments
from tfgraphtools.training.hooks import trace_file as _trace_file
from tfgraphtools.training.hooks import trace_plot as _trace_plot


class TraceHook(v1.train.SessionRunHook):
    """Records variables and tensors in every run, or in every n-th.

    A variable is read before the first run and after each recorded one. A
    tensor, such as a loss, is evaluated in the run itself, with its feeds; one
    that reads a variable which the run changes may see it before or after, so
    trace the variable. Before the first run a tensor has no value: NaN stands
    there. Of a mirrored variable the first copy is recorded.

    It does nothing to the graph, and costs the transfer of the values.

    Args:
      items: a selector of global variables, slots included, or a dict ``{label:
        variable or tensor}``.
      every: record one run in this many, an int.
      csv_path: a file, or None. Each recorded run is a line of it at once: an error or a kill
        loses none. Where the graph has a global step, a session that restores a checkpoint goes
        on in the file, from which the lines after the restored step are cut; without one, and
        from step 0, the file begins again.
      png_path: a file to write when the session ends, or None.

    Attributes:
      labels: list of str: the keys of the dict, or the variables' op names.
      steps: int64 array of shape ``[rows]``: the global step after each recorded
        run (the number of runs where the graph has no global step), and before
        the first where a variable is traced.

    ``trace[label]`` is the array of shape ``[rows, *shape of the item]``.

    Example:
      >>> trace = TraceHook({"loss": loss, "w1": w1}, png_path="trace.png")
      >>> with tf.compat.v1.train.MonitoredTrainingSession(hooks=[trace]) as session:
      ...     for _ in range(100):
      ...         session.run(train_op)
      >>> trace["w1"].shape
      (101, 2)

    Raises:
      ArgumentError: nothing to trace, or an item that is neither; when arrays
        are asked for, or a line is written: a tensor whose shape changed; ``csv_path`` is a
        file with other columns.
      NothingMatchedError: when the session begins.
      MissingExtraError: a plot is asked for and matplotlib is not installed.
    """

    def __init__(
        self,
        items: Any,
        every: int = 1,
        csv_path: Optional[str] = None,
        png_path: Optional[str] = None,
    ) -> None:
        self._items = items
        self._every = _arguments.check_count("TraceHook every", every)
        self._csv_path, self._png_path = csv_path, png_path
        if png_path is not None:
            _trace_plot.matplotlib()  # tell now, and not at the end of training
        self.labels = []
        self._variables, self._tensors = {}, {}
        self._global_step = None
        self._steps, self._rows = [], []
        self._runs = 0
        self._file = None

    def begin(self) -> None:
        """Finds the variables and tensors."""
        self._global_step = v1.train.get_global_step()
        if hasattr(self._items, "items"):
            items = dict(self._items)
        else:
            chosen = _select.select(self._items, v1.global_variables(), "TraceHook")
            items = {variable.op.name: variable for variable in chosen}
        self._variables = {
            label: tf.convert_to_tensor(item) if _tf.is_partitioned(item) else item
            for label, item in items.items()
            if _tf.is_variable(item) or _tf.is_partitioned(item)
        }
        self._tensors = {label: x for label, x in items.items() if label not in self._variables}
        self.labels = list(items)
        bad = [label for label, item in self._tensors.items() if not isinstance(item, tf.Tensor)]
        if bad or not items:
            raise ArgumentError(
                "TraceHook",
                "variables and tensors",
                f"{self._tensors[bad[0]]!r} as {bad[0]!r}" if bad else "none",
                "Pass a pattern such as 'dense/.*', or {'loss': loss}; of slices their values.",
            )
        if self._csv_path is not None:
            self._file = _trace_file.TraceFile(self._csv_path, self.labels)

    def after_create_session(self, session: v1.Session, coord: Any) -> None:
        """Forgets what came after the restored step; records the variables before the first run."""
        if not (self._variables or self._file or self._rows):
            return
        step = self._counted(session)
        if self._global_step is not None:
            count = sum(recorded <= step for recorded in self._steps)
            del self._steps[count:], self._rows[count:]
        if self._file is not None and (self._global_step is not None or not self._rows):
            self._file.cut(step if self._global_step is not None else None)
        if self._variables and (not self._rows or step > self._steps[-1]):
            self._record(session, {})

    def before_run(
        self, run_context: v1.train.SessionRunContext
    ) -> Optional[v1.train.SessionRunArgs]:
        """Asks for the tensors."""
        self._runs += 1
        if self._runs % self._every == 0 and self._tensors:
            return v1.train.SessionRunArgs(self._tensors)

    def after_run(
        self, run_context: v1.train.SessionRunContext, run_values: v1.train.SessionRunValues
    ) -> None:
        """Reads the variables and records all of it."""
        if self._runs % self._every == 0:
            self._record(run_context.session, run_values.results or {})

    def end(self, session: v1.Session) -> None:
        """Writes the files that were asked for."""
        if self._file is not None:
            self._file.write_all()
            if not os.path.exists(self._csv_path):
                self.to_csv(self._csv_path)  # the columns of no row
        if self._png_path is not None:
            self.to_png(self._png_path)

    @property
    def steps(self) -> np.ndarray:
        """The global step, or else the number of runs, of each row."""
        return np.array(self._steps, np.int64)

    def __getitem__(self, label):
        if label not in self.labels:
            raise NothingMatchedError(
                "TraceHook", _select.listing(self.labels), repr(label), "Ask for what is traced."
            )
        rows = [row.get(label) for row in self._rows]
        known = [value for value in rows if value is not None]
        shapes = sorted({value.shape for value in known}) or [()]
        if len(shapes) > 1:
            raise ArgumentError(
                f"TraceHook {label!r}",
                "one shape in all runs",
                f"the shapes {shapes}",
                "Trace a reduction of it, such as its mean.",
            )
        if len(known) < len(rows):
            missing = np.full(shapes[0], np.nan)
            rows = [missing if value is None else value.astype(np.float64) for value in rows]
        return np.stack(rows) if rows else np.zeros([0])

    def to_csv(self, path: str) -> None:
        """Writes a line per row and a column per element: ``step,loss,w[0],w[1]``."""
        arrays = {label: self[label] for label in self.labels}
        header = ["step"] + [
            name
            for label, array in arrays.items()
            for name in _trace_file.names_of(label, array.shape[1:])
        ]
        flat = [_trace_plot.elements(array) for array in arrays.values()]
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(header)
            for row, step in enumerate(self._steps):
                writer.writerow([step] + [value for array in flat for value in array[row].tolist()])

    def to_png(self, path: str) -> None:
        """Draws a panel per item and a line per element over the steps."""
        arrays = {label: self[label] for label in self.labels}
        _trace_plot.draw(path, self.steps, arrays)

    def _record(self, session, results):
        values = dict(results)
        values.update(session.run(self._variables))
        self._steps.append(self._counted(session))
        self._rows.append({label: np.array(value) for label, value in values.items()})
        if self._file is not None:
            self._file.add(self._steps[-1], self._rows[-1])

    def _counted(self, session):
        """Returns the global step, or else the number of runs."""
        return self._runs if self._global_step is None else int(session.run(self._global_step))
