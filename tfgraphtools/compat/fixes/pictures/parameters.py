"""Parameters of matplotlib (rcParams) that it no longer knows, and values that were lists."""

import functools

from tfgraphtools.compat.engine import after_import, rows, state
from tfgraphtools.compat.engine.rows import Row, Table

_ROW = Row(
    "matplotlib.rcParams",
    "matplotlib 3.6",
    "parameters of matplotlib 2.2 that are gone can be set, without effect; preambles can be lists",
)

#: What matplotlib 2.2 had and 3.11 has not, with the defaults of 2.2.5.
_LEFT = {
    "animation.avconv_args": [],
    "animation.avconv_path": "avconv",
    "animation.html_args": [],
    "axes.hold": None,
    "backend.qt4": None,
    "backend.qt5": None,
    "datapath": None,  # filled in where it is read
    "examples.directory": "",
    "keymap.all_axes": ["a"],
    "mathtext.fallback_to_cm": True,
    "nbagg.transparent": True,
    "pgf.debug": False,
    "plugins.directory": ".matplotlib_plugins",
    "savefig.frameon": True,
    "savefig.jpeg_quality": 95,
    "text.dvipnghack": None,
    "text.latex.preview": False,
    "text.latex.unicode": False,
    "verbose.fileo": "sys.stdout",
    "verbose.level": "silent",
}
_PREAMBLES = ("pgf.preamble", "text.latex.preamble")

TABLES = (Table("parameters of matplotlib", "listed", [_ROW]),)


def install():
    """Makes rcParams accept them, once matplotlib is loaded."""
    if not rows.is_off(_ROW.name):
        after_import.call("matplotlib", _take_old_parameters, _ROW.name)


def _take_old_parameters(matplotlib):
    parameters = matplotlib.RcParams
    plain_set, plain_get = parameters.__setitem__, parameters.__getitem__
    left = {name: value for name, value in _LEFT.items() if name not in matplotlib.rcParams}

    @functools.wraps(plain_set)
    def __setitem__(self, name, value):
        if name in left:
            rows.used(_ROW)
            left[name] = value
        elif name in _PREAMBLES and isinstance(value, (list, tuple)):
            rows.used(_ROW)
            plain_set(self, name, "\n".join(value))
        else:
            plain_set(self, name, value)

    @functools.wraps(plain_get)
    def __getitem__(self, name):
        if name not in left:
            return plain_get(self, name)
        rows.used(_ROW)
        return matplotlib.get_data_path() if name == "datapath" else left[name]

    state.set_attribute(parameters, "__setitem__", __setitem__)
    state.set_attribute(parameters, "__getitem__", __getitem__)
