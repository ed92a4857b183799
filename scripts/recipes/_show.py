"""How the recipes start and talk: as in TF1; progress, tables and pictures.

On a terminal with the package "rich" (``pip install rich``)
progress is a live bar; without it, and in a pipe, it is plain lines.

Imported before TensorFlow, this module keeps its chatter off the screen.
"""

import os
import sys
import warnings

from tfgraphtools.errors import MissingExtraError

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
warnings.filterwarnings("ignore", category=FutureWarning)  # TF 1.15 about newer NumPys


def as_in_tf1():
    """For a recipe that is run as a script: Sessions and ref variables under TF 2.x too."""
    import tensorflow as tf

    tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)
    tf.compat.v1.disable_v2_behavior()


def progress(steps, label, line=lambda: ""):
    """Yields 0..steps-1 and shows how far it is.

    Args:
      steps: how many.
      label: what is being done.
      line: a function whose text (the latest loss, say) is shown beside it.
    """
    if sys.stderr.isatty():
        try:
            from rich import progress as rich_progress
            from rich.console import Console
        except ImportError:
            pass
        else:
            columns = [
                rich_progress.TextColumn("{task.description}"),
                rich_progress.BarColumn(),
                rich_progress.MofNCompleteColumn(),
                rich_progress.TimeElapsedColumn(),
                rich_progress.TextColumn("{task.fields[line]}"),
            ]
            with rich_progress.Progress(*columns, console=Console(stderr=True)) as bar:
                task = bar.add_task(label, total=steps, line="")
                for step in range(steps):
                    yield step
                    bar.update(task, advance=1, line=line())
            return
    for step in range(steps):
        yield step
        if (step + 1) % max(1, steps // 4) == 0:
            print(f"{label} {step + 1}/{steps} {line()}", file=sys.stderr, flush=True)


def table(title, header, rows):
    """Prints a table, columns of numbers to the right and the others to the left."""
    rows = [[str(cell) for cell in row] for row in rows]
    columns = []
    for name, *cells in zip(header, *rows):
        width = max(map(len, [name, *cells]))
        to_the_right = all(cell[:1].isdigit() or cell[:1] == "-" for cell in cells)
        columns.append(
            [
                cell.rjust(width) if to_the_right else cell.ljust(width)
                for cell in [name, "-" * width, *cells]
            ]
        )
    print("\n" + title)
    for row in zip(*columns):
        print("  ".join(row).rstrip())


def pyplot():
    """Matplotlib's pyplot, drawing to files only."""
    try:
        import matplotlib
    except ImportError as error:
        raise MissingExtraError(
            "the recipe's picture",
            "the package matplotlib",
            "none installed",
            "Install it: pip install matplotlib.",
        ) from error
    matplotlib.use("Agg")
    import matplotlib.pyplot

    return matplotlib.pyplot
