"""Arrays with which a graph and its conversion run: random ones, or the user's."""

import numpy as np

from tfgraphtools.errors import ArgumentError, GraphExportError

#: Sizes that are tried for an unknown first size, and for the others.
_ROWS = (3, 2)
_SIZES = (8, 40, 224)
#: Ranks that are tried for inputs of unknown shape.
_RANKS = (1, 0, 2, 4)
_SEED = 1


def attempts(inputs, sizes=_SIZES):
    """Yields lists of runs, {name: array} each, until one is what the graph takes.

    Args:
      inputs: {name: (NumPy dtype, shape)}; None is a size of any number.
      sizes: those that are tried for axes of any size behind the first one.
    """
    unknown = [name for name, (_, shape) in inputs.items() if shape is None]
    for rank in _RANKS if unknown else _RANKS[:1]:
        ranked = {
            name: (dtype, _of_rank(dtype, rank) if shape is None else shape)
            for name, (dtype, shape) in inputs.items()
        }
        for size in sizes:
            for most in (8, 2):  # integers are often rows of a table of unknown size
                yield [
                    {
                        name: _array(name, row, (number, i), size, most)
                        for i, (name, row) in enumerate(ranked.items())
                    }
                    for number in range(len(_ROWS))
                ]
            if all(None not in shape[1:] for _, shape in ranked.values()):
                break


def _of_rank(dtype, rank):
    """Returns a shape of free sizes; a bool of unknown shape is a flag."""
    return () if np.dtype(dtype).kind == "b" else (None,) * rank


def _array(name, described, place, size, most):
    """Returns an array of an input.

    Args:
      place: (number of the run, number of the input): no two inputs are alike, and a flag is True
        in one run and False in the other.
    """
    dtype, shape = described
    random = np.random.RandomState([_SEED, *place])
    rows = _ROWS[place[0]]
    sizes = [(size if axis else rows) if n is None else n for axis, n in enumerate(shape)]
    kind = np.dtype(dtype).kind
    if kind == "b":
        return np.asarray(random.randint(0, 2, sizes) if sizes else sum(place) % 2).astype(bool)
    if kind == "u" and np.dtype(dtype).itemsize == 1:
        return np.asarray(random.randint(0, 256, sizes)).astype(dtype)
    if kind in "iu":
        return np.asarray(random.randint(0, most, sizes)).astype(dtype)
    if kind in "fV":  # bfloat16 is a void to NumPy
        return np.asarray(random.standard_normal(sizes)).astype(dtype)
    if kind == "c":
        return np.asarray(random.standard_normal(sizes) + 1j).astype(dtype)
    raise GraphExportError(
        f"input {name}",
        "numbers, which can be drawn",
        str(dtype),
        "Pass samples: a .npz with an array for every input (--samples data.npz).",
    )


def of_samples(samples, inputs, most=8):
    """Returns the runs, {name: array} each, of arrays in which the first axis is the samples'.

    A graph with a fixed number of rows gets that many at once, one with any number all of them.

    Args:
      samples: {name: array}.
      inputs: as in `attempts`.
      most: runs.

    Raises:
      ArgumentError: an input is not there, or its array has another shape.
    """
    if set(samples) != set(inputs):
        raise ArgumentError(
            "samples",
            "an array for each input: " + ", ".join(inputs),
            ", ".join(sorted(samples)) or "none",
            "Write it with numpy.savez(path, {}).".format(
                ", ".join(f"{name}=..." for name in inputs)
            ),
        )
    arrays = {name: _cast(name, np.asarray(samples[name]), row[0]) for name, row in inputs.items()}
    for name, (_, shape) in inputs.items():
        _require_fits(name, arrays[name].shape, shape)
    fixed = {shape[0] for _, shape in inputs.values() if shape and shape[0] is not None}
    counts = {len(arrays[name]) for name, (_, shape) in inputs.items() if shape}
    if len(fixed) != 1 or len(counts) != 1 or fixed == counts:
        return [arrays]
    rows, count = fixed.pop(), counts.pop()
    return [
        {
            name: arrays[name][start : start + rows] if inputs[name][1] else arrays[name]
            for name in inputs
        }
        for start in range(0, count - rows + 1, rows)[:most]
    ]


def _cast(name, array, dtype):
    """Returns an array of a dtype; raises `ArgumentError` if it would hold other values."""
    problem = None if array.size else "an empty array"
    try:
        cast = array.astype(dtype)
        is_rounded = np.dtype(dtype).kind in "iub" and not np.array_equal(cast, array)
        if is_rounded or (array.dtype.kind == "c" and np.dtype(dtype).kind != "c"):
            problem = f"{array.dtype} that {np.dtype(dtype)} cannot hold"
    except (TypeError, ValueError):
        problem = str(array.dtype)
    if problem:
        raise ArgumentError(
            f"samples: {name}",
            f"values of {np.dtype(dtype)}",
            problem,
            "Pass the array that the graph would be fed.",
        )
    return cast


def _require_fits(name, actual, shape):
    if shape is None:
        return
    fits = len(actual) == len(shape) and all(
        size in (None, actual_size) for actual_size, size in zip(actual[1:], shape[1:])
    )
    if fits and shape and shape[0] is not None:
        fits = actual[0] >= shape[0] and actual[0] % shape[0] == 0
    if not fits:
        raise ArgumentError(
            f"samples: {name}",
            "an array of shape [{}]".format(", ".join("?" if n is None else str(n) for n in shape)),
            str(list(actual)),
            "The first axis holds the samples; a fixed first size must divide their number.",
        )
