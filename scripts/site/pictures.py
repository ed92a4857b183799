"""Runs the recipes and draws the pictures of the README and of the gallery into docs/pictures.

scripts/docs --pictures          all of them
python scripts/site/pictures.py c7_smooth_steps public_scripts
"""

import pathlib
import re
import shutil
import sys
import tempfile

import numpy as np
import pictures_of_methods  # noqa: F401  (registers its pictures)
from drawing import BLUE, GREY, ORANGE, PICTURES, new_axes, picture, recipe_module

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OUT = ROOT / "docs" / "pictures"


@picture
def public_scripts(folder):
    """The table of docs/public_scripts.md as bars."""
    text = (ROOT / "docs" / "public_scripts.md").read_text(encoding="utf-8")
    total = int(re.search(r"scripts that run, of (\d+)", text).group(1))
    rows = re.findall(r"^\| ([^|]+) \| (\d+) \|$", text, re.MULTILINE)
    rows = sorted(((re.sub("`", "", name), int(n)) for name, n in rows), key=lambda row: row[1])
    figure, axes = new_axes(height=2.6)
    for name, count in rows:
        ours = name == "tfgraphtools run"
        label = re.sub(r"^TF 1.15, or.*", "the best of 5 old TFs, Python 3.7 or 2.7", name)
        axes.barh(label, count, color=BLUE if ours else GREY)
        axes.text(count + 1.5, label, str(count), va="center", weight="bold" if ours else None)
    axes.set_xlim(0, total)
    axes.set_xlabel(f"public TF1 scripts that run, of {total}")
    return figure


@picture
def finetune_digits(folder):
    recipe_module("finetune_digits").main(["--out", str(folder)])
    return folder / "finetune_digits.png"


@picture
def a1_mask_elements(folder):
    recipe = recipe_module("a1_mask_elements")
    figure, both = new_axes(2)
    for axes, (title, values) in zip(both, recipe.main().items()):
        steps = range(1, len(values) + 1)
        for element in range(4):
            frozen = recipe.STEPS[-1][element]
            color, style = (ORANGE, "o-") if frozen else (BLUE, "o-")
            label = {0: "frozen from step 3", 1: "trained"}.get(element)
            axes.plot(steps, [v[element] for v in values], style, color=color, label=label, ms=4)
        axes.set(title=title, xlabel="step", ylabel="W", ylim=(0.2, 1))
        axes.axvline(2.5, color=GREY, lw=1, ls=":")
    both[0].legend(frameon=False)
    return figure


@picture
def a2_moments_of_frozen_elements(folder):
    figures = recipe_module("a2_moments_of_frozen_elements").main()
    figure, three = new_axes(3)
    labels = ["trained", "frozen", "released"]
    for i, (axes, name) in enumerate(zip(three, ["w", "m", "v"])):
        for shift, (slots, seen) in zip((-0.25, 0, 0.25), figures.items()):
            axes.bar(np.arange(3) + shift, [row[i] for row in seen], 0.23, label=f"slots={slots!r}")
        axes.set(title=name, xticks=range(3), xticklabels=labels)
        axes.ticklabel_format(axis="y", style="sci", scilimits=(-2, 3))
    three[0].legend(frameon=False, fontsize=8, loc="lower left")
    return figure


@picture
def a3_another_subset_each_step(folder):
    recipe = recipe_module("a3_another_subset_each_step")
    figures = recipe.main()
    figure, axes = new_axes(height=2.2)
    moved = [[name in words for words in figures["moved"]] for name in recipe.NAMES]
    colors = {"cmap": "Blues", "vmin": 0, "vmax": 1.4, "edgecolors": "white", "lw": 2}
    axes.pcolormesh(np.array(moved, float), **colors)
    axes.set(xlabel="step", title="variables that moved")
    axes.set_xticks(np.arange(len(moved[0])) + 0.5, range(1, len(moved[0]) + 1))
    axes.set_yticks(np.arange(len(moved)) + 0.5, recipe.NAMES)
    return figure


