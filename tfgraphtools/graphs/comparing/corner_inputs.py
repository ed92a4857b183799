"""Inputs at the corners of what a graph takes: negative, large and equal numbers, all flags.

A conversion that is right for numbers near 1 can be wrong there: integers that are divided below
zero, padding of -1, an exponential that overflows, a branch that no run took.
"""

import itertools

import numpy as np

from tfgraphtools.checkpoints.graphs import cuts

_SEED = 2
#: How many combinations of flags are tried.
_MOST_FLAGS = 16
#: The runs of an input by itself, where the graph refuses all inputs at a corner.
_MOST_ALONE = 24

#: Ops through which an integer may be of any size: it is no shape, no count and no length there.
_VALUES = frozenset(
    "Abs Add AddV2 AddN ArgMax ArgMin BiasAdd Cast ClipByValue ConcatV2 Equal ExpandDims FloorDiv "
    "FloorMod Greater GreaterEqual Identity Less LessEqual Max Maximum Min Minimum Mod Mul Neg "
    "NotEqual OneHot Pack RealDiv Reshape Select SelectV2 Sign Split SplitV Squeeze StopGradient "
    "Sub Sum TopKV2 Transpose TruncateDiv TruncateMod Unpack ZerosLike OnesLike Square".split()
)
#: Of these ops, the inputs that are sizes or axes.
_SIZES = {
    **dict.fromkeys("ExpandDims Reshape Transpose ArgMax ArgMin Sum Max Min TopKV2".split(), {1}),
    "OneHot": {1},
    "SplitV": {1, 2},
    "Split": {0},
}
_COMPARISONS = frozenset("Equal NotEqual Less LessEqual Greater GreaterEqual".split())


def _zeros(random, array, number):
    return np.zeros(array.shape)


def _signs(random, array, number):
    """Draws -1, -0, 0 and 1: each pair of them in two inputs of 16 elements."""
    places = np.arange(array.size) // 4 ** (number % 2) % 4
    return np.array([-1, -0.0, 0.0, 1])[places].reshape(array.shape)


def _halves(random, array, number):
    return random.randint(-6, 7, array.shape) / 2


def _equal(random, array, number):
    return np.full(array.shape, array.flat[0] if array.size else 0)


def _padded(random, array, number):
    """Puts -1, which pads ids, in the place of each second number."""
    return np.where(np.arange(array.size).reshape(array.shape) % 2, array, -1)


def _negative(random, array, number):
    return random.randint(-8, 8, array.shape)


def _hundreds(random, array, number):
    return random.randint(-100, 101, array.shape)


def _large(random, array, number):
    return random.choice([-1, 1], array.shape) * 10 ** random.uniform(1, 2.5, array.shape)


