"""Functions of pytest with the arguments of pytest 3 to 5."""

import contextlib
import sys
import warnings

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import in_place_of, provides


@in_place_of("pytest.warns", "pytest 8.0", "warns(None) records all warnings")
def _warns(original, used, expected_warning=Warning, *arguments, **options):
    if expected_warning is not None:
        return original(expected_warning, *arguments, **options)
    used()
    return _recording()


@contextlib.contextmanager
def _recording():
    with warnings.catch_warnings(record=True) as record:
        warnings.simplefilter("always")
        yield record


@in_place_of("pytest.raises", "pytest 5.0", "takes message=, and a statement as text")
def _raises(original, used, expected_exception, *arguments, **options):
    if arguments and isinstance(arguments[0], str):
        used()
        frame = sys._getframe(2)
        names = {**frame.f_globals, **frame.f_locals, **options}
        return original(expected_exception, exec, arguments[0].strip(), names)
    if arguments or "message" not in options:
        return original(expected_exception, *arguments, **options)
    import pytest

    used()
    message = options.pop("message")
    return _Raising(original(expected_exception, **options), message, pytest.fail)


class _Raising:
    """``with raises(..., message="m")``: fails with the message if nothing is raised."""

    def __init__(self, raises, message, fail):
        self._raises, self._message, self._fail = raises, message, fail

    def __enter__(self):
        return self._raises.__enter__()

    def __exit__(self, kind, error, trace):
        __tracebackhide__ = True
        if kind is None:
            self._fail(self._message)
        return self._raises.__exit__(kind, error, trace)


def _ending(name):
    """Returns a row of skip, fail or exit, with the argument msg for today's reason."""

    def provide(real, used):
        original = getattr(real, name)

        def end(*arguments, **options):
            __tracebackhide__ = True  # so that pytest shows the line of the test
            if "msg" in options:
                used()
                options["reason"] = options.pop("msg")
            return original(*arguments, **options)

        end.__name__, end.Exception = name, original.Exception
        return end

    return provides("pytest." + name, "pytest 8.0", "takes msg=, which is reason= now")(provide)


@in_place_of(
    "pytest.fixture", "pytest 6.0", "takes positional arguments; marks on it have no effect"
)
def _fixture(original, used, *arguments, **options):
    function, by_position = None, list(arguments)
    if by_position and callable(by_position[0]) or by_position[:1] == [None]:
        function = by_position.pop(0)
    if by_position:
        used()
    options.update(zip(("scope", "params", "autouse", "ids", "name"), by_position))
    if function is None:
        return lambda marked: original(**options)(_without_marks(marked, used))
    return original(_without_marks(function, used), **options)


def _without_marks(function, used):
    if "pytestmark" in getattr(function, "__dict__", ()):
        used()
        del function.pytestmark
    return function


CALLS = Table(
    "arguments of pytest's functions",
    "calls",
    [*_warns, *_raises, *map(_ending, ("skip", "fail", "exit")), *_fixture],
)
