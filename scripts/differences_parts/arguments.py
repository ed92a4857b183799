"""Generated arguments: plain descriptions, drawn by the name of a parameter, and their values.

A description is JSON, so that one draw serves both TFs: numbers, strings, None and lists
mean themselves; a mapping with "is" is a tensor, a dtype, a function or an object.
"""

import random
import re

FLOATS = ("float32", "float32", "float32", "float64", "float16")
DTYPES = FLOATS + ("int32", "int32", "int64", "uint8", "bool", "complex64", "string")
SHAPES = (
    [3], [2, 3], [2, 3], [4, 4], [2, 3, 3], [2, 4, 4, 3], [2, 4, 4, 3], [], [1], [0, 3], [2, 0],
    [2, 3, 4, 4, 2], [2, 2, 3, 1], [1, 3, 3], [6],
)  # fmt: skip
MODES = ("array", "constant", "list", "placeholder", "unknown", "unknown", "rankless", "variable")
VALUES = ("small", "small", "positive", "special", "zeros", "unit", "big")

SPECIAL = (float("nan"), float("inf"), float("-inf"), 0.0, -0.0, 1.0, -7.5, 0.5, 2.5, -2.5)


class Draw:
    """The arguments of one call: its tensors share a dtype and, mostly, a shape."""

    def __init__(self, symbol, attempt, seed=0):
        drawn = f"{symbol} {attempt}" if seed == 0 else f"{symbol} {attempt} {seed}"
        self.random = random.Random(drawn)
        self.dtype = self.random.choice(DTYPES if attempt % 3 else FLOATS)
        self.shape = list(self.random.choice(SHAPES))
        self.values = self.random.choice(VALUES)
        self.mode = self.random.choice(MODES)

    def one(self, *choices):
        return self.random.choice(choices)

    def tensor(self, dtype=None, shape=None, values=None):
        if shape is None:
            shape = self.shape
            if self.random.random() < 0.2:
                shape = list(self.random.choice(SHAPES))
        mode = self.mode if self.random.random() < 0.8 else self.random.choice(MODES)
        return {
            "is": "tensor",
            "mode": mode,
            "dtype": dtype or self.dtype,
            "shape": shape,
            "values": values or self.values,
            "seed": self.random.randrange(1000),
        }

    def indices(self):
        shape = self.shape[: self.random.choice((1, 1, 2))] or [3]
        return self.tensor(self.one("int32", "int64"), shape, "indices")

    def small(self):
        return self.one(0, 1, 1, 2, 2, 3, 4)

    def by_name(self, name):
        """A description for a parameter that must be given."""
        for pattern, draw in RULES:
            if re.search(pattern, name):
                return draw(self)
        return self.tensor()

    def by_default(self, name, default):
        """Another value than the default of an optional parameter, by its type."""
        if isinstance(default, bool):
            return not default
        if isinstance(default, int):
            return self.one(default, default + 1, 0, 2, -1)
        if isinstance(default, float):
            return self.one(default, default / 2, 0.0, 0.3, 1.0)
        if isinstance(default, str):
            return {"SAME": "VALID", "VALID": "SAME"}.get(default, default)
        if default is None:
            return self.by_name(name) if known(name) else None
        return default


def known(name):
    """Whether a rule says what a parameter of this name takes."""
    return any(re.search(pattern, name) for pattern, _ in RULES)


