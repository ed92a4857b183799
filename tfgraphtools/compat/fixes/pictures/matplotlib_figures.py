"""Figures of matplotlib 3.5: ``gca(projection='3d')`` and attributes."""

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes.build import left, of, provides
from tfgraphtools.compat.fixes.build import replacements as _replacements
from tfgraphtools.compat.fixes.pictures import matplotlib

_PROJECTION = Fix(
    "matplotlib.figure.Figure.gca",
    "matplotlib 3.7",
    "gca(projection='3d') creates 3-D axes",
)
_THREE_D = Fix(
    "mpl_toolkits.mplot3d.Axes3D",
    "matplotlib 3.7",
    "Axes3D(figure) adds itself to the figure; otherwise it would not be drawn",
)


_ATTRIBUTES = left(
    "matplotlib.attributes",
    "matplotlib 3.10",
    "canvas.tostring_rgb(), contour(...).collections",
    of("matplotlib"),
    {
        "tostring_rgb": lambda canvas: lambda: _colours(canvas),
        "collections": lambda contours: [contours],
    },
    "matplotlib",
    "write canvas.buffer_rgba(), and use the contours themselves for their collections",
)


_HOLD = left(
    "matplotlib.hold",
    "matplotlib 3.0",
    "axes.hold(): plots are always added",
    of("matplotlib"),
    {"hold": lambda axes: matplotlib.hold, "ishold": lambda axes: lambda: True},
    "matplotlib",
    "remove the call",
)


def _set_title_of_window(canvas):
    def set_window_title(title):
        if canvas.manager is not None:
            canvas.manager.set_window_title(title)

    return set_window_title


_TITLE = left(
    "matplotlib.set_window_title",
    "matplotlib 3.6",
    "canvas.set_window_title(title) is a method of the canvas's manager",
    of("matplotlib"),
    {"set_window_title": _set_title_of_window},
    "matplotlib",
    "write canvas.manager.set_window_title(title)",
)


_BACKGROUND = Fix(
    "matplotlib.axes.Axes",
    "matplotlib 2.2",
    "the argument axisbg is called facecolor now",
)

_BACKGROUNDS = left(
    "matplotlib.axis_bgcolor",
    "matplotlib 2.2",
    "axes.set_axis_bgcolor() and get_axis_bgcolor() are set_facecolor() and get_facecolor() now",
    of("matplotlib"),
    {
        "set_axis_bgcolor": lambda axes: axes.set_facecolor,
        "get_axis_bgcolor": lambda axes: axes.get_facecolor,
    },
    "matplotlib",
    "write set_facecolor and get_facecolor",
)


#: The packages that create axes for user code.
_PLOTTING = ("matplotlib", "mpl_toolkits")


def _axes_of(original, self, *arguments, **options):
    if "axisbg" in options:
        rows.used(_BACKGROUND)
        options["facecolor"] = options.pop("axisbg")
    original(self, *arguments, **options)


@provides("matplotlib.pyplot.gca", "matplotlib 3.7", "plt.gca(projection='3d') creates 3-D axes")
def _current_axes(real, used):
    def gca(**options):
        if options:
            used()
        return _axes(real.Figure.gca, real.gcf(), **options)

    return gca


def _axes(original, figure, **options):
    if not options:
        return original(figure)
    rows.used(_PROJECTION)
    kind = options.get("projection") or "rectilinear"
    if figure.axes and original(figure).name == kind:
        return original(figure)
    return figure.add_subplot(**options)


def _three_d(original, self, fig, *arguments, **options):
    is_added = options.pop("auto_add_to_figure", True)
    original(self, fig, *arguments, **options)
    if is_added and self not in fig.axes:
        rows.used(_THREE_D)
        fig.add_axes(self)


def _colours(canvas):
    import numpy

    return numpy.asarray(canvas.buffer_rgba())[..., :3].tobytes()


def replacements():
    """Returns what restores the old calls for user code."""
    return [
        *_replacements(_PROJECTION, _axes, "matplotlib.figure:Figure.gca"),
        *_replacements(_BACKGROUND, _axes_of, "matplotlib.axes:Axes.__init__", through=_PLOTTING),
        *_replacements(_THREE_D, _three_d, "mpl_toolkits.mplot3d.axes3d:Axes3D.__init__"),
    ]


TABLES = (
    Table("axes of matplotlib", "calls", [_current_axes]),
    Table(
        "figures of matplotlib",
        "listed",
        [_PROJECTION, _THREE_D, _BACKGROUND, _BACKGROUNDS, _ATTRIBUTES, _HOLD, _TITLE],
    ),
)