@picture
def b2_shared_or_separate_statistics(folder):
    recipe = recipe_module("b2_shared_or_separate_statistics")
    figure, both = new_axes(2)
    for axes, (name, found) in zip(both, recipe.main().items()):
        steps = range(1, len(found["values"]) + 1)
        for i, color in enumerate([BLUE, ORANGE]):
            values = [row[i] for row in found["values"]]
            axes.plot(steps, values, "o-", color=color, label=f"v{i + 1}")
        axes.set(title=f"{name} statistics", xlabel="the run trains")
        axes.set_xticks(list(steps), recipe.TRAINS)
    both[0].legend(frameon=False)
    return figure


@picture
def c4_straight_through(folder):
    trained = recipe_module("c4_straight_through").main()["trained"]
    figure, axes = new_axes(height=2.6)
    for i, color in enumerate([GREY, BLUE]):
        values = [row[i] for row in trained.values()]
        label = ["before", "after 200 steps"][i]
        axes.bar(np.arange(len(values)) + 0.4 * i - 0.2, values, 0.38, color=color, label=label)
    axes.set_xticks(range(len(trained)), list(trained))
    axes.set(ylabel="loss", title="Fitting integers")
    axes.legend(frameon=False)
    return figure


@picture
def c7_smooth_steps(folder):
    recipe = recipe_module("c7_smooth_steps")
    import tensorflow as tf

    tf1 = tf.compat.v1
    points = np.linspace(-2, 2, 801).astype(np.float32)
    figure, axes = new_axes(len(recipe.SOFT), width=9.5, height=2.8)
    for one, (name, (soft, hard)) in zip(axes, recipe.SOFT.items()):
        with tf1.Graph().as_default(), tf1.Session() as session:
            values = {k: session.run(soft(tf1.constant(points), k)) for k in (2.0, 8.0, 20.0)}
        one.plot(points, hard(points), color=GREY, lw=1, label="hard")
        for k, color in zip(values, ["#9fa8da", BLUE, ORANGE]):
            one.plot(points, values[k], color=color, lw=1.4, label=f"sharpness {k:g}")
        one.set(title=name, xlabel="x")
    axes[0].legend(frameon=False, fontsize=7)
    return figure


@picture
def c8_less_memory(folder):
    recipe = recipe_module("c8_less_memory")
    peaks = recipe.main()["peaks"]
    figure, axes = new_axes(height=2.8)
    for (way, most), color in zip(peaks.items(), [ORANGE, BLUE]):
        axes.plot(recipe.DEPTHS, most, "o-", color=color, label=way)
    axes.set(xlabel="layers", ylabel="MB", title="Peak memory of a backward pass")
    axes.legend(frameon=False)
    return figure


@picture
def c9_each_example(folder):
    figures = recipe_module("c9_each_example").main()
    figure, (left, right) = new_axes(2, height=2.8)
    norms, wrong = figures["norms"], figures["wrong"]
    bins = np.linspace(0, norms.max(), 40)
    left.hist([norms[~wrong], norms[wrong]], bins, color=[BLUE, ORANGE])
    left.legend(["right label", "wrong label"], frameon=False)
    left.set(xlabel="norm of the example's gradient", ylabel="examples", yscale="log")
    left.set_title("Gradients of 400 examples")
    names, values = zip(*figures["accuracy"].items())
    right.bar(names, values, color=[GREY] + [BLUE] * (len(names) - 1))
    right.set(ylim=(0, 1), title="Accuracy with clipping and noise")
    right.tick_params(axis="x", labelsize=8)
    return figure


@picture
def e5_two_tasks(folder):
    figures = recipe_module("e5_two_tasks").main()
    figure, (left, right) = new_axes(2, height=2.8)
    for (name, (points, values, _)), color in zip(figures.items(), [ORANGE, BLUE]):
        left.plot(*points.T, ".-", color=color, ms=3, lw=1, label=name)
        right.plot(values[:, 0], "--", color=color, lw=1)
        right.plot(values[:, 1], color=color, label=name)
    left.set(xlabel="w[0]", ylabel="w[1]", title="Path of the weights")
    right.set(xlabel="step", yscale="log", ylim=(1e-4, None))
    right.set_title("Loss of the first task (dashed), of the second")
    right.legend(frameon=False)
    return figure


