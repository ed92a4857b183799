"""Selectors: what they take, and that nothing matched or matched twice is an error."""

import pytest

from tfgraphtools.errors import MatchedTwiceError, NothingMatchedError, SelectorError

pytestmark = pytest.mark.quick


@pytest.fixture
def select(tf):
    from tfgraphtools import select

    return select


@pytest.fixture
def net(graph, variables, v1):
    names = ["conv1/w", "conv1/w_1", "conv10/w", "head/kernel"]
    return {name: v1.get_variable(name, [2, 2]) for name in names}


def names(items):
    return [item.op.name for item in items]


@pytest.mark.parametrize(
    "selector, wanted",
    [
        ("conv1/w", ["conv1/w"]),
        ("conv1/.*", ["conv1/w", "conv1/w_1"]),
        ("conv.*/w", ["conv1/w", "conv10/w"]),
        (["head/kernel", "conv1/w"], ["conv1/w", "head/kernel"]),
        (lambda v: "head" in v.op.name, ["head/kernel"]),
    ],
    ids=["whole-name", "scope-pattern", "pattern", "list-keeps-candidate-order", "predicate"],
)
def test_select(net, select, selector, wanted):
    assert names(select.select(selector, net.values(), "test")) == wanted


def test_scope_does_not_take_a_longer_name(net, select):
    taken = select.select(select.scope("conv1"), net.values(), "test")
    assert names(taken) == ["conv1/w", "conv1/w_1"]


def test_no_decay_on_one_dimension_is_one_selector(graph, variables, v1, select):
    shapes = {"kernel": [2, 3], "table": [5, 2, 2], "bias": [3], "gain": []}
    for name, shape in shapes.items():
        v1.get_variable(name, shape)
    v1.get_variable("later", initializer=v1.placeholder("float32"), validate_shape=False)
    weights = v1.global_variables()
    assert names(select.select(select.rank_at_least(2), weights, "test")) == ["kernel", "table"]


def test_variable_selects_itself(net, select):
    assert names(select.select(net["conv10/w"], net.values(), "test")) == ["conv10/w"]


def test_ops_are_selected_like_variables(graph, v1, select):
    v1.identity([1.0], name="a/one")
    assert [op.name for op in select.select("a/one", graph.get_operations(), "test")] == ["a/one"]


def test_partitioned_variable_stands_for_its_slices(graph, variables, v1, select):
    with v1.variable_scope("p", partitioner=v1.fixed_size_partitioner(2)):
        table = v1.get_variable("table", [4, 3])
    slices = list(table)
    for selector in (table, "p/table", "p/table/part_.*", [slices[0], slices[1]]):
        assert select.select(selector, [table], "test") == slices
    assert select.select("p/table/part_1", [table], "test") == slices[1:]


@pytest.mark.parametrize(
    "selector, hint",
    [
        ("conv1/w:0", "'conv1/w'"),
        ("kernel", "'head/kernel'"),
        ("head/kernle", "'head/kernel'"),
        ("conv", "whole name"),
        ([], "whole name"),
        (["conv1/w", "nothing"], "'nothing'"),
        (lambda v: False, "lambda"),
    ],
    ids=[
        "colon-zero",
        "last-component",
        "typo",
        "prefix",
        "empty-list",
        "one-of-a-list",
        "predicate",
    ],
)
def test_nothing_matched(net, select, selector, hint):
    with pytest.raises(NothingMatchedError) as error:
        select.select(selector, net.values(), "the place")
    assert str(error.value).startswith("the place: expected")
    assert hint in str(error.value)


@pytest.mark.parametrize("selector", [3, None, "conv1/(w"], ids=["number", "none", "bad-regex"])
def test_no_selector(net, select, selector):
    with pytest.raises(SelectorError):
        select.select(selector, net.values(), "test")


def test_assign(net, select):
    labels = select.assign([("low", "conv.*"), ("high", "head/.*")], net.values(), "test")
    assert [labels.get(v) for v in net.values()] == ["low", "low", "low", "high"]


def test_absent_from_assign(net, select):
    labels = select.assign([("high", "head/.*")], net.values(), "test")
    assert net["conv1/w"] not in labels and labels.get(net["conv1/w"], "rest") == "rest"


def test_matched_twice(net, select):
    with pytest.raises(MatchedTwiceError, match="'conv1/w'.*'low'"):
        select.assign([("low", "conv.*"), ("one", "conv1/w")], net.values(), "test")
