"""What is rewritten for arrays of one element, and what is left as it was."""

import ast
import traceback

import numpy as np
import pytest

from tfgraphtools.compat import is_tf1
from tfgraphtools.compat.fixes.numpy import one_element
from tfgraphtools.compat.fixes.numpy.arithmetic import wrapping
from tfgraphtools.runner import tracebacks

if is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

pytestmark = pytest.mark.quick


def run(text, **names):
    tree = wrapping.integers(one_element.numbers(ast.parse(text), "script.py"), "script.py")
    ast.fix_missing_locations(tree)
    scope = dict(one_element.HELPERS, **wrapping.HELPERS, **names)
    exec(compile(tree, "script.py", "exec"), scope)
    return scope


@pytest.mark.parametrize(
    "text",
    [
        "x['a'] = y",
        "x[0] = 'text'",
        "x[0] = [1]",
        "x[0] = 7",
        "x[1:] = None",
        "x.a = y",
        "a, b = y",
        "other.exp(y)",
        "exp(y)",
    ],
)
def test_what_is_left_as_it_was(text):
    assert ast.unparse(one_element.numbers(ast.parse(text), "")) == ast.unparse(ast.parse(text))


def test_each_part_is_evaluated_once_and_in_order():
    told = []

    def tell(name, value):
        told.append(name)
        return value

    x = np.zeros((2, 2))
    text = "tell('x', x)[tell('i', 0), tell('j', 1)], tell('y', x)[1][0] = tell('v', (one, 2.))"
    run(text, x=x, one=np.ones((1, 1)), tell=tell)
    assert told == ["v", "x", "i", "j", "y"]
    assert x.tolist() == [[0, 1], [2, 0]]


def test_nothing_stays_behind():
    scope = run("x[0] = x[1] = one * 2", x=np.zeros(2), one=np.ones(1))
    assert scope["x"].tolist() == [2, 2]
    helpers = {*one_element.HELPERS, *wrapping.HELPERS}
    assert scope.keys() - helpers == {"__builtins__", "one", "x"}


@pytest.mark.parametrize("method", ["__setitem__", "values"])
def test_a_users_own_error_is_the_users(method):
    """A ValueError comes out as it was, and `run` shows it from the user's line."""

    class Strict:
        def __setitem__(self, index, value):
            raise ValueError("mine")

    target = Strict() if method == "__setitem__" else np.zeros(2)
    with pytest.raises(ValueError, match="mine|sequence") as caught:
        run("x[0] = value", x=target, value=np.ones(2))
    error = tracebacks.users_own(caught.value)
    files = [entry.filename for entry in traceback.extract_tb(error.__traceback__)]
    assert files.count("script.py") == 1 and one_element.__file__ not in files


def test_what_stands_in_for_an_array():
    """A column of a table converts too, as NumPy 1 converted all that has one element."""
    pandas = pytest.importorskip("pandas")
    x = np.zeros(2)
    run("x[0] = column", x=x, column=pandas.Series([3.0]))
    assert x.tolist() == [3, 0]
