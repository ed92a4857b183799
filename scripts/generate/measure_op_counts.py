"""Counts the ops that TF 1.15 and `run --seeds=tf1` make for each call of lists, and compares.

    measure_op_counts.py OUT.json CALLS...            under TF 1.15, and under TF 2.x
    measure_op_counts.py --compare TF1.json TF2.json [measured.tsv]

A call is a line of Python (tests/compat/seeds/*.txt); `X`, `I`, `B`, `S` make
placeholders of floats, integers, booleans and strings, `U` one of unknown shape,
`V` a variable, and `G(f, x)` is the gradient of f at x. Each is measured with known
and unknown batch size and with ref and resource variables: the number of ops, the
seeds of random ops, and the ops of its gradients, as a whole and of each op. With a
third file `--compare` writes there what was found to agree, and what was not: the
table that the warning of `run --seeds=tf1` goes by.
"""

import json
import os
import sys
from collections import Counter


def main(words):
    """Runs the command line."""
    if words[:1] == ["--compare"]:
        return compare(*(json.load(open(path)) for path in words[1:3]), words[3:])
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", TF_USE_LEGACY_KERAS="1", TF_ENABLE_ONEDNN_OPTS="0")
    tf, count = prepared()
    of_gradients, apis = note_gradients(count), note_apis()
    found = {}
    for call in calls_of(words[1:]):
        for batch in ("known", "unknown"):
            for variables in ("ref", "resource"):
                measured = measure(tf, count, call, batch == "unknown", variables == "resource")
                measured.update({"gradient of": dict(of_gradients), "apis": sorted(apis)})
                found["|".join((call, batch, variables))] = measured
                of_gradients.clear()
                apis.clear()
    with open(words[0], "w") as file:
        json.dump(found, file)
    return 0


def calls_of(paths):
    """The calls of these lists."""
    for path in paths:
        with open(path) as file:
            yield from (line.rstrip("\n") for line in file if line.strip())


def prepared():
    """(the 1.x API with its seeds, the function that counts a graph's ops as 1.15 would)."""
    import tensorflow

    if tensorflow.__version__.startswith("1."):
        return tensorflow, lambda graph: graph._last_id
    from tfgraphtools import compat
    from tfgraphtools.compat.engine.options import Options
    from tfgraphtools.compat.seeds import counting

    compat.activate(Options(seeds="tf1"))
    import tensorflow as tf

    return tf, counting.count


def note_gradients(count):
    """A dict that is filled: of each op type the numbers of ops that its gradients made."""
    from tensorflow.python.framework import ops

    registry = getattr(ops, "gradient_registry", None) or ops._gradient_registry
    made = {}

    def noting(original):
        def gradient(op, *grads):
            before = count(op.graph)
            result = original(op, *grads)
            made.setdefault(op.type, []).append(count(op.graph) - before)
            return result

        return gradient

    for entry in registry._registry.values():
        if entry["type"] is not None:
            entry["type"] = noting(entry["type"])
    return made


def note_apis():
    """A set that is filled, under TF 2.x: the functions of TensorFlow that the calls called."""
    from tensorflow.python.framework import ops

    called = set()
    if hasattr(ops.Graph, "_create_op_internal") and "tfgraphtools" in sys.modules:
        from tfgraphtools.compat.seeds import coverage

        create = ops.Graph._create_op_internal

        def create_op(self, *args, **kwargs):
            api, place = coverage.called_api(sys._getframe(1))
            if api is not None and not (":_" in api and place.startswith("measure_op_counts")):
                called.add(api)  # a gradient function that is noted here is no call
            return create(self, *args, **kwargs)

        ops.Graph._create_op_internal = create_op
    return called


def measure(tf, count, call, unknown, resource):
    """The counts of one call, or its error."""
    (tf.enable_resource_variables if resource else tf.disable_resource_variables)()
    leaves = []
    with tf.Graph().as_default() as graph:
        tf.set_random_seed(7)
        try:
            *first, last = call.split(" ;; ")
            names = namespace(tf, leaves, unknown)
            for statement in first:
                exec(statement, names)
            result = eval(last, names)
        except Exception as error:
            return {"error": f"{type(error).__name__}: {error}"[:200]}
        ops = graph.get_operations()
        found = {
            "ops": count(graph),
            "seeds": [
                (op.type, op.get_attr("seed"), op.get_attr("seed2"))
                for op in ops
                if "seed2" in op.node_def.attr
            ],
        }
        floats = [t for t in flat(tf, result) if t.dtype.base_dtype.is_floating]
        if floats and leaves and "gradients" not in call:
            before = count(graph)
            try:
                tf.gradients(floats, leaves + tf.trainable_variables())
                found["gradients"] = count(graph) - before
            except Exception:  # no gradient: as it is in TF 1.15
                pass
    return found


