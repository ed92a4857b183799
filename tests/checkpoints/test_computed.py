"""Rules that compute: a number of a name, and another one of the new name."""

import pytest

from tfgraphtools.checkpoints.plans import rules
from tfgraphtools.errors import PlanError


@pytest.mark.parametrize(
    "rule, name, new",
    [
        ((r"block(\d+)/(.*)", r"blocks.\1.\2"), "block1/w", "blocks.1.w"),  # no numbers in braces
        ((r"a{2}/(.*)", r"{x}.\1"), "aa/w", "{x}.w"),  # a regular expression, and a text
        (("block{n}/(.*)", r"blocks.{n-1}.\2"), "block1/w", "blocks.0.w"),
        (("block{n}/(.*)", r"blocks.{n-1}.\2"), "block10/w", "blocks.9.w"),
        (("block{n}/unit_{m}/w", "layer{n}.{m-1}.w"), "block2/unit_3/w", "layer2.2.w"),
        (("b{n}/{n}/w", "{2*n}.{(n+1)//2}.{n%2}"), "b3/3/w", "6.2.1"),
        (("b{n}/(.*)", r"{m}.\2"), "b3/w", "{m}.w"),  # a name that the pattern does not have
        ((r"b(?P<n>\d)/w", "{n + 1}"), "b3/w", "4"),
    ],
)
def test_names(rule, name, new):
    assert rules.renamed([rule], [name], "here") == {name: new}


def test_a_number_twice_is_one_number():
    assert rules.renamed([("b{n}/{n}/w", "{n}")], ["b3/3/w", "b3/4/w"], "here") == {"b3/3/w": "3"}


@pytest.mark.parametrize("new", ["{n-1}", "{1//n}", "{n*'a'}", "{n.real}", "{n**n}"])
def test_what_is_no_number_is_refused(new):
    with pytest.raises(PlanError, match="here: expected a number"):
        rules.renamed([("b{n}", new)], ["b0"], "here")


def test_large_powers_take_no_time():
    with pytest.raises(PlanError):
        rules.renamed([("b{n}", "{" + "*".join(["n"] * 50) + "}")], ["b999999"], "here")
