"""Counts the ops that TF 1.15 and `run --seeds=tf1` make for each call of a list, and compares.

    measure_op_counts.py CALLS OUT.json          under TF 1.15, and under TF 2.x
    measure_op_counts.py --compare TF1.json TF2.json

A call is a line of Python (tests/compat/seeds/calls.txt); `X`, `I`, `B`, `S` make
placeholders of floats, integers, booleans and strings, `V` a variable. Each is
measured with known and unknown batch size and with ref and resource variables:
the number of ops, the seeds of random ops, and the ops of its gradients.
"""

import json
import os
import sys


def main(words):
    """Runs the command line."""
    if words[:1] == ["--compare"]:
        return compare(*(json.load(open(path)) for path in words[1:]))
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", TF_USE_LEGACY_KERAS="1", TF_ENABLE_ONEDNN_OPTS="0")
    with open(words[0]) as file:
        calls = [line.rstrip("\n") for line in file if line.strip()]
    tf, count = prepared()
    gradients_made = note_gradients(count)
    found = {}
    for call in calls:
        for batch in ("known", "unknown"):
            for variables in ("ref", "resource"):
                found["|".join((call, batch, variables))] = measure(
                    tf, count, call, batch == "unknown", variables == "resource"
                )
                found["|".join((call, batch, variables))]["gradient of"] = dict(gradients_made)
                gradients_made.clear()
    with open(words[1], "w") as file:
        json.dump(found, file)
    return 0


def prepared():
    """(the 1.x API with its seeds, the function that counts a graph's ops as 1.15 would)."""
    import tensorflow

    tf = tensorflow.compat.v1
    if tensorflow.__version__.startswith("1."):
        return tensorflow, lambda graph: graph._last_id
    tf.disable_v2_behavior()
    from tfgraphtools.compat import seeds
    from tfgraphtools.compat.options import Options
    from tfgraphtools.compat.seeds import counting

    seeds.install(Options(seeds="tf1"))
    seeds.SEEDS.provide()
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
            return {"error": type(error).__name__}
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


def compare(theirs, ours):
    """Prints where they differ."""
    measured = equal = 0
    for call, there in theirs.items():
        here = ours.get(call, {})
        for what in sorted(set(there) & set(here)):
            measured += 1
            equal += there[what] == here[what]
            if there[what] != here[what]:
                print(call, what, there[what], here[what])
    print(f"{equal} of {measured} agree")
    return int(equal != measured)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