@picture
def d1_adversarial_probe(folder):
    recipe = recipe_module("d1_adversarial_probe")
    plain, usual, probed = (recipe.losses(*way)[0] for way in ([], ["usual"], ["probe"]))
    figure, axes = new_axes(height=2.6)
    axes.plot(np.abs(usual - plain), "o-", color=ORANGE, label="an extra fetch in each step", ms=4)
    axes.plot(np.abs(probed - plain), "o-", color=BLUE, label="GradientProbe in each step", ms=4)
    axes.set(xlabel="step", ylabel="|loss difference|", title="Difference from training alone")
    axes.legend(frameon=False)
    return figure


@picture
def d2_train_one_factor(folder):
    recipe_module("d2_train_one_factor").main(["--out", str(folder)])
    return folder / "parameters.png"


@picture
def e1_rates_by_group(folder):
    figures = recipe_module("e1_rates_by_group").main(["--runs", "50"])
    figure, axes = new_axes(height=2.8)
    names = list(figures["PartitionOptimizer"]["step"])
    for i, (way, found) in enumerate(figures.items()):
        axes.bar(np.arange(len(names)) + 0.25 * i, list(found["step"].values()), 0.23, label=way)
    axes.set_xticks(np.arange(len(names)) + 0.25, names)
    axes.set(yscale="log", ylabel="largest change")
    axes.set_title("One step: five layers at 1e-5, the head at 1e-3")
    axes.legend(frameon=False, fontsize=8)
    return figure


@picture
def g1_averages(folder):
    figure, axes = new_axes(height=2.8)
    for name, found in recipe_module("g1_averages").main().items():
        axes.plot(found, label=name, lw=1.2)
    axes.set(xlabel="step", ylabel="distance from the minimum", ylim=(0, 10))
    axes.legend(frameon=False, fontsize=8)
    return figure


@picture
def g2_trust_ratio(folder):
    figures = recipe_module("g2_trust_ratio").main()
    figure, axes = new_axes(height=2.8)
    for i, (name, found) in enumerate(figures.items()):
        axes.bar(np.arange(len(found)) + 0.4 * i, list(found.values()), 0.38, label=name)
    axes.set_xticks(np.arange(len(found)) + 0.2, list(found))
    axes.set(yscale="log", ylabel="length of the step / norm")
    axes.legend(frameon=False, fontsize=8)
    return figure


@picture
def g3_accumulate_and_flush(folder):
    figures = recipe_module("g3_accumulate_and_flush").main()
    figure, axes = new_axes(height=2.4)
    axes.step(range(len(figures["w"])), figures["w"], where="post", color=BLUE)
    axes.plot([len(figures["w"]) - 1] * 2, [figures["w"][-1], figures["flushed"]], "o-", c=ORANGE)
    axes.annotate("flush", (len(figures["w"]) - 1.1, figures["flushed"]), ha="right", va="center")
    axes.set(xlabel="batches", ylabel="w")
    return figure


def save(path, drawn):
    """Writes a picture: a figure, or the file of one, at most 1000 pixels wide.

    In true color: a palette of 64 colors once made the largest change as black as none.
    """
    from PIL import Image

    if hasattr(drawn, "savefig"):
        drawn.savefig(str(path), dpi=110)
    else:
        shutil.copyfile(str(drawn), str(path))
    with Image.open(str(path)) as image:
        image = image.convert("RGB")
        if image.width > 1000:
            image = image.resize((1000, image.height * 1000 // image.width), Image.LANCZOS)
        image.save(str(path), optimize=True)
    print(f"{path.name}: {path.stat().st_size // 1024} KB")


def main(names):
    sys.path.insert(0, str(ROOT / "scripts" / "recipes"))
    import _show

    _show.as_in_tf1()
    _show.pyplot()
    OUT.mkdir(parents=True, exist_ok=True)
    for name in names or PICTURES:
        with tempfile.TemporaryDirectory() as folder:
            save(OUT / (name + ".png"), PICTURES[name](pathlib.Path(folder)))


if __name__ == "__main__":
    main(sys.argv[1:])
