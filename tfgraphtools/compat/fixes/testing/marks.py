"""Marks in places where today's pytest refuses them or treats them as values."""

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row, Table

_IN_VALUES = Row(
    "pytest.marked_values",
    "pytest 4.0",
    "parametrize takes pytest.mark.xfail(values): pytest.param(values, marks=pytest.mark.xfail)",
)
_ON_FIXTURES = Row(
    "pytest.marked_fixtures",
    "pytest 9.0",
    "a mark on a fixture is accepted and has no effect",
)

TABLE = Table("marks of pytest", "listed", [_IN_VALUES, _ON_FIXTURES])


def patch(structures):
    """Makes pytest accept marks as before."""
    if rows.is_on(_IN_VALUES):
        _take_marked_values(structures.ParameterSet, structures.MarkDecorator)
    if rows.is_on(_ON_FIXTURES):
        _pass_over_fixtures(structures)


def _take_marked_values(parameters, decorator):
    plain = parameters.extract_from

    def extract_from(cls, parameterset, force_tuple=False):
        value, marks = parameterset, []
        while isinstance(value, decorator) and value.args:
            mark = value.mark
            marks.append(decorator(_without_last(mark), _ispytest=True))
            value = mark.args[-1]
        if not marks:
            return plain(parameterset, force_tuple)
        rows.used(_IN_VALUES)
        found = plain(value, force_tuple)
        return found._replace(marks=[*found.marks, *marks])

    state.set_attribute(parameters, "extract_from", classmethod(extract_from))


def _without_last(mark):
    return type(mark)(mark.name, mark.args[:-1], mark.kwargs, _ispytest=True)


def _pass_over_fixtures(structures):
    plain = structures.store_mark

    def store_mark(obj, *arguments, **options):
        from _pytest import fixtures  # not before: until pytest 7 it imports what is being loaded

        if fixtures.getfixturemarker(obj) is None:
            plain(obj, *arguments, **options)
        else:
            rows.used(_ON_FIXTURES)

    state.set_attribute(structures, "store_mark", store_mark)
