"""``tf.contrib.layers.batch_norm``: the same variables, names and updates.

Written by ``tfgraphtools upgrade --no-runtime``, as ``tf.contrib`` left TensorFlow, and the
function in tf_slim asks for a class that left it, too. It is yours to edit.
"""

import functools

import tensorflow.compat.v1 as tf
from tf_slim.ops.arg_scope import add_arg_scope


@add_arg_scope
def batch_norm(
    inputs,
    decay=0.999,
    center=True,
    scale=False,
    epsilon=0.001,
    activation_fn=None,
    param_initializers=None,
    param_regularizers=None,
    updates_collections=tf.GraphKeys.UPDATE_OPS,
    is_training=True,
    reuse=None,
    variables_collections=None,
    outputs_collections=None,
    trainable=True,
    fused=None,
    data_format="NHWC",
    scope=None,
):
    """Normalizes [batch, channels], or images, over the batch.

    Args:
      inputs: float, [batch, channels], [batch, y, x, channels] or [batch, channels, y, x].
      decay: of the moving averages.
      updates_collections: where the updates of the averages go; None runs them with the result.
      is_training: bool, or a tensor of one.
      fused: taken and not needed: both ways give the same.
    """
    rank = inputs.get_shape().ndims
    if rank not in (2, 4):
        raise ValueError(f"batch_norm takes inputs of rank 2 or 4, not {rank}")
    with tf.variable_scope(scope, "BatchNorm", [inputs], reuse=reuse) as scope:
        size = inputs.get_shape()[1 if data_format == "NCHW" and rank == 4 else -1]
        variable = functools.partial(
            _variable,
            size=size,
            initializers=param_initializers or {},
            regularizers=param_regularizers or {},
            collections=variables_collections or [],
        )
        beta = variable("beta", 0.0, trainable) if center else tf.zeros([size])
        gamma = variable("gamma", 1.0, trainable) if scale else tf.ones([size])
        mean = variable("moving_mean", 0.0, False)
        variance = variable("moving_variance", 1.0, False)
        images = inputs if rank == 4 else inputs[:, None, None, :]
        layout = {"epsilon": epsilon, "data_format": data_format if rank == 4 else "NHWC"}

        def training():
            return tf.nn.fused_batch_norm(images, gamma, beta, **layout)

        def inference():
            return tf.nn.fused_batch_norm(
                images, gamma, beta, mean, variance, is_training=False, **layout
            )

        outputs, new_mean, new_variance = _if(is_training, training, inference)
        outputs = tf.reshape(outputs, tf.shape(inputs)) if rank == 2 else outputs
        outputs.set_shape(inputs.get_shape())
        if is_training is not False:
            rate = _if(is_training, lambda: tf.constant(1 - decay), lambda: tf.constant(0.0))
            averages = ((mean, new_mean), (variance, new_variance))
            outputs = _with_updates(outputs, averages, rate, updates_collections)
        if activation_fn is not None:
            outputs = activation_fn(outputs)
        if outputs_collections:
            tf.add_to_collections(outputs_collections, outputs)
        return outputs


def _variable(name, value, train, size, initializers, regularizers, collections):
    """Returns a variable of this size; its value is the initial one, unless an initializer is."""
    added = collections.get(name) if isinstance(collections, dict) else collections
    kinds = [tf.GraphKeys.GLOBAL_VARIABLES, tf.GraphKeys.MODEL_VARIABLES, *(added or [])]
    return tf.get_variable(
        name,
        [size],
        tf.float32,
        initializers.get(name) or tf.constant_initializer(value),
        regularizers.get(name),
        train,
        kinds + ([tf.GraphKeys.TRAINABLE_VARIABLES] if train else []),
    )


def _with_updates(outputs, averages, rate, collections):
    """Returns the outputs; they update the averages, or the ops in the collections do."""
    updates = [tf.assign_sub(average, (average - new) * rate) for average, new in averages]
    if collections is None:
        with tf.control_dependencies(updates):
            return tf.identity(outputs)
    for update in updates:
        tf.add_to_collections(collections, update)
    return outputs


def _if(condition, yes, no):
    """Calls one of two functions, by a bool or by a tensor of one."""
    if isinstance(condition, (bool, int)):
        return yes() if condition else no()
    return tf.cond(condition, yes, no)
