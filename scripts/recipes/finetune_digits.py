"""Fine-tune a convnet on handwritten digits: rates by layer, frozen elements, a rounding layer.

A network learns the digits of one half of the file (some writers) and is saved
as a TF1 checkpoint. A second graph restores it and goes on with the other half
(other writers), where

- the convolutions train at 1/100 of the rate of the layers above them,
- a mask, fed at every step, says which *elements* of the head's kernel are
  frozen: they and their Adam moments must not change by a single bit,
- the hidden activations are rounded to integers; in the backward pass the
  rounding layer is straight-through, or nothing below it would train.

Usage: python scripts/recipes/finetune_digits.py [--out DIR] [--steps N]
"""

import argparse
import collections
import pathlib
import sys

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import gradients, training

tf1 = tf.compat.v1

DIGITS = pathlib.Path(__file__).parent / "data" / "digits.npz"
RATE = 0.002
BATCH = 64
SEED = 7

Half = collections.namedtuple("Half", "images labels test_images test_labels")
Finetuned = collections.namedtuple("Finetuned", "losses before after layers how_often witness")
Network = collections.namedtuple("Network", "images labels loss accuracy")


def load_halves():
    """The two halves of the file; every fourth image of each is kept for testing."""
    with np.load(str(DIGITS)) as file:
        images, labels = file["images"].astype(np.float32) / 16, file["labels"].astype(np.int64)
    halves = []
    for part in (slice(None, len(images) // 2), slice(len(images) // 2, None)):
        x, y = images[part, :, :, None], labels[part]
        test = np.arange(len(x)) % 4 == 0
        halves.append(Half(x[~test], y[~test], x[test], y[test]))
    return halves


def batches(half, steps, seed):
    """The images and labels of each step, drawn in a fixed order."""
    random = np.random.RandomState(seed)
    for _ in range(steps):
        chosen = random.choice(len(half.images), BATCH, replace=False)
        yield half.images[chosen], half.labels[chosen]


def layer(x, name, shape, op):
    """One layer: ``op(x, kernel) + bias``, its variables in the scope ``name``."""
    with tf1.variable_scope(name):
        kernel = tf1.get_variable("kernel", shape)
        bias = tf1.get_variable("bias", shape[-1:], initializer=tf1.zeros_initializer())
        return op(x, kernel) + bias


def build_network(rounded):
    """Two convolutions, a hidden layer and the head; ``rounded``: integer activations."""

    def convolve(x, kernel):
        return tf1.nn.conv2d(x, kernel, strides=[1, 1, 1, 1], padding="SAME")

    images = tf1.placeholder(tf.float32, [None, 8, 8, 1], "images")
    labels = tf1.placeholder(tf.int64, [None], "labels")
    x = tf1.nn.relu(layer(images, "conv1", [3, 3, 1, 8], convolve))
    x = tf1.nn.relu(layer(x, "conv2", [3, 3, 8, 16], convolve))
    x = tf1.nn.max_pool(x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")
    x = tf1.nn.elu(layer(tf1.reshape(x, [-1, 256]), "hidden", [256, 48], tf1.matmul))
    if rounded:
        x = gradients.round(x)
    logits = layer(x, "head", [48, 10], tf1.matmul)
    loss = tf1.reduce_mean(
        tf1.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    )
    right = tf1.equal(tf1.argmax(logits, 1), labels)
    return Network(images, labels, loss, tf1.reduce_mean(tf1.cast(right, tf.float32)))


def accuracies(session, network, halves):
    """The accuracy on the test images of each half."""
    feeds = [{network.images: h.test_images, network.labels: h.test_labels} for h in halves]
    return [float(session.run(network.accuracy, feed)) for feed in feeds]


def pretrain(halves, steps, prefix):
    """Trains on the first half and saves a checkpoint. Returns losses and accuracies."""
    losses = []
    with tf1.Graph().as_default(), tf1.Session() as session:
        tf1.set_random_seed(SEED)
        network = build_network(rounded=False)
        global_step = tf1.train.get_or_create_global_step()
        train = tf1.train.AdamOptimizer(RATE).minimize(network.loss, global_step=global_step)
        session.run(tf1.global_variables_initializer())
        show = _show.progress(steps, "pretrain ", lambda: f"loss {losses[-1]:.3f}")
        for _, (images, labels) in zip(show, batches(halves[0], steps, SEED)):
            feed = {network.images: images, network.labels: labels}
            losses.append(session.run([network.loss, train], feed)[0])
        tf1.train.Saver().save(session, prefix, write_meta_graph=False)
        return losses, accuracies(session, network, halves)


def quarters(kernel):
    """How often each element is frozen: the largest quarter always, the smallest never.

    The half between them is frozen at every second step.
    """
    size = np.abs(kernel)
    low, high = np.percentile(size, [25, 75])
    return np.where(size >= high, 1.0, np.where(size >= low, 0.5, 0.0))


class Witness:
    """Counts the frozen elements that changed, bit by bit, from one step to the next."""

    def __init__(self, state):
        self.first = self.now = state
        self.frozen_throughout = np.ones(state[0].shape, bool)
        self.frozen = self.broken = self.moved = 0

    def see(self, frozen, state):
        """Takes the state (kernel, m, v) after a step in which ``frozen`` was fed."""
        same = [old.view(np.uint32) == new.view(np.uint32) for old, new in zip(self.now, state)]
        self.frozen += int(frozen.sum())
        self.broken += sum(int((frozen & ~equal).sum()) for equal in same)
        self.moved += int((~frozen & ~same[0]).sum())
        self.frozen_throughout &= frozen
        self.now = state

    def change(self):
        return self.now[0] - self.first[0]


def finetune(halves, steps, prefix):
    """Restores the checkpoint into a second graph and trains on the second half."""
    with tf1.Graph().as_default() as graph, tf1.Session() as session:
        network = build_network(rounded=True)
        kernel = next(v for v in tf1.trainable_variables() if v.op.name == "head/kernel")
        frozen = tf1.placeholder(tf.bool, kernel.shape, "frozen")
        optimizer = training.LRMultiplierOptimizer(tf1.train.AdamOptimizer(RATE), {"conv.*": 0.01})
        optimizer = training.FreezeOptimizer(optimizer, frozen={"head/kernel": frozen})
        global_step = tf1.train.get_or_create_global_step()
        train = optimizer.minimize(network.loss, global_step=global_step)

        # Both wrappers keep the names of plain Adam: a stock Saver restores its checkpoint, with
        # the moments and the global step.
        tf1.train.Saver().restore(session, prefix)
        graph.finalize()  # from here on no step can add an op
        watched = [kernel, optimizer.get_slot(kernel, "m"), optimizer.get_slot(kernel, "v")]
        kernels = {v.op.name: v for v in tf1.trainable_variables() if v.op.name.endswith("kernel")}
        old = session.run(kernels)
        before = accuracies(session, network, halves)
        witness = Witness(session.run(watched))
        how_often, losses = quarters(witness.first[0]), []
        show = _show.progress(steps, "fine-tune", lambda: f"loss {losses[-1]:.3f}")
        for step, (images, labels) in zip(show, batches(halves[1], steps, SEED + 1)):
            mask = how_often >= (1.0 if step % 2 else 0.5)
            feed = {network.images: images, network.labels: labels, frozen: mask}
            losses.append(session.run([network.loss, train], feed)[0])
            witness.see(mask, session.run(watched))
        new = session.run(kernels)
        layers = {name: float(np.abs(new[name] - old[name]).mean()) for name in kernels}
        after = accuracies(session, network, halves)
        return Finetuned(losses, before, after, layers, how_often, witness)


def report(steps, pretrained, finetuned):
    """Prints the tables and returns their figures."""
    witness, change = finetuned.witness, finetuned.witness.change()
    accuracy_rows = [
        ("pretrained on the first half", pretrained),
        ("restored, activations rounded", finetuned.before),
        ("fine-tuned on the second half", finetuned.after),
    ]
    _show.table(
        "Accuracy on test images",
        ["network", "first half", "second half"],
        [[name] + [f"{value:.1%}" for value in row] for name, row in accuracy_rows],
    )
    _show.table(
        "What fine-tuning changed",
        ["variable", "rate", "mean |change|"],
        [
            [name, RATE * (0.01 if name.startswith("conv") else 1), f"{value:.6f}"]
            for name, value in finetuned.layers.items()
        ],
    )
    element_rows = []
    for share, name in [(1.0, "always"), (0.5, "every second step"), (0.0, "never")]:
        here = change[finetuned.how_often == share]
        size = f"{np.abs(here).mean():.6f}"
        element_rows.append([name, here.size, np.count_nonzero(here), size])
    _show.table(
        "Elements of head/kernel", ["frozen", "elements", "moved", "mean |change|"], element_rows
    )
    figures = {
        "frozen_throughout": int(witness.frozen_throughout.sum()),
        "changed_though_frozen_throughout": np.count_nonzero(change[witness.frozen_throughout]),
        "frozen_element_steps": witness.frozen,
        "changed_while_frozen": witness.broken,
    }
    print(
        "\nFrozen at every step: {frozen_throughout} elements; of these changed: "
        "{changed_though_frozen_throughout}.\nIn {steps} steps an element was frozen "
        "{frozen_element_steps} times; it or its Adam moments changed in: "
        "{changed_while_frozen}.".format(steps=steps, **figures)
    )
    return dict(
        figures,
        pretrained=pretrained,
        before=finetuned.before,
        after=finetuned.after,
        layers=finetuned.layers,
        moved_element_steps=witness.moved,
    )


BLUE, ORANGE, BLACK = "#0072B2", "#D55E00", "#222222"  # told apart by colour-blind readers too


def draw(path, pretrain_losses, finetuned):
    """Writes the picture: the losses, the mask, and what moved, element by element.

    Returns:
      Where the last panel shows each element: fractions of the picture's width and height, from its
      upper left corner, float [units, digits, 2].
    """
    plt = _show.pyplot()
    from matplotlib.colors import ListedColormap

    figure, (top, middle, bottom) = plt.subplots(
        3, 1, figsize=(9, 8.5), gridspec_kw={"height_ratios": [1.5, 1, 1]}, constrained_layout=True
    )
    start = 0
    for losses, label, colour in [
        (pretrain_losses, "pretraining, first half", BLUE),
        (finetuned.losses, "fine-tuning, second half", ORANGE),
    ]:
        steps = start + 1 + np.arange(len(losses))
        window = min(15, len(losses))
        smooth = np.convolve(losses, np.ones(window) / window, "valid")
        top.plot(steps, losses, color=colour, alpha=0.25, linewidth=0.8)
        top.plot(
            steps[window - 1 :],
            smooth,
            color=colour,
            linewidth=1.8,
            label=f"{label} (mean of {window} steps)",
        )
        start += len(losses)
    top.set(yscale="log", xlabel="step", ylabel="training loss", title="Loss of each batch")
    top.legend(frameon=False)

    def heat_map(axes, values, title, label, **options):
        image = axes.imshow(values.T, aspect="auto", interpolation="nearest", **options)
        axes.set(title=title, ylabel="digit", yticks=range(values.shape[1]))
        return figure.colorbar(image, ax=axes, label=label, pad=0.01)

    levels = ListedColormap(["#F2F2F2", "#B0B0B0", BLACK])
    bar = heat_map(
        middle,
        finetuned.how_often,
        "The mask: how often each element of head/kernel was frozen",
        "frozen",
        cmap=levels,
        vmin=-0.25,
        vmax=1.25,
    )
    bar.set_ticks([0, 0.5, 1])
    bar.set_ticklabels(["never", "half the\nsteps", "always"])
    bottom.set_facecolor(BLACK)  # shows through where nothing is drawn
    change = np.abs(finetuned.witness.change())
    heat_map(
        bottom,
        np.ma.masked_equal(change, 0),
        "What fine-tuning changed in it (black: not one bit)",
        "|change|",
        cmap="YlOrRd",
        vmax=1.2 * change.max(),  # the darkest red is too near to black
    )
    bottom.set_xlabel("hidden unit")
    figure.savefig(str(path), dpi=130)
    places = bottom.transData.transform(np.stack(np.indices(change.shape), -1).reshape(-1, 2))
    width, height = figure.bbox.width, figure.bbox.height
    plt.close(figure)
    return (places / [width, height] * [1, -1] + [0, 1]).reshape(change.shape + (2,))


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--out",
        default="out/finetune_digits",
        metavar="DIR",
        help="folder of the checkpoint and the picture (default: %(default)s)",
    )
    parser.add_argument(
        "--steps",
        type=int,
        default=400,
        metavar="N",
        help="steps of each of the two trainings (default: %(default)s)",
    )
    arguments = parser.parse_args(argv)
    if arguments.steps < 1:
        parser.error("--steps: expected at least 1")
    out = pathlib.Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    prefix = str(out / "pretrained.ckpt")

    print(f"TensorFlow {tf.__version__}, {arguments.steps} steps of {BATCH} images each")
    halves = load_halves()
    pretrain_losses, pretrained = pretrain(halves, arguments.steps, prefix)
    finetuned = finetune(halves, arguments.steps, prefix)
    figures = report(arguments.steps, pretrained, finetuned)
    picture = out / "finetune_digits.png"
    draw(picture, pretrain_losses, finetuned)
    print(f"\nCheckpoint {prefix}\nPicture    {picture}")
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    figures = main()
    sys.exit(1 if figures["changed_while_frozen"] else 0)
