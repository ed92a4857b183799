"""The pictures of the recipes on methods: GAN, Grad-CAM, lottery tickets, SAM, DANN, L-BFGS..."""

import numpy as np
from drawing import BLUE, GREY, ORANGE, new_axes, picture, recipe_module


@picture
def h1_gan(folder):
    recipe = recipe_module("h1_gan")
    figures = recipe.main()
    figure, (left, right) = new_axes(2, height=2.8)
    for name, color, goal in [("shift", BLUE, recipe.MEAN), ("gain", ORANGE, recipe.DEVIATION)]:
        left.plot([state["generator/" + name] for state in figures["path"][::2]], color=color)
        left.axhline(goal, color=GREY, lw=1, ls=":")
    left.set(xlabel="step", title="Mean (blue) and deviation of the generator")
    data = np.random.RandomState(1).normal(recipe.MEAN, recipe.DEVIATION, 2000)
    right.hist([data, figures["samples"]], 30, color=[GREY, BLUE], label=["data", "generator"])
    right.set(title="Samples")
    right.legend(frameon=False)
    return figure


@picture
def h2_grad_cam_and_saliency(folder):
    from matplotlib import pyplot

    figures = recipe_module("h2_grad_cam_and_saliency").main()
    columns = {"image": figures["images"], **figures["maps"]}
    figure, rows = pyplot.subplots(2, 4, figsize=(8, 4.2), constrained_layout=True)
    for row, label in zip(rows, (0, 1)):
        i = int(np.flatnonzero(figures["labels"] == label)[0])
        for axes, (name, values) in zip(row, columns.items()):
            axes.imshow(values[i], cmap="gray" if name == "image" else "viridis")
            axes.set(title=name, xticks=[], yticks=[])
    return figure


@picture
def h3_lottery_tickets(folder):
    parts, tickets, others = zip(*recipe_module("h3_lottery_tickets").main()["accuracy"])
    figure, axes = new_axes(height=2.8)
    axes.plot(parts, tickets, "o-", color=BLUE, label="ticket")
    axes.plot(parts, others, "o-", color=GREY, label="random mask of this size")
    axes.set(xscale="log", xlabel="weights that are left", ylabel="accuracy", ylim=(0, 1))
    axes.set_xticks(parts, [f"{part:.0%}" for part in parts], minor=False)
    axes.minorticks_off()
    axes.invert_xaxis()
    axes.legend(frameon=False)
    return figure


@picture
def h5_sharpness_aware(folder):
    figure, axes = new_axes(height=2.6)
    figures = recipe_module("h5_sharpness_aware").main()
    for (name, accuracy), color in zip(figures.items(), [GREY, BLUE]):
        axes.plot(accuracy, color=color, label=name)
    axes.set(xlabel="step", ylabel="accuracy on other images", ylim=(0.5, 1))
    axes.legend(frameon=False)
    return figure


@picture
def h6_domain_adversarial(folder):
    recipe = recipe_module("h6_domain_adversarial")
    figures = recipe.main()
    inputs, labels = recipe.points(np.random.RandomState(0))
    figure, both = new_axes(2, height=3.2)
    grid = np.stack(np.meshgrid(np.linspace(-4, 4, 200), np.linspace(-3, 5, 200)), -1)
    for axes, (name, (_, _, weights, accuracy)) in zip(both, figures.items()):
        scores = np.tanh(grid @ weights["w"] + weights["b"]) @ weights["label"]
        axes.contour(grid[..., 0], grid[..., 1], scores[..., 0], [0], colors="black")
        for domain, marker in [(slice(recipe.NUMBER), "."), (slice(recipe.NUMBER, None), "x")]:
            colors = np.array([BLUE, ORANGE])[labels[domain]]
            axes.scatter(*inputs[domain].T, c=colors, marker=marker, s=16, lw=0.8)
        first, second = accuracy
        axes.set(title=f"{name}: {first:.0%} right in the first (.), {second:.0%} in the second")
        axes.title.set_fontsize(9)
    return figure


@picture
def h7_mixed_precision(folder):
    recipe = recipe_module("h7_mixed_precision")
    figures = recipe.main()
    figure, (left, right) = new_axes(2, height=2.8)
    for (name, (weights, _, _)), color in zip(figures.items(), [GREY, ORANGE, BLUE]):
        left.plot(recipe.distances(weights), color=color, label=name)
    left.set(xlabel="step", yscale="log", title="Distance from the solution")
    left.legend(frameon=False, fontsize=8)
    right.plot(figures["float16, loss scale"][1], color=BLUE, drawstyle="steps-post")
    right.set(xlabel="step", title="Loss scale")
    right.set_yscale("log", base=2)
    return figure


@picture
def h8_lbfgs(folder):
    figure, axes = new_axes(height=2.6)
    figures = recipe_module("h8_lbfgs").main()
    for (name, (losses, _)), color in zip(figures.items(), [GREY, BLUE, ORANGE]):
        axes.plot(losses, color=color, label=name)
    axes.set(xlabel="evaluations of loss and gradient", ylabel="loss", yscale="log", xlim=(0, 120))
    axes.legend(frameon=False)
    return figure


@picture
def a4_embedding_rows(folder):
    recipe = recipe_module("a4_embedding_rows")
    figure, both = new_axes(2, height=2.6)
    for axes, (name, values) in zip(both, recipe.main().items()):
        changes = np.abs(values[-1] - values[0]).max(1)
        colors = [BLUE] * (recipe.TOKENS - recipe.NEW) + [ORANGE] * recipe.NEW
        axes.bar(range(recipe.TOKENS), changes, color=colors)
        axes.set(title=name, xlabel="token (orange: new)", ylabel="largest change", ylim=(0, 3))
    return figure
