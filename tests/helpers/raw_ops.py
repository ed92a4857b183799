"""Ops of `tf.raw_ops` with generated arguments: `programs(tf, v1, seed, draws)`."""

import os
import signal
import sys

import numpy as np

#: Ops that wait, write files, end the process, or are made for TF's own use.
SKIPPED = frozenset(
    [
        "Abort", "AssertNextDataset", "Barrier", "CollectiveGather", "CollectiveReduce",
        "CollectiveBcastRecv", "CollectiveBcastSend", "DebugIdentity", "DebugIdentityV2",
        "DebugIdentityV3", "DebugNanCount", "DebugNumericSummary", "NcclAllReduce",
        "NcclBroadcast", "NcclReduce", "Placeholder", "PlaceholderV2", "QueueDequeue", "Recv",
        "Send", "Print", "PrintV2", "ReadFile", "WriteFile", "TPUReplicatedInput",
        "TPUReplicatedOutput", "TPUPartitionedInput", "XlaClusterOutput", "XlaLaunch",
    ]
)  # fmt: skip

_SHAPES = [[], [4], [2, 2], [2, 3], [3, 2], [1, 4, 4, 2], [2, 2, 2, 2], [1, 2, 4, 4, 2], [2, 2, 3]]
_INTEGERS = [
    0,
    1,
    2,
    -1,
    [0],
    [1],
    [0, 1],
    [1, 0],
    [2, 2],
    [1, 1],
    [0, 0],
    [2, 3],
    [4],
    [0, 1, 1, 0],
]
_INTEGERS += [[[0, 1], [1, 0]], [[0, 0], [0, 0]], [[1, 1], [1, 1]], [1, 4, 4, 2], [0, 2, 1], [3, 2]]
_INTEGERS += [[[0], [1]], [0, 0, 0, 0], [0, 0, 1, 1], [2, 2, 2, 2], [1, 2, 2, 1], [2, 2, 2]]
_LISTS = [[1, 1, 1, 1], [1, 2, 2, 1], [1, 1, 1, 1, 1], [1, 2, 2, 2, 1], [2, 2], [1, 1], [0], [1]]
_STRINGS = ["SAME", "VALID", "NHWC", "ab,bc->ac", "a->a", "ij->ji", "REFLECT", "bilinear", "min"]


def names(tf):
    """The raw ops with a gradient function, sorted."""
    from tensorflow.python.framework import ops

    registry = ops._gradient_registry
    found = []
    for name in sorted(set(registry.list()) & set(dir(tf.raw_ops)) - SKIPPED):
        if registry.lookup(name) is not None:
            found.append(name)
    return found


class _Draw:
    """Draws the arguments of one op."""

    def __init__(self, tf, v1, random, x):
        self._tf, self._v1, self._random, self._x = tf, v1, random, x
        self.uses_x, self._offset = False, int(random.randint(8))

    def arguments(self, definition):
        types, chosen = {}, {}
        for attr in definition.attr:
            if attr.type == "type":
                types[attr.name] = self._dtype(attr)
            elif attr.name in {one.number_attr for one in definition.input_arg}:
                types[attr.name] = int(self._random.randint(1, 4))
            elif attr.type == "list(type)":
                types[attr.name] = [self._tf.float32] * int(self._random.randint(1, 3))
        inferred = {one.type_attr for one in definition.input_arg}
        inferred |= {one.number_attr for one in definition.input_arg}
        inferred |= {one.type_list_attr for one in definition.input_arg}
        for attr in definition.attr:
            if attr.name in inferred:
                continue
            if attr.type == "type":
                chosen[attr.name] = types[attr.name]
            elif not attr.HasField("default_value") or self._random.rand() < 0.5:
                value = self._attribute(attr)
                if value is not None:
                    chosen[attr.name] = value
        shape = self._shape()
        for one in definition.input_arg:
            chosen[one.name] = self._input(one, types, shape)
        return chosen

    def _dtype(self, attr):
        tf = self._tf
        allowed = [tf.as_dtype(one) for one in attr.allowed_values.list.type]
        preferred = [d for d in (tf.float32, tf.complex64, tf.int32) if not allowed or d in allowed]
        if tf.float32 in preferred and self._random.rand() < 0.85:
            return tf.float32
        return preferred[self._random.randint(len(preferred))] if preferred else allowed[0]

    def _attribute(self, attr):
        random = self._random
        if attr.allowed_values.list.s:
            allowed = attr.allowed_values.list.s
            return allowed[random.randint(len(allowed))].decode()
        if attr.type == "int":
            return max(int(random.choice([-1, 0, 1, 2])), attr.minimum if attr.has_minimum else -9)
        if attr.type == "float":
            return float(random.choice([0.5, 1.0, 2.0, -1.0]))
        if attr.type == "bool":
            return bool(random.randint(2))
        if attr.type == "string":
            return _STRINGS[random.randint(len(_STRINGS))]
        if attr.type == "list(int)":
            return _LISTS[random.randint(len(_LISTS))]
        if attr.type == "shape":
            return self._shape()
        return None

    def _shape(self):
        return list(_SHAPES[self._random.randint(len(_SHAPES))])

    def _input(self, argument, types, shape):
        if argument.number_attr:
            dtype = types.get(argument.type_attr) or argument.type
            return [self._tensor(dtype, shape) for _ in range(types[argument.number_attr])]
        if argument.type_list_attr:
            return [self._tensor(dtype, shape) for dtype in types[argument.type_list_attr]]
        if self._random.rand() < 0.3:
            shape = self._shape()
        return self._tensor(types.get(argument.type_attr) or argument.type, shape)

    def _tensor(self, dtype, shape):
        tf, random = self._tf, self._random
        dtype = tf.as_dtype(dtype)
        if dtype.is_bool:
            return (
                tf.constant(bool(random.randint(2)))
                if random.rand() < 0.4
                else tf.constant(random.rand(*shape) < 0.5)
            )
        if dtype.is_integer:
            return tf.constant(_INTEGERS[random.randint(len(_INTEGERS))], dtype)
        if not (dtype.is_floating or dtype.is_complex):
            raise TypeError(dtype)
        size = int(np.prod(shape))
        if random.rand() < 0.8:
            self.uses_x = True
            value = self._from_x(size, shape)
        else:
            value = tf.constant(random.rand(*shape).astype("f") + 0.1, tf.float32)
        if dtype.is_complex:
            return tf.cast(tf.complex(value, self._from_x(size, shape)), dtype)
        return tf.cast(value, dtype) if dtype != tf.float32 else value

    def _from_x(self, size, shape):
        """Elements of x, other ones for each input: what is the same cancels."""
        self._offset += 1
        elements = (np.arange(size) * 3 + self._offset) % 8
        return self._tf.reshape(self._tf.gather(self._x, elements), shape)


