"""Functions that matplotlib and seaborn removed."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import made


@made("matplotlib.pyplot.plot_date", "matplotlib 3.11", "plot with an axis of dates")
def _plot_date(real):
    def plot_date(x, y, fmt="o", tz=None, xdate=True, ydate=False, **options):
        axes = real.gca()
        if xdate:
            axes.xaxis_date(tz)
        if ydate:
            axes.yaxis_date(tz)
        lines = axes.plot(x, y, fmt, **options)
        axes._request_autoscale_view()
        return lines

    return plot_date


def _register_cmap(module):
    @made(f"{module}.register_cmap", "matplotlib 3.9", "matplotlib.colormaps.register")
    def provide(real):
        def register_cmap(name=None, cmap=None, data=None, lut=None):
            import matplotlib

            if cmap is None:
                from matplotlib import colors

                cmap = colors.LinearSegmentedColormap(name, data, lut or 256)
            matplotlib.colormaps.register(cmap, name=name, force=True)

        return register_cmap

    return provide


@made("matplotlib.mlab.find", "matplotlib 3.1", "the indices where a condition holds")
def _find(real):
    def find(condition):
        import numpy

        return numpy.nonzero(numpy.ravel(condition))[0]

    return find


@made(
    "matplotlib.mlab.frange", "matplotlib 3.1", "numbers from a start to an end, including the end"
)
def _frange(real):
    def frange(xini, xfin=None, delta=None, **options):
        import numpy

        step = 1.0 if delta is None else delta
        start, end = (0.0, xini) if xfin is None else (xini, xfin)
        closed = options.pop("closed", 1) or 0
        count = options.pop("npts", None)
        if count is None:
            count = int(numpy.round((end - start) / step)) + closed
        return numpy.arange(count) * step + start

    return frange


@made("matplotlib.mlab.movavg", "matplotlib 3.1", "the moving average over n values")
def _movavg(real):
    def movavg(x, n):
        import numpy

        return numpy.convolve(x, numpy.ones(n) / n, mode="valid")

    return movavg


def _of_seaborn(old, new, order, **defaults):
    @made("seaborn." + old, "seaborn 0.11", new)
    def provide(real):
        def plot(*arguments, **options):
            options = {**defaults, **dict(zip(order.split(), arguments)), **options}
            if new == "catplot" and "size" in options:
                options["height"] = options.pop("size")
            return getattr(real, new)(**options)

        return plot

    return provide


TABLE = Table(
    "functions that left matplotlib and seaborn",
    "names",
    [
        _plot_date,
        *map(_register_cmap, ["matplotlib.cm", "matplotlib.pyplot"]),
        _find,
        _frange,
        _movavg,
        _of_seaborn("factorplot", "catplot", "x y hue data row col", kind="point"),
        _of_seaborn("lvplot", "boxenplot", "x y hue data"),
    ],
)
