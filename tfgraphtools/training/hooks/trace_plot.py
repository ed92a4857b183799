"""The plot of a trace: a panel per item, a line per element."""

import numpy as np

from tfgraphtools.errors import MissingExtraError

_LINES = 24  # drawn per panel; a legend names them while they are few
_NAMED = 8
_PANEL_HEIGHT = 2.0  # inches


def matplotlib():
    """Returns the parts of matplotlib that draw into a file, without its global state."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError(
            "TraceHook png_path",
            "matplotlib",
            "none installed",
            "Install it: pip install matplotlib, or write a CSV with csv_path.",
        ) from error
    return Figure, FigureCanvasAgg


def draw(path, steps, arrays):
    """Writes the PNG.

    Args:
      path: of the file.
      steps: int array of shape ``[rows]``.
      arrays: ``{label: array of shape [rows, ...]}``.
    """
    figure_class, canvas_class = matplotlib()
    figure = figure_class(figsize=(7, 0.8 + _PANEL_HEIGHT * len(arrays)), dpi=120)
    canvas_class(figure)
    panels = figure.subplots(len(arrays), 1, sharex=True, squeeze=False)[:, 0]
    for panel, (label, array) in zip(panels, arrays.items()):
        _draw_panel(panel, steps, label, array)
    panels[-1].set_xlabel("step")
    figure.tight_layout()
    figure.savefig(path, format="png")


def elements(array):
    """Returns the array as a matrix, a column for each element; there may be no rows."""
    return array.reshape(len(array), int(np.prod(array.shape[1:])))


def _draw_panel(panel, steps, label, array):
    flat = elements(array).astype(np.float64)
    count = flat.shape[1]
    drawn = np.unique(np.linspace(0, count - 1, min(count, _LINES)).astype(int)) if count else []
    for index in drawn:
        place = np.unravel_index(index, array.shape[1:])
        name = ",".join(map(str, place))
        panel.plot(steps, flat[:, index], linewidth=1.2, label=name)
    title = label if len(drawn) == count else f"{label} ({len(drawn)} of {count} elements)"
    panel.set_title(title, fontsize=9, loc="left")
    panel.tick_params(labelsize=8)
    panel.grid(True, linewidth=0.3)
    panel.margins(x=0.01)
    if 1 < count <= _NAMED:
        panel.legend(fontsize=7, loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