def flat(tf, result):
    """The tensors of a result."""
    if isinstance(result, tf.Operation):
        return []
    return [t for t in tf.nest.flatten(result) if isinstance(t, (tf.Tensor, tf.IndexedSlices))]


def namespace(tf, leaves, unknown):
    """What the calls may name."""
    import numpy as np

    def placeholder(*shape, **options):
        shape = (None,) + shape[1:] if unknown and shape else shape
        made = tf.placeholder(options.get("dtype", tf.float32), shape)
        if made.dtype.is_floating:
            leaves.append(made)
        return made

    def variable(*shape):
        name = f"v{len(tf.global_variables())}"
        return tf.get_variable(name, shape, initializer=tf.zeros_initializer())

    def unknown_shape():
        leaves.append(tf.placeholder(tf.float32))
        return leaves[-1]

    def gradient(function, x):
        return tf.gradients(function(x), x)[0]

    kinds = {"I": tf.int32, "B": tf.bool, "S": tf.string}
    made = {}
    for name, dtype in kinds.items():
        made[name] = lambda *shape, _dtype=dtype, **options: placeholder(
            *shape, **dict({"dtype": _dtype}, **options)
        )
    return dict(made, tf=tf, np=np, X=placeholder, V=variable, U=unknown_shape, G=gradient)


def compare(theirs, ours, paths):
    """Prints where they differ, and writes what agrees to the file that is given."""
    measured = equal = 0
    for call, there in theirs.items():
        here = ours.get(call, {})
        for what in sorted(set(there) & set(here) - {"apis", "gradient of"}):
            measured += 1
            agree = there[what] == here[what] or what == "error"
            equal += agree
            if not agree:
                print(call, what, there[what], here[what])
        if ("error" in there) != ("error" in here):
            print(call, there.get("error", "runs"), "|", here.get("error", "runs"))
    print(f"{equal} of {measured} agree")
    for path in paths:
        write(path, *apis_of(theirs, ours), *gradients_of(theirs, ours))
    return int(equal != measured)


def lines_that_agree(theirs, ours, excused=frozenset()):
    """{call: whether it agrees with known and unknown sizes, ref and resource variables}.

    Gradients that hold one of an excused op type are not looked at.
    """
    agree = {}
    for key, there in theirs.items():
        here, call = ours.get(key, {}), key.rsplit("|", 2)[0]
        if "error" in there or "error" in here:
            continue
        whats = ["ops", "seeds"]
        if not excused & set(here["gradient of"]):
            whats.append("gradients")
        is_same = all(there[w] == here[w] for w in whats if w in there and w in here)
        agree[call] = agree.get(call, True) and is_same
    return agree


def apis_of(theirs, ours):
    """(the functions whose calls agree, those of which no call does)."""
    _, excused = gradients_of(theirs, ours)
    agree = lines_that_agree(theirs, ours, excused)
    same, other = set(), set()
    for key, here in ours.items():
        call = key.rsplit("|", 2)[0]
        if call in agree:
            (same if agree[call] else other).update(here["apis"])
    return same, other - same


def gradients_of(theirs, ours):
    """(the op types whose gradients agree in nine of ten cases, the others)."""
    agree = lines_that_agree(theirs, ours)
    same, other, unlike = Counter(), Counter(), set()
    for key, there in theirs.items():
        here, call = ours.get(key, {}), key.rsplit("|", 2)[0]
        there, here = there.get("gradient of", {}), here.get("gradient of", {})
        for op_type, counts in here.items():
            if agree.get(call) or sorted(counts) == sorted(there.get(op_type, ())):
                same[op_type] += 1
            elif len(counts) == len(there.get(op_type, ())):
                other[op_type] += 1
            else:  # the calls made other graphs: it says nothing if others agree
                unlike.add(op_type)
    known = {op_type for op_type in same if same[op_type] >= 9 * other[op_type]}
    return known, (set(other) | unlike) - known


def write(path, same, other, same_gradients, other_gradients):
    """Writes the table of what was measured; `compat.seeds.measured` reads it."""
    lines = []
    for verdict, functions, op_types in (
        ("same", same, same_gradients),
        ("other", other, other_gradients),
    ):
        modules = {"gradients": op_types} if op_types else {}
        for name in functions:
            module, _, function = name.partition(":")
            modules.setdefault(module, []).append(function)
        lines += [f"{verdict}\t{m}\t{' '.join(sorted(modules[m]))}\n" for m in sorted(modules)]
    with open(path, "w") as file:
        file.writelines(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
