"""The CSV file of a `TraceHook`: a line as each run is recorded, and a restart goes on in it."""

import csv
import os

import numpy as np

from tfgraphtools.errors import ArgumentError


class TraceFile:
    """A CSV file with a line for each recorded row, which is in the file at once.

    Args:
      path: the file.
      labels: of the items, in the order of the columns.
    """

    def __init__(self, path, labels):
        self._path, self._labels = path, labels
        self._waiting = []  # rows that came before every item had a value
        self._shapes = None
        self._floats = ()  # items that have a row of NaN
        self._last = None

    def cut(self, step):
        """Leaves the lines up to a step out of a file that an earlier session wrote; none is none.

        Args:
          step: of the state that was restored, or None where nothing counts steps.
        """
        lines = self._lines()
        if lines and not self._is_own(lines[0]):
            raise self._of_others(["step", *self._labels], lines[0])
        kept = [line for line in lines[1:] if step is not None and int(line[0]) <= step]
        if os.path.exists(self._path):
            beside = self._path + ".part"
            with open(beside, "w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows(lines[:1] + kept if kept else [])
            os.replace(beside, self._path)
        self._last = int(kept[-1][0]) if kept else None

    def add(self, step, values):
        """Writes a row: {label: array}; where a tensor has no value yet, it waits for the first.

        Raises:
          ArgumentError: an item has another shape than before, or the file other columns.
        """
        if self._shapes is None:
            self._waiting.append((step, values))
            if set(values) == set(self._labels):
                self.write_all()
            return
        self._append([self._line(step, values)])

    def write_all(self):
        """Writes the rows that wait; what never had a value has one column, of NaN."""
        if not self._waiting:
            return
        first, last = self._waiting[0][1], self._waiting[-1][1]
        self._floats = [label for label in self._labels if label not in first]
        self._shapes = {label: np.shape(last.get(label, np.nan)) for label in self._labels}
        header = self._header()
        lines = self._lines()
        if lines and lines[0] != header:
            raise self._of_others(header, lines[0])
        rows = [row for row in self._waiting if self._last is None or row[0] > self._last]
        self._waiting = []
        self._append(([] if lines else [header]) + [self._line(*row) for row in rows])

    def _is_own(self, header):
        """Tells whether these can be the columns of the items, whatever their shapes are."""
        names = [name if name in self._labels else name.rpartition("[")[0] for name in header[1:]]
        return header[0] == "step" and set(names) == set(self._labels)

    def _of_others(self, header, actual):
        return ArgumentError(
            "TraceHook csv_path",
            "a new file, or one with the columns " + ",".join(header)[:120],
            f"{self._path!r} with {','.join(actual)[:120]}",
            "Name another file, or move this one away.",
        )

    def _lines(self):
        """Returns the lines of the file; what an end in the middle of a line left is none."""
        if not os.path.exists(self._path):
            return []
        with open(self._path, newline="", encoding="utf-8") as file:
            text = file.read()
        return [line for line in csv.reader(text[: text.rfind("\n") + 1].splitlines()) if line]

    def _header(self):
        names = (name for label in self._labels for name in names_of(label, self._shapes[label]))
        return ["step", *names]

    def _line(self, step, values):
        line = [step]
        for label in self._labels:
            shape = self._shapes[label]
            value = np.asarray(values.get(label, np.full(shape, np.nan)))
            if value.shape != shape:
                raise ArgumentError(
                    f"TraceHook {label!r}",
                    "one shape in all runs",
                    f"the shapes {sorted([shape, value.shape])}",
                    "Trace a reduction of it, such as its mean.",
                )
            line += (value.astype(np.float64) if label in self._floats else value).ravel().tolist()
        return line

    def _append(self, lines):
        with open(self._path, "a", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(lines)


def names_of(label, shape):
    """Returns the names of an item's elements: ``w[0,1]``, or the label alone for a scalar."""
    if not shape:
        return [label]
    return ["{}[{}]".format(label, ",".join(map(str, index))) for index in np.ndindex(*shape)]