def _extreme(random, array, number):
    """Draws integers up to the largest; not the smallest, whose quotient by -1 has no integer."""
    most = int(min(np.iinfo(array.dtype).max, np.iinfo(np.int64).max))
    edges = [most, most - 1, 1 - most, -most, min(most, 2**24 + 1)]
    inner = np.trunc(random.uniform(-0.5, 0.5, array.size) * most).astype(np.int64)
    places = np.arange(array.size)
    cycled = np.array(edges, np.int64)[(places // 2 + number) % len(edges)]
    drawn = np.where(places % 2, inner, cycled).reshape(array.shape)
    return np.abs(drawn) if array.dtype.kind == "u" else drawn


def _close(random, array, number):
    """Draws large integers that are neighbours, which are equal as float32 or as float64."""
    is_wide = np.iinfo(array.dtype).max > 2**53
    bases = np.where(np.arange(array.size) % 2, 2**53 if is_wide else 2**24, 2**24)
    return bases.reshape(array.shape) + random.randint(0, 4, array.shape)


#: {kind of a dtype: {corner: what draws it, of a RandomState, an array and the input's number}}.
_FLOATS = {"zeros": _zeros, "signs": _signs, "halves": _halves, "large": _large}
_DRAWN = {
    "f": _FLOATS,
    "V": _FLOATS,  # bfloat16 is a void to NumPy
    "c": {"zeros": _zeros, "large": _large},
    "i": {
        "zeros": _zeros,
        "equal": _equal,
        "padded": _padded,
        "negative": _negative,
        "large": _hundreds,
        "extreme": _extreme,
        "close": _close,
    },
    "u": {"zeros": _zeros, "equal": _equal, "extreme": _extreme, "close": _close},
    "b": {"zeros": _zeros, "equal": lambda random, array, number: np.ones(array.shape)},
}
#: In this order.
CORNERS = ("zeros", "equal", "signs", "halves", "padded", "negative", "large", "extreme", "close")
#: For integers that may have any value, and wide ones.
_OF_ANY_SIZE = ("extreme", "close")


def at_corners(run, accepts, whole_range):
    """Yields (words, run) for runs at corners that the graph accepts.

    Args:
      run: {name: array}: one that it accepts, whose shapes are kept.
      accepts: a function of a run that tells whether the graph takes it.
      whole_range: the names of inputs whose integers may have any value.
    """
    alone = _MOST_ALONE
    for corner in CORNERS:
        changed = _changed(run, corner, whole_range)
        if not changed:
            continue
        if accepts({**run, **changed}):
            words = "all" if len(changed) > 1 else next(iter(changed))
            yield f"{words} {corner}", {**run, **changed}
            continue
        for name in changed if len(changed) > 1 else ():
            single = {**run, name: changed[name]}
            alone -= 1
            if alone >= 0 and accepts(single):
                yield f"{name} {corner}", single
    for words, flags in _flags(run):
        if accepts({**run, **flags}):
            yield words, {**run, **flags}


def _changed(run, corner, whole_range):
    """Returns {name: array} of the inputs that have this corner."""
    arrays = {}
    for number, (name, array) in enumerate(run.items()):
        draw = _DRAWN.get(array.dtype.kind, {}).get(corner)
        is_flag = array.dtype.kind == "b" and not array.ndim
        if draw and not is_flag and _has(corner, array, name in whole_range):
            random = np.random.RandomState([_SEED, CORNERS.index(corner), number])
            arrays[name] = np.asarray(draw(random, array, number)).astype(array.dtype)
    return arrays


def _has(corner, array, is_any_size):
    """Tells whether an array takes the numbers of a corner."""
    if corner not in _OF_ANY_SIZE:
        return True
    return is_any_size and (corner != "close" or np.iinfo(array.dtype).max > 2**25)


def _flags(run):
    """Yields (words, {name: flag}): each combination of the flags, or some where they are many."""
    names = [name for name, array in run.items() if array.dtype.kind == "b" and not array.ndim]
    if not names:
        return
    if 2 ** len(names) <= _MOST_FLAGS:
        combinations = list(itertools.product([False, True], repeat=len(names)))
    else:
        random = np.random.RandomState(_SEED)
        drawn = random.randint(0, 2, (_MOST_FLAGS - 2, len(names))).astype(bool)
        combinations = [[False] * len(names), [True] * len(names), *drawn.tolist()]
    for values in combinations:
        flags = dict(zip(names, values))
        words = " ".join(f"{name}={value}" for name, value in flags.items())
        yield words, {name: np.asarray(value) for name, value in flags.items()}


def of_any_size(graph_def, inputs):
    """Returns the names of the inputs that are values wherever the graph uses them.

    An integer that is a length, a shape or the number of a loop's rounds would take all memory.

    Args:
      graph_def: a GraphDef.
      inputs: {name: tensor}.
    """
    users = {}
    for node in graph_def.node:
        for index, tensor in enumerate(node.input):
            if not tensor.startswith("^"):
                users.setdefault(cuts.split_tensor(tensor)[0], []).append((node, index))
    return {name for name, tensor in inputs.items() if _is_value(users, tensor)}


def _is_value(users, tensor):
    seen, waiting = set(), [cuts.split_tensor(tensor)[0]]
    while waiting:
        for node, index in users.get(waiting.pop(), ()):
            if node.op not in _VALUES or index in _SIZES.get(node.op, ()):
                return False
            if node.name not in seen and node.op not in _COMPARISONS:
                seen.add(node.name)
                waiting.append(node.name)
    return True


def ranges(runs):
    """Returns {name: (the least, the largest value)} of each input over runs.

    Args:
      runs: a list of {name: array}.
    """
    described = {}
    for name in runs[0] if runs else ():
        arrays = [run[name] for run in runs if run[name].size and run[name].dtype.kind in "fiubV"]
        values = [array.astype(np.float64) for array in arrays]
        if values:
            described[name] = (
                float(min(value.min() for value in values)),
                float(max(value.max() for value in values)),
            )
    return described
