"""Makes the objects of the tables in one TensorFlow, and writes what their attributes are."""

import json

import tensorflow as tf
from objects import describe, graphs, layers, training

MADE = dict(graphs.MADE)
MADE.update(training.MADE)
MADE.update(layers.MADE)


def write(asked, out, first):
    """Writes a JSON line for each object.

    Args:
      asked: "" for all names of each object, or the file of 1.15, whose names are asked for.
      out: the file.
      first: the number of the first object.
    """
    wanted = {}
    if asked:
        with open(asked) as file:
            for line in file:
                record = json.loads(line)
                wanted[record.get("object")] = record.get("attributes", {})
    with open(out, "a") as results:
        for number, name in enumerate(sorted(MADE)):
            if number < first:
                continue
            results.write(json.dumps({"begin": number}) + "\n")
            results.flush()
            record = {"object": name}
            record.update(_made(MADE[name], sorted(wanted.get(name, ()))))
            results.write(json.dumps(record) + "\n")


def _made(make, asked):
    tf.reset_default_graph()
    tf.keras.backend.clear_session()
    tf.set_random_seed(1)
    try:
        value = make()
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:300]}
    return {"class": describe.of(value), "attributes": describe.attributes(value, asked)}
