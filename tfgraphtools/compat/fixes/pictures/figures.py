"""Figures of matplotlib 3.5, and the font of Pillow 10: methods, arguments and results."""

import functools

from tfgraphtools.compat.engine import after_import, notices, rows, state
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.build import left, made, of

_PROJECTION = Row(
    "matplotlib.figure.Figure.gca",
    "matplotlib 3.7",
    "gca(projection='3d') creates 3-D axes",
)
_THREE_D = Row(
    "mpl_toolkits.mplot3d.Axes3D",
    "matplotlib 3.7",
    "Axes3D(figure) adds itself to the figure; otherwise it would not be drawn",
)
_FONT = Row(
    "PIL.ImageFont.load_default",
    "Pillow 10.1",
    "text without a font is drawn with Pillow's old bitmap font",
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
)


@made("matplotlib.pyplot.gca", "matplotlib 3.7", "plt.gca(projection='3d') creates 3-D axes")
def _current_axes(real, used):
    def gca(**options):
        if options:
            used()
        return real.gcf().gca(**options)

    return gca


TABLES = (
    Table("axes of matplotlib", "calls", [_current_axes]),
    Table("figures of matplotlib", "listed", [_PROJECTION, _THREE_D, _ATTRIBUTES]),
    Table("the font of Pillow", "listed", [_FONT]),
)


def install():
    """Restores the old drawing, once the modules are loaded."""
    for row, module, change in (
        (_PROJECTION, "matplotlib.figure", _make_axes),
        (_THREE_D, "mpl_toolkits.mplot3d.axes3d", _add_to_figure),
        (_FONT, "PIL.ImageFont", _draw_with_bitmaps),
    ):
        if not rows.is_off(row.name):
            after_import.call(module, change, row.name)


def _colours(canvas):
    import numpy

    return numpy.asarray(canvas.buffer_rgba())[..., :3].tobytes()


def _make_axes(module):
    base = module.FigureBase
    plain = base.gca

    @functools.wraps(plain)
    def gca(self, **options):
        if not options:
            return plain(self)
        rows.used(_PROJECTION)
        kind = options.get("projection") or "rectilinear"
        if self.axes and plain(self).name == kind:
            return plain(self)
        return self.add_subplot(**options)

    state.set_attribute(base, "gca", gca)


def _add_to_figure(module):
    plain = module.Axes3D.__init__

    @functools.wraps(plain)
    def __init__(self, fig, *arguments, **options):
        is_added = options.pop("auto_add_to_figure", notices.is_called_by_user())
        plain(self, fig, *arguments, **options)
        if is_added and self not in fig.axes:
            rows.used(_THREE_D)
            fig.add_axes(self)

    state.set_attribute(module.Axes3D, "__init__", __init__)


def _draw_with_bitmaps(module):
    plain = module.load_default

    @functools.wraps(plain)
    def load_default(size=None):
        if size is not None or not hasattr(module, "load_default_imagefont"):
            return plain(size)
        rows.used(_FONT)
        return module.load_default_imagefont()

    state.set_attribute(module, "load_default", load_default)
