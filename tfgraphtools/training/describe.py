"""What a step does with each variable, as a table."""

from tfgraphtools._tf import v1
from tfgraphtools.training.steps import optimizers as _optimizers

_ABSENT = "-"


def describe(optimizer):
    """The table of variables of the steps that an optimizer has built, as text.

    One row for each variable that had a gradient: its name, shape, optimizer,
    and what the optimizers of this library say of it: the group, the rate, what
    is frozen and how. Below it stand the trainable variables of the graph that
    the step leaves untrained.

    It says nothing before a step is built.

    Args:
      optimizer: one of this library's optimizers, after ``minimize`` or
        ``apply_gradients``.

    Returns:
      A string of lines.

    Example:
      >>> train_op = optimizer.minimize(loss)
      >>> print(describe(optimizer))
    """
    notes = _notes(optimizer)
    if not notes:
        return "No step is built yet: call minimize() or apply_gradients() first."
    columns = ["variable"]
    for row in notes.values():
        columns += [column for column in row if column not in columns]
    cells = [columns] + [
        [name] + [str(row.get(column, _ABSENT)) for column in columns[1:]]
        for name, row in sorted(notes.items())
    ]
    return "\n".join(_aligned(cells) + _untrained(notes))


def _notes(optimizer):
    """{variable name: {column: text}}, of all wrappers from the outermost on."""
    merged = {}
    for one in _optimizers.chain(optimizer):
        for name, row in getattr(one, "notes", dict)().items():
            known = merged.setdefault(name, {})
            for column, text in row.items():
                known.setdefault(column, text)
    return merged


def _aligned(cells):
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    lines = ["  ".join(c.ljust(w) for c, w in zip(row, widths)).rstrip() for row in cells]
    return lines[:1] + ["  ".join("-" * width for width in widths)] + lines[1:]


def _untrained(notes):
    left = [v for v in v1.trainable_variables() if v.op.name not in notes]
    if not left:
        return []
    count = sum(v.shape.num_elements() for v in left)
    return ["", f"Not trained by this step: {len(left)} variables, {count:,} elements:"] + [
        f"  {v.op.name} {tuple(v.shape.as_list())}" for v in left
    ]
