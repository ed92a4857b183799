"""Which lines only run where somebody gives a flag."""

import ast

import pytest

from tfgraphtools import compat
from tfgraphtools.compat.doctor import flag_defaults

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

pytestmark = pytest.mark.quick

ABSL = "flags.DEFINE_boolean('plot', {}, 'help')\nif FLAGS.plot:\n    import x\n    x.y()\n"
ARGPARSE = "p.add_argument({})\nargs = p.parse_args()\nif args.plot_it:\n    import x\n"
CASES = {
    "no flag": ("import z\nif a.b:\n    import x\n", set()),
    "off": (ABSL.format("False"), {3, 4}),
    "on": (ABSL.format("True"), set()),
    "empty text": (ABSL.format("''"), {3, 4}),
    "unknown default": (ABSL.format("DEFAULT"), set()),
    "set by the program": (ABSL.format("False") + "FLAGS.plot = True\n", set()),
    "compared": (ABSL.format("False").replace("FLAGS.plot:", "FLAGS.plot == True:"), {3, 4}),
    "compared with false": (ABSL.format("False").replace("plot:", "plot == False:"), set()),
    "negated": (ABSL.format("False").replace("if ", "if not "), set()),
    "only its body": (ABSL.format("False") + "else:\n    import y\n", {3, 4}),
    "store_true": (ARGPARSE.format("'-p', '--plot-it', action='store_true'"), {4}),
    "store_false": (ARGPARSE.format("'--plot-it', action='store_false'"), set()),
    "default None": (ARGPARSE.format("'--plot_it'"), {4}),
    "default": (ARGPARSE.format("'--plot_it', default=3"), set()),
    "positional": (ARGPARSE.format("'plot_it'"), set()),
    "other name": (ARGPARSE.format("'--plot_it', dest='z'"), set()),
}


@pytest.mark.parametrize("name", CASES)
def test_lines(name):
    text, wanted = CASES[name]
    assert flag_defaults.lines_off_by_default(ast.parse(text)) == wanted
