"""H2: where does the network look? Saliency maps, guided backpropagation, class activation maps
(Grad-CAM).

Saliency is the gradient of a class's score with respect to the pixels. Guided backpropagation
is the same with another gradient of ReLU: `set_gradient` sets it for the backward passes that are
built from then on. Grad-CAM (GradCAM) weights each channel of the last convolution by the mean of
its gradient. The images are noise, with a cross or a square somewhere.
"""

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import gradients

tf1 = tf.compat.v1

SIZE, STEPS, CHANNELS = 16, 250, 8
CROSS, SQUARE = [[0, 1, 0], [1, 1, 1], [0, 1, 0]], [[1, 1, 1], [1, 0, 1], [1, 1, 1]]
SHAPES = np.float32([CROSS, SQUARE, np.zeros([3, 3])])  # the third class: noise alone


def images_with_shapes(number, random, classes=3):
    """(images, labels, True at the pixels of the shape)."""
    images = random.normal(0, 0.3, [number, SIZE, SIZE]).astype(np.float32)
    labels, where = random.randint(classes, size=number), np.zeros([number, SIZE, SIZE], bool)
    for image, label, mask in zip(images, labels, where):
        row, column = random.randint(SIZE - 3, size=2)
        image[row : row + 3, column : column + 3] += 2 * SHAPES[label]
        mask[row : row + 3, column : column + 3] = True
    return images, labels, where


def model(images):
    """(the last convolution's output, the score of each class)."""
    random = np.random.RandomState(1)
    shapes = {"w1": [3, 3, 1, CHANNELS], "w2": [3, 3, CHANNELS, CHANNELS], "head": [CHANNELS, 3]}
    starts = {name: np.float32(random.normal(0, 0.3, shape)) for name, shape in shapes.items()}
    w1, w2, head = (tf1.get_variable(name, initializer=start) for name, start in starts.items())
    hidden = tf.nn.relu(tf1.nn.conv2d(images[..., None], w1, [1] * 4, "SAME"))
    features = tf.nn.relu(tf1.nn.conv2d(hidden, w2, [1] * 4, "SAME"))
    return features, tf.matmul(tf.reduce_mean(features, [1, 2]), head)


def main():
    random = np.random.RandomState(0)
    with tf1.Graph().as_default(), tf1.Session() as session:
        x, y = tf1.placeholder(tf.float32, [None, SIZE, SIZE]), tf1.placeholder(tf.int64, [None])
        features, scores = model(x)
        loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=scores)
        step = tf1.train.AdamOptimizer(0.02).minimize(tf.reduce_mean(loss))
        score = tf.reduce_sum(scores * tf.one_hot(y, 3))  # of each image its own class's
        maps = {"saliency": tf.abs(tf1.gradients(score, x)[0])}
        weights = tf.reduce_mean(tf1.gradients(score, features)[0], [1, 2], keepdims=True)
        maps["Grad-CAM"] = tf.nn.relu(tf.reduce_sum(weights * features, -1))
        gradients.set_gradient(gradients.of_type("Relu"), gradients.guided_relu)
        maps["guided"] = tf.abs(tf1.gradients(score, x)[0])
        session.run(tf1.global_variables_initializer())
        for _ in range(STEPS):
            images, labels, _ = images_with_shapes(64, random)
            session.run(step, {x: images, y: labels})
        images, labels, where = images_with_shapes(200, random, classes=2)
        fetches = {"maps": maps, "scores": scores, "weights": tf1.trainable_variables()}
        figures = session.run(fetches, {x: images, y: labels})
    figures.update(images=images, labels=labels, where=where)
    inside = {name: values[where].sum() / values.sum() for name, values in figures["maps"].items()}
    figures["inside"] = dict(inside, chance=where.mean())
    rows = [[name, f"{part:.2f}"] for name, part in figures["inside"].items()]
    _show.table("part of the map at the shape", ["map", "part"], rows)
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
