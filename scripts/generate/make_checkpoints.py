"""Writes checkpoints with the TensorFlow at hand, for the tests to read.

    python scripts/generate/make_checkpoints.py FOLDER [CASE ...]

The same file runs under TF 1.15 and TF 2.x. What a case holds is a function of
the case alone (`contents`), so that a test knows the values without asking the
process that wrote them.
"""

import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np  # noqa: E402

NUMERIC = [
    "float32",
    "float64",
    "float16",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "bool",
    "complex64",
    "complex128",
]
SHAPES = {
    "scalar": (),
    "vector": (5,),
    "matrix": (4, 6),
    "cube": (2, 3, 4),
    "empty": (0, 3),
    "one": (1, 1),
}
STRINGS = [b"", b"a", b"\x00\xff", "größer".encode(), b"x" * 300]
ODD_NAMES = ["a b", "\u00e9", "net/W", "net/w", "run[1]/*?", "n/" + "long" * 60]

#: V1 has no uint32, uint64 or bfloat16.
V1_NUMERIC = [name for name in NUMERIC if name not in ("uint32", "uint64")]


def numbers(dtype, shape, seed):
    """Values of a type that use its range, the same in every process."""
    random = np.random.RandomState(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return random.rand(*shape) > 0.5 if shape else np.array(True)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        spread = random.uniform(-1.0, 1.0, shape) * (float(info.max) / 2)
        return np.array(np.abs(spread) if dtype.kind == "u" else spread).astype(dtype)
    values = random.randn(*shape) if shape else np.array(random.randn())
    if dtype.kind == "c":
        values = values + 1j * (random.randn(*shape) if shape else random.randn())
    return np.asarray(values, dtype)


def dtypes_and_shapes(names):
    """{tensor name: values} of every type in every shape, strings, and odd names."""
    out = {}
    for dtype in names:
        i = NUMERIC.index(dtype)  # the values of a type are the same in every case
        for j, (kind, shape) in enumerate(sorted(SHAPES.items())):
            out[f"{dtype}/{kind}"] = numbers(dtype, shape, 10 * i + j)
    out["string/vector"] = np.array(STRINGS, object)
    out["string/scalar"] = np.array(b"hello", object)
    out["string/empty"] = np.zeros((0, 2), object)
    for i, name in enumerate(ODD_NAMES):
        out[name] = np.full((2,), i, np.float32)
    return out


def sliced(names):
    """{tensor name: (values, [(start, stop) of the first dimension])}, with strings."""
    out = {}
    for i, dtype in enumerate(names):
        out["part/" + dtype] = (numbers(dtype, (7, 3), 500 + i), [(0, 3), (3, 5), (5, 7)])
    strings = np.array([b"s%d" % i for i in range(21)], object).reshape(7, 3)
    out["part/string"] = (strings, [(0, 4), (4, 7)])
    return out


def many():
    """Enough variables, with names long enough, for an index of more than one block."""
    return {
        "{:04d}/{}".format(3 * i, "a_long_scope/" * 7): np.full((i % 7 + 1,), i, np.float32)
        for i in range(2500)
    }


def contents(case):
    """{name: values} of a case."""
    if case in ("v2_sliced", "v1_sliced"):
        known = sliced(NUMERIC if case == "v2_sliced" else V1_NUMERIC)
        return {name: values for name, (values, _) in known.items()}
    if case == "many":
        return many()
    return dtypes_and_shapes(V1_NUMERIC if case.startswith("v1") else NUMERIC)


#: Case: the prefix inside the folder.
CASES = {
    "v2": "v2/model.ckpt-1",
    "v2_sliced": "v2_sliced/model.ckpt",
    "v2_shards": "v2_shards/model.ckpt",
    "v2_brackets": "run[1]/model.ckpt-5",
    "v1": "v1/model.ckpt",
    "v1_sliced": "v1_sliced/model.ckpt",
    "v1_shards": "v1_shards/model.ckpt",
    "many": "many/model.ckpt",
}


def make(case, folder):
    """Writes a case below ``folder`` and returns its prefix."""
    import tensorflow as tf

    prefix = os.path.join(str(folder), CASES[case])
    if not os.path.isdir(os.path.dirname(prefix)):
        os.makedirs(os.path.dirname(prefix))
    v1 = tf.compat.v1
    with v1.Graph().as_default(), v1.Session() as session:
        for op in _save_ops(case, prefix, tf.raw_ops, tf):
            session.run(op)
    return prefix


def _save_ops(case, prefix, raw_ops, tf):
    if case in ("v2_sliced", "v1_sliced"):
        return [_save_sliced(case, prefix, raw_ops, tf)]
    values = contents(case)
    tensors = _constants(tf, values)
    if case == "v1":
        return [
            raw_ops.Save(
                filename=prefix, tensor_names=[n for n, _ in tensors], data=[t for _, t in tensors]
            )
        ]
    halves = [tensors[::2], tensors[1::2]]
    if case == "v1_shards":
        return [
            raw_ops.Save(
                filename=f"{prefix}-{i:05d}-of-00002",
                tensor_names=[n for n, _ in half],
                data=[t for _, t in half],
            )
            for i, half in enumerate(halves)
        ]
    if case == "v2_shards":
        temporary = [prefix + f"_temp/part-{i:05d}-of-00002" for i in range(2)]
        return [_save_v2(raw_ops, name, half) for name, half in zip(temporary, halves)] + [
            raw_ops.MergeV2Checkpoints(checkpoint_prefixes=temporary, destination_prefix=prefix)
        ]
    return [_save_v2(raw_ops, prefix, tensors)]


def _save_v2(raw_ops, prefix, tensors):
    return raw_ops.SaveV2(
        prefix=prefix,
        tensor_names=[n for n, _ in tensors],
        shape_and_slices=[""] * len(tensors),
        tensors=[t for _, t in tensors],
    )


def _save_sliced(case, prefix, raw_ops, tf):
    names, specs, tensors = [], [], []
    for name, (values, parts) in sliced(NUMERIC if case == "v2_sliced" else V1_NUMERIC).items():
        for start, stop in parts:
            names.append(name)
            # TF writes the whole of a dimension both as "-" and in numbers.
            columns = "-" if name < "part/f" else "0,3"
            specs.append(f"7 3 {start},{stop - start}:{columns}")
            tensors.append(_constant(tf, values[start:stop]))
    if case == "v2_sliced":
        return raw_ops.SaveV2(
            prefix=prefix, tensor_names=names, shape_and_slices=specs, tensors=tensors
        )
    return raw_ops.SaveSlices(
        filename=prefix, tensor_names=names, shapes_and_slices=specs, data=tensors
    )


def _constants(tf, values):
    """[(name, tensor)]; thousands of one shape come out of one constant, which is far quicker."""
    if len(values) < 1000:
        return [(name, _constant(tf, value)) for name, value in values.items()]
    by_shape = {}
    for name, value in values.items():
        by_shape.setdefault(value.shape, []).append(name)
    tensors = []
    for names in by_shape.values():
        stacked = tf.constant(np.stack([values[name] for name in names]))
        tensors.extend(zip(names, tf.unstack(stacked)))
    return tensors


def _constant(tf, value):
    dtype = tf.string if value.dtype == object else tf.as_dtype(value.dtype)
    return tf.constant(value, dtype, shape=value.shape)


def main(folder, *cases):
    for case in cases or sorted(CASES):
        print(case, make(case, folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
