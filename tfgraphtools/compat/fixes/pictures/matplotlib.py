"""Matplotlib's windows on a machine without a display, its removed names and old calls."""

import sys

from tfgraphtools import environment_variables
from tfgraphtools.compat.engine import notices
from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes import removed
from tfgraphtools.compat.fixes.build import in_place_of, provides, renaming, standing

#: Whether matplotlib may open windows: True, False, or None if that depends on the display.
_may_show = None


def show_plots(may_show):
    """Sets whether matplotlib may open windows; None: if there is a display."""
    global _may_show
    _may_show = may_show


def has_display():
    """Tells whether matplotlib can and may open windows."""
    if _may_show is not None:
        return _may_show
    if sys.platform.startswith("linux"):
        return any(map(environment_variables.value_of, ("DISPLAY", "WAYLAND_DISPLAY")))
    return True


# Windows --------------------------------------------------------------------


@in_place_of(
    "matplotlib.pyplot.show", "no display", "returns without a window if there is no display"
)
def _show(original, used, *arguments, **options):
    if has_display():
        return original(*arguments, **options)
    used()
    return None


@in_place_of("matplotlib.use", "no display", "uses Agg if there is no display")
def _use(original, used, backend, *arguments, **options):
    if arguments or "warn" in options:  # (backend, warn, force), up to matplotlib 3.2
        used()
        options.update(zip(("warn", "force"), arguments))
        options.pop("warn", None)
    return original(_that_can_be(backend, used), **options)


def _that_can_be(backend, used):
    """Returns the backend; Agg on a machine that cannot open windows."""
    if has_display() or backend.lower() == "agg":
        return backend
    used()
    return "Agg"


@in_place_of("matplotlib.pyplot.switch_backend", "no display", "uses Agg if there is no display")
def _switch_backend(original, used, backend):
    return original(_that_can_be(backend, used))


# Names ----------------------------------------------------------------------


@in_place_of(
    "matplotlib.style.use", "matplotlib 3.8", "the styles seaborn-* are called seaborn-v0_8-*"
)
def _style_use(original, used, style):
    if isinstance(style, (list, tuple)):
        return original([_renamed(name, used) for name in style])
    return original(_renamed(style, used))


def _renamed(style, used):
    if isinstance(style, str) and style.startswith("seaborn") and "v0_8" not in style:
        used()
        return style.replace("seaborn", "seaborn-v0_8", 1)
    return style


def _shown_in_pyplot(name):
    """Returns an attribute of pyplot that is a module with rows of its own."""

    def provide(real):
        from tfgraphtools.compat.engine import views

        return views.module("matplotlib." + name)

    why = f"matplotlib.{name} with the removed names, for user code"
    return provides("matplotlib.pyplot." + name, None, why)(provide)


def hold(b=None):
    """Does nothing: plots are added to the axes, as in matplotlib while they held."""
    if b is None or b == "off" or not b:
        notices.once(
            "matplotlib.hold",
            f"hold({'' if b is None else repr(b)}): plots are added to the axes, not drawn in the "
            "place of others; call plt.cla() before each plot",
        )


_hold = standing("matplotlib.pyplot.hold", "matplotlib 3.0", "plots are always added")(hold)
_ishold = standing("matplotlib.pyplot.ishold", "matplotlib 3.0", "True: plots are always added")(
    lambda: True
)


@standing("matplotlib.mlab.normpdf", "matplotlib 3.1", "the density of a normal distribution")
def _normpdf(x, *args):
    import numpy

    mu, sigma = args
    return (
        1.0 / (numpy.sqrt(2 * numpy.pi) * sigma) * numpy.exp(-0.5 * (1.0 / sigma * (x - mu)) ** 2)
    )


NAMES = Table(
    "names of matplotlib",
    "names",
    [
        _shown_in_pyplot("cm"),
        _shown_in_pyplot("style"),
        _hold,
        _ishold,
        _normpdf,
    ],
)

CALLS = Table(
    "matplotlib's windows and old calls",
    "calls",
    [
        *(*_show, *_use, *_switch_backend, *_style_use),
        renaming("matplotlib.pyplot.hist", "matplotlib 3.1", normed="density"),
    ],
)

TABLES = (*removed.tables_of("Pillow", "matplotlib", "seaborn"), NAMES, CALLS)
