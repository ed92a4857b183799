"""What came of a call in eager execution, in the form of `outcomes`."""

import outcomes
import tensorflow as tf


def of_call(function, call):
    """Makes the call, and takes its gradients from a tape."""
    tf.reset_default_graph()  # its collections hold what earlier calls put there
    tf.set_random_seed(1)
    build = outcomes.Build()
    given = {name: build.value(described) for name, described in call.items()}
    sources = [tensor for tensor in build.inputs if tensor.dtype.is_floating]
    with tf.GradientTape() as tape:
        for tensor in sources:
            tape.watch(tensor)
        made = outcomes.used(function(**given), build)
        tensors = [tensor for value in outcomes.leaves(made) for tensor in outcomes.parts(value)]
    result = {
        "type": type(made).__name__,
        "outputs": [outcomes.describe(value) for value in outcomes.leaves(made)],
        "collections": {},
        "random": any(word.lower() in str(function).lower() for word in outcomes.RANDOM),
        "values": [outcomes.flat(tensor.numpy()) for tensor in tensors],
    }
    targets = [tensor for tensor in tensors if tensor.dtype.is_floating]
    if sources and targets:
        result["gradients"] = _taped(tape, targets[0], sources)
    return result


def _taped(tape, target, sources):
    try:
        found = tape.gradient(target, sources)
    except Exception as error:  # no gradient is registered, or it does not fit
        return [type(error).__name__]
    return [outcomes.flat(tf.convert_to_tensor(one).numpy()) for one in found if one is not None]