def programs(tf, v1, name, seed, draws, tries=60):
    """(x, y, what was drawn) of up to ``draws`` calls of the op that TF builds, a graph each."""
    from tensorflow.python.framework import op_def_registry

    if hasattr(op_def_registry, "get"):
        definition = op_def_registry.get(name)
    else:
        definition = op_def_registry.get_registered_ops()[name]
    random = np.random.RandomState(seed)
    for _ in range(draws):
        for _ in range(tries):
            with v1.Graph().as_default():
                v1.set_random_seed(1)
                start = np.linspace(0.15, 0.85, 8).astype("f")
                x = v1.placeholder_with_default(start, [8], name="x")
                draw = _Draw(tf, v1, random, x)
                try:
                    arguments = draw.arguments(definition)
                    outputs = getattr(tf.raw_ops, name)(**arguments)
                except Exception:  # pylint: disable=broad-except  # most draws do not fit the op
                    continue
                outputs = _flat(outputs)
                outputs = [one for one in outputs if one.dtype.is_floating or one.dtype.is_complex]
                if not outputs or not draw.uses_x:
                    continue
                y = outputs[random.randint(len(outputs))]
                shown = {key: getattr(value, "shape", value) for key, value in arguments.items()}
                try:
                    with v1.Session() as session:
                        value = session.run(y)
                except Exception:  # pylint: disable=broad-except  # a draw that the kernel refuses
                    continue
                if not value.size or not np.all(np.isfinite(value)):
                    continue
                shown = f"{name} {shown} -> {y.name}"
                if y.dtype.is_complex:  # tf.gradients takes no complex y without grad_ys
                    y = tf.math.real(y) + 0.7 * tf.math.imag(y)
                yield x, y, shown
                break


def _flat(outputs):
    if isinstance(outputs, (list, tuple)):
        return [tensor for one in outputs for tensor in _flat(one)]
    return [outputs] if hasattr(outputs, "dtype") else []


def value_verdict(tf, v1, y, x):
    """The verdict of tf.gradients, by its values at several x."""
    try:
        (gradient,) = v1.gradients(y, x)
    except Exception:  # pylint: disable=broad-except  # whatever a gradient function raises
        return "none"
    if gradient is None:
        return "none"
    gradient, random = tf.convert_to_tensor(gradient), np.random.RandomState(0)
    with v1.Session() as session:
        points = [{}] + [{x: random.randn(8).astype("f") * s} for s in (0.3, 1.0, 8.0)]
        points += [{x: s * np.linspace(1, 2, 8).astype("f")} for s in (2.0, -2.0)]
        for point in points:
            try:
                value = session.run(gradient, point)
            except Exception:  # pylint: disable=broad-except  # no kernel, or outside of the domain
                continue
            if np.any(value != 0):
                return "live"
            points = None
    return "unknown" if points is not None else "zero"


def disagreements(tf, v1, gradients, name, seed, draws):
    """(number of calls drawn, [(our verdict, TF's, the call)]) where the two differ."""
    count, found = 0, []
    for x, y, shown in programs(tf, v1, name, seed, draws):
        with y.graph.as_default():
            count += 1
            ours = gradients.explain_gradient(y, x).verdict(x)
            theirs = value_verdict(tf, v1, y, x)
            if theirs not in ("unknown", ours):
                found.append((ours, theirs, shown))
    return count, found


def main(seed, draws, every=1):
    """Prints the disagreements of a draw; each op in a process, as some kernels abort.

    Args:
      every: take each op of this number only.
    """
    import tensorflow as tf

    from tfgraphtools import gradients

    tf.compat.v1.disable_eager_execution()
    tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)
    for name in names(tf)[seed % every :: every]:
        child = os.fork()
        if not child:
            signal.alarm(60)
            try:
                count, found = disagreements(tf, tf.compat.v1, gradients, name, seed, draws)
                print(name, count, len(found), flush=True)
                for one in found:
                    print("  ours {}, tf.gradients {}: {}".format(*one), flush=True)
            except Exception as error:  # pylint: disable=broad-except  # to be read
                print(f"{name} failed: {error!r}", flush=True)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status:
            print(f"{name} ended the process ({status})", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
