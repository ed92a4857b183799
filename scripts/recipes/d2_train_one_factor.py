"""D2: train w1 only, keep w2 and w3: loss = mean((x.w1 - x.(w2*w3))**2), SGD at 0.1.

``stop_gradient`` around the second product and a ``var_list`` of w1 give the same
steps: w1 converges to w2*w3. Without either, all three move. The picture has
every parameter over the iterations.
"""

import argparse
import pathlib

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import training

tf1 = tf.compat.v1

STEPS = 60
START = {"w1": [0.0, 0.0, 0.0], "w2": [1.4, -0.9, 1.8], "w3": [0.6, 0.35, 1.1]}
COLOURS = {"w1": "#0072B2", "w2": "#D55E00", "w3": "#009E73"}  # colour-blind-safe
MARKERS = "osv"


def minimize(x, w1, w2, w3, stop, only_w1):
    target = tf1.reduce_sum(x * (w2 * w3), axis=1)
    if stop:
        target = tf1.stop_gradient(target)
    loss = tf1.reduce_mean((tf1.reduce_sum(x * w1, axis=1) - target) ** 2)
    var_list = [w1] if only_w1 else None
    return tf1.train.GradientDescentOptimizer(0.1).minimize(loss, var_list=var_list)


WAYS = {
    "stop_gradient": dict(stop=True, only_w1=False),
    "var_list=[w1]": dict(stop=False, only_w1=True),
    "neither": dict(stop=False, only_w1=False),
}


def values_at_each_step(options):
    """Returns {name: array of shape [STEPS + 1, 3]}."""
    batches = np.random.RandomState(1).randn(STEPS, 32, 3)
    with tf1.Graph().as_default():
        variables = {
            name: tf1.get_variable(name, initializer=np.float32(value))
            for name, value in START.items()
        }
        x = tf1.placeholder(tf.float32, [None, 3])
        train = minimize(x, stop=options["stop"], only_w1=options["only_w1"], **variables)
        trace = training.TraceHook(variables)
        with tf1.train.SingularMonitoredSession(hooks=[trace]) as session:
            for batch in batches:
                session.run(train, {x: batch})
    return {name: trace[name] for name in START}


def draw(path, ways):
    plt = _show.pyplot()
    figure, panels = plt.subplots(
        1, len(ways), figsize=(12, 4.2), sharey=True, constrained_layout=True
    )
    target = np.multiply(START["w2"], START["w3"])
    for axes, (title, values) in zip(panels, ways.items()):
        for height in target:
            axes.axhline(height, color="#999999", linewidth=5, alpha=0.35, zorder=0)
        for name, history in values.items():
            for i, marker in enumerate(MARKERS):
                axes.plot(
                    history[:, i],
                    color=COLOURS[name],
                    marker=marker,
                    markevery=(i * 3, 10),
                    markersize=4,
                    linewidth=1.4,
                    label=f"{name}[{i}]",
                )
        axes.set(title=title, xlabel="iteration")
    panels[0].set_ylabel("value (grey: w2 * w3 at the start)")
    panels[-1].legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    figure.savefig(str(path), dpi=130)
    plt.close(figure)


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--out",
        default="out/d2_train_one_factor",
        metavar="DIR",
        help="folder of the picture (default: %(default)s)",
    )
    out = pathlib.Path(parser.parse_args(argv).out)
    out.mkdir(parents=True, exist_ok=True)
    ways = {title: values_at_each_step(options) for title, options in WAYS.items()}
    rows = []
    for title, values in ways.items():
        distance = np.abs(values["w1"][-1] - values["w2"][-1] * values["w3"][-1]).max()
        moved = [name for name in START if (values[name][-1] != values[name][0]).any()]
        rows.append([title, ", ".join(moved), f"{distance:.1e}"])
    _show.table(f"After {STEPS} steps", ["way", "moved", "max |w1 - w2*w3|"], rows)
    draw(out / "parameters.png", ways)
    print("\nPicture", out / "parameters.png")
    return ways


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
