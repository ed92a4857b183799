"""librosa: what needs no librosa. Cells of ``tests/scripts/librosa.py`` show the rest."""

import pytest

from tfgraphtools.compat import is_tf1

if is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

from tfgraphtools.compat.fixes import build
from tfgraphtools.compat.fixes.librosa import argument_orders

pytestmark = pytest.mark.quick


def test_each_line_is_read_once():
    lines = build.lines_of(argument_orders.__file__, "argument_orders.tsv")
    names = [fields[0] for fields in lines]
    assert len(set(names)) == len(names)
    for fields in lines:
        words = fields[1].split()
        order, defaults = argument_orders._order(words), argument_orders._defaults(words)
        assert len(set(order)) == len(order)
        assert all(name.isidentifier() for name in [*order, *defaults])


def test_places_that_changed_between_06_and_07_are_said(capsys):
    order, other = ["y", "sr", "win_length"], ["y", "sr", "power"]
    argument_orders._say_if_unclear("shown", (1, 2), order, other)
    assert capsys.readouterr().err == ""
    argument_orders._say_if_unclear("shown", (1, 2, 3), order, other)
    assert "argument 3 is win_length" in capsys.readouterr().err