RULES = (
    (r"^(name|scope|shared_name|container|collections|.*name_scope|variables_collections"
     r"|outputs_collections|summarize|message|reuse)$", lambda d: None),
    (r"seed", lambda d: 1),
    (r"^(dtype|out_type|output_type|.*_dtype|.*Tout|T|Tidx|DstT)$",
     lambda d: {"is": "dtype", "name": d.one("float32", d.dtype, "int32", "int64")}),
    (r"data_format", lambda d: d.one("NHWC", "NHWC", "channels_last", None)),
    (r"padding$", lambda d: d.one("SAME", "VALID", "same", "valid")),
    (r"(kernel_size|ksize|pool_size|strides?$|dilation|^rates$|window_size|block_size|^size$)",
     lambda d: d.one(1, 2, [1, 2, 2, 1], [1, 1, 1, 1], [2, 2], [3])),
    (r"(^|_)(axis|axes|dim|dims|dimension|dimensions|reduction_indices)$",
     lambda d: d.one(0, 1, -1, -1, [0], [0, 1], None)),
    (r"begin|^start$", lambda d: d.one(0, [0] * len(d.shape), [1])),
    (r"shape|^multiples$|^end$|^limit$",
     lambda d: d.one(d.shape, [2, 3], [-1], [6], [2, 2, 3], [3, 2], 3)),
    (r"perm$", lambda d: list(range(len(d.shape)))[::-1]),
    (r"paddings$|crops$", lambda d: [[d.one(0, 1), 1] for _ in d.shape]),
    (r"segment_ids", lambda d: d.tensor("int32", (d.shape or [3])[:1], "sorted")),
    (r"sequence_length|lengths?$|^counts$",
     lambda d: d.tensor("int32", (d.shape or [3])[:1], "indices")),
    (r"(^|_)(indices|ids|idx|class_ids|targets)$", lambda d: d.indices()),
    (r"^(num|n|k|depth|units|filters|rank|max|min|axis|batch|width|height|size|buffer|count)(_|$)"
     r"|^num|_size$|_count$|_dim$|target_(height|width)|offset_(height|width)",
     lambda d: d.small()),
    (r"(rate|prob|alpha|beta|gamma|epsilon|momentum|decay|ratio|factor|scale|rho|clip|delta|norm"
     r"|tolerance|temperature|stddev|mean$|lower|upper|power|weight_decay)",
     lambda d: d.one(0.1, 0.5, 1.0, 2.0, 0.0)),
    (r"(activation|_fn$|^fn$|^func|function|callable|body)",
     lambda d: {"is": "function", "name": d.one("identity", "tanh", "relu", "square")}),
    (r"cell", lambda d: {"is": "cell", "name": d.one("lstm", "gru", "rnn")}),
    (r"(initializer|regularizer|constraint)", lambda d: None),
    (r"^(mask|condition|cond|pred|is_training|training)$",
     lambda d: d.one(d.tensor("bool"), True, False)),
    (r"labels", lambda d: d.one(d.tensor(), d.indices(), d.tensor(values="unit"))),
    (r"(tensors|tensor_list|arrays|xs|inputs_list|losses|tensor_array)$|^(values|args)$",
     lambda d: d.one([d.tensor(), d.tensor()], [d.tensor()], d.tensor())),
    (r"(pattern|rewrite|delimiter|sep|prefix|format|mode|method|filename|path|key|string)",
     lambda d: d.one("a", "%s", "sum", "mean", d.tensor("string"))),
)  # fmt: skip


def numbers(count, values, dtype, seed):
    """`count` Python values of one kind; the same on every Python."""
    draw = random.Random(seed)
    if dtype == "string":
        return [draw.choice((b"", b"a", b"ab c", b"1.5", b"-3")) for _ in range(count)]
    if dtype == "bool":
        return [draw.random() < 0.5 for _ in range(count)]
    if values == "indices":
        return [draw.randrange(3) for _ in range(count)]
    if values == "sorted":
        return sorted(draw.randrange(3) for _ in range(count))
    whole = dtype.startswith(("int", "uint"))
    lowest = 0 if dtype.startswith("uint") else -4
    if values == "zeros":
        return [0] * count
    if whole:
        top = 120 if values == "big" else 5
        low = 1 if values in ("positive", "unit") else lowest
        return [draw.randrange(low, top) for _ in range(count)]
    if values == "special":
        return [draw.choice(SPECIAL) for _ in range(count)]
    low, high = {"small": (-2, 2), "positive": (0.1, 3), "unit": (0, 1), "big": (-500, 500)}[values]
    return [round(low + (high - low) * draw.random(), 3) for _ in range(count)]
