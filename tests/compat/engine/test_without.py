"""Which fixes a name, a library or a pattern disables."""

import pytest

from tfgraphtools.compat.engine import rows
from tfgraphtools.errors import ArgumentError

pytestmark = [pytest.mark.quick, pytest.mark.once]


@pytest.fixture
def off():
    """A function that returns the fixes that these names disable."""

    def disabled(*without):
        rows.begin(without)
        return rows.switched_off()

    yield disabled
    rows.begin()


def names():
    return {row.name for table in rows.tables() for row in table.rows}


def test_a_fix_is_disabled_alone(off):
    assert off("tensorflow.add", "keras") == {"tensorflow.add", "keras"}


@pytest.mark.parametrize("asked", ["pandas", "pandas.*"])
def test_a_library_or_a_pattern_disables_all_of_it(asked, off):
    assert off(asked) == {name for name in names() if name.startswith("pandas.")}
    assert len(off(asked)) > 10


def test_a_beginning_ends_at_a_dot(off):
    assert off("tensorflow.nn") == {name for name in names() if name.startswith("tensorflow.nn.")}


@pytest.mark.parametrize("asked", ["panda", "no.such.fix", "pandas.no*"])
def test_what_no_fix_has_is_an_error(asked, off):
    with pytest.raises(ArgumentError, match="--list-fixes"):
        off(asked)
