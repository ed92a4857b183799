"""How rows of functions are made."""

import types

import pytest

from tfgraphtools.compat.engine.rows import Fix
from tfgraphtools.compat.fixes.build import in_place_of

pytestmark = [pytest.mark.quick, pytest.mark.once]


@in_place_of("library.one library.inner.two", "library 2.0", "takes a text, too")
def _with_text(original, used, value, **options):
    if isinstance(value, str):
        used()
        value = int(value)
    return original(value, **options)


def test_each_name_has_a_row():
    assert [type(row) for row in _with_text] == [Fix, Fix]
    assert [row[:3] for row in _with_text] == [
        ("library.one", "library 2.0", "takes a text, too"),
        ("library.inner.two", "library 2.0", "takes a text, too"),
    ]


@pytest.mark.parametrize(
    "place, argument, expected, times_used", [(0, 3, 4, 0), (0, "3", 4, 1), (1, "3", 6, 1)]
)
def test_each_name_calls_its_own_original(place, argument, expected, times_used):
    real = types.SimpleNamespace(one=lambda value: value + 1, two=lambda value: value * 2)
    uses = []
    function = _with_text[place].run(real, lambda: uses.append(1))
    assert (function(argument), len(uses)) == (expected, times_used)
    assert function.__wrapped__ in (real.one, real.two)
    with pytest.raises(TypeError, match="unknown"):
        function(argument, unknown=1)
