"""The treatment of each variable in a step, as a table."""

import numbers

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.training.steps import optimizer_chain as _optimizers
from tfgraphtools.training.steps import rate as _rate

_ABSENT = "-"
_LAST = ("place", "lock")  # the columns on the right


def describe(optimizer, session=None):
    """Returns the table of variables of the steps that an optimizer has built, as text.

    One row for each variable that had a gradient: its name, shape, optimizer,
    and what the optimizers of this library say of it: the group, the rate, what
    is frozen and how; on servers, also where it and its state are, and where the lock is that a
    step holds while it changes them. Below it stand the servers of the optimizers' counters and
    scales, the trainable variables of the graph that the step leaves untrained, and learning
    rates that follow a count to which no op adds: "the loss does not move" where such a schedule
    begins at 0.

    It says nothing before a step is built.

    Args:
      optimizer: one of this library's optimizers, after ``minimize`` or
        ``apply_gradients``.
      session: to show the learning rates that a step would have now; None shows none.

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
    columns.sort(key=lambda column: column in _LAST)
    cells = [columns] + [
        [name] + [str(row.get(column, _ABSENT)) for column in columns[1:]]
        for name, row in sorted(notes.items())
    ]
    return "\n".join(
        _aligned(cells) + _own_places(optimizer) + _untrained(notes) + _rates(optimizer, session)
    )


def _notes(optimizer):
    """Returns {variable name: {column: text}}, of all wrappers from the outermost on."""
    merged = {}
    for part in _optimizers.chain(optimizer):
        for name, row in getattr(part, "notes", dict)().items():
            known = merged.setdefault(name, {})
            for column, text in row.items():
                known.setdefault(column, text)
    return merged


def _aligned(cells):
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    lines = ["  ".join(c.ljust(w) for c, w in zip(row, widths)).rstrip() for row in cells]
    return lines[:1] + ["  ".join("-" * width for width in widths)] + lines[1:]


def _own_places(optimizer):
    """Returns lines that tell on which servers the wrappers' own scalars are."""
    places = {}
    for part in _optimizers.chain(optimizer):
        places.update(getattr(part, "own_places", dict)())
    lines = [f"  {name}  {place}" for name, place in sorted(places.items())]
    return ["", "Scalars of the optimizers:"] + lines if lines else []


def _rates(optimizer, session):
    lines = []
    for leaf in _optimizers.leaves(optimizer):
        rates = (vars(leaf).get(name) for name in _rate.GIVEN_RATES)
        rate = next((value for value in rates if value is not None), None)
        label = f"  {type(leaf).__name__}: "
        shown = isinstance(rate, numbers.Real) or tf.is_tensor(rate) or _tf.is_variable(rate)
        if session is not None and shown:
            lines.append(f"{label}{_now(rate, session)}")
        if tf.is_tensor(rate):
            lines += [
                f"{label}follows {name!r}, to which no op adds: pass it to minimize()"
                for name in _tf.counts_that_stand_still(rate)
            ]
    return ["", "Learning rates:"] + lines if lines else []


def shown_shape(variable):
    """Returns the shape of a variable, or that it is not known."""
    return "unknown" if variable.shape.rank is None else tuple(variable.shape.as_list())


def _now(rate, session):
    """Returns a rate in words: its value, or why it has none."""
    try:
        now = rate if isinstance(rate, numbers.Real) else session.run(rate)
    except tf.errors.FailedPreconditionError:
        return "? (it reads a variable that is not initialised)"
    except tf.errors.InvalidArgumentError as error:
        if "must feed" not in str(error):
            raise
        return f"? (it is fed: session.run({rate.name!r}, feed) shows it)"
    return f"{now:.4g} now"


def _untrained(notes):
    left = [v for v in v1.trainable_variables() if v.op.name not in notes]
    if not left:
        return []
    sizes = [v.shape.num_elements() for v in left]
    count = "an unknown number of" if None in sizes else f"{sum(sizes):,}"
    return ["", f"Not trained by this step: {len(left)} variables, {count} elements:"] + [
        f"  {v.op.name} {shown_shape(v)}" for v in left
    ]
