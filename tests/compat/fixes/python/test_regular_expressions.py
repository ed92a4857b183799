"""Warnings of `re` name the line of user code that calls it, as Python's own do."""

import re
import warnings

import pytest

from tfgraphtools import compat
from tfgraphtools.compat.fixes.python import regular_expressions

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

pytestmark = pytest.mark.quick

#: name of a function -> the rest of its arguments, after a pattern of which `re` warns.
ARGUMENTS = {"compile": (), "match": ("a",), "split": ("a",), "sub": ("", "a")}


def test_a_warning_names_the_line_of_the_call():
    functions = {name: getattr(re, name) for name in ARGUMENTS}
    ours = {
        row.name.partition(".")[2]: row.run(re, lambda: None)
        for row in regular_expressions.TABLE.rows
    }
    for kind, these in (("of Python", functions), ("of user code", ours)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for name, rest in ARGUMENTS.items():
                these[name](f"[[{kind}]{name}]", *rest)
        assert [warning.filename for warning in caught] == [__file__] * len(ARGUMENTS), kind
