"""The two-layer network of the MNIST tutorial: inference, loss, training, evaluation."""

import math

NUM_CLASSES = 10
IMAGE_SIZE = 28
IMAGE_PIXELS = IMAGE_SIZE * IMAGE_SIZE


def inference(images, hidden1_units, hidden2_units):
    """Logits [batch, 10] of images [batch, 784]: two relu layers and a linear one."""
    net = _layer("hidden1", images, IMAGE_PIXELS, hidden1_units, relu=True)
    net = _layer("hidden2", net, hidden1_units, hidden2_units, relu=True)
    return _layer("softmax_linear", net, hidden2_units, NUM_CLASSES, relu=False)


def _layer(name, inputs, size_in, size_out, relu):
    from tfgraphtools._tf import v1

    with v1.name_scope(name):
        initial = v1.truncated_normal([size_in, size_out], stddev=1.0 / math.sqrt(float(size_in)))
        weights = v1.Variable(initial, name="weights")
        biases = v1.Variable(v1.zeros([size_out]), name="biases")
        outputs = v1.matmul(inputs, weights) + biases
        return v1.nn.relu(outputs) if relu else outputs


def loss(logits, labels):
    """Returns the mean cross entropy of integer labels [batch]."""
    from tfgraphtools._tf import v1

    labels = v1.to_int64(labels)
    return v1.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)


def training(loss, learning_rate):
    """Returns the op that makes a step of gradient descent, with a summary of the loss."""
    from tfgraphtools._tf import v1

    v1.summary.scalar("loss", loss)
    optimizer = v1.train.GradientDescentOptimizer(learning_rate)
    global_step = v1.Variable(0, name="global_step", trainable=False)
    return optimizer.minimize(loss, global_step=global_step)


def evaluation(logits, labels):
    """Counts the examples [batch] that are classified right: int32."""
    from tfgraphtools._tf import v1

    correct = v1.nn.in_top_k(logits, labels, 1)
    return v1.reduce_sum(v1.cast(correct, v1.int32))
