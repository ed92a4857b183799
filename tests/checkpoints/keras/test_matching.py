"""Names alone: which tensors make a unit, and which unit is which layer. No Keras."""

import pytest

from tfgraphtools.checkpoints.keras import keras_fits, keras_layers
from tfgraphtools.checkpoints.matching import tensor_units, unit_fits, unit_matching
from tfgraphtools.checkpoints.names import name_parts as names
from tfgraphtools.errors import UnmatchedError


@pytest.mark.parametrize(
    "name, layer, role",
    [
        ("conv1/weights", "conv1", "kernel"),
        ("net/fc/biases", "net/fc", "bias"),
        ("model/softmax_w", "model/softmax", "kernel"),
        ("bn/moving_variance", "bn", "moving_variance"),
        ("separable/depthwise_weights", "separable", "depthwise_kernel"),
        ("model/embedding", "model/embedding", None),
        ("w", "", "kernel"),
    ],
)
def test_roles(name, layer, role):
    assert names.split(name) == (layer, role)


@pytest.mark.parametrize(
    "tensors, kinds",
    [
        (
            ["rnn/basic_lstm_cell/kernel", "rnn/basic_lstm_cell/bias"],
            {"rnn/basic_lstm_cell": "lstm"},
        ),
        (
            ["a/MultiRNNCell/Cell0/BasicLSTMCell/Linear/Matrix"]
            + ["a/MultiRNNCell/Cell0/BasicLSTMCell/Linear/Bias"],
            {"a/MultiRNNCell/Cell0/BasicLSTMCell": "lstm"},
        ),
        (
            ["g/gru_cell/gates/weights", "g/gru_cell/gates/biases"]
            + ["g/gru_cell/candidate/weights", "g/gru_cell/candidate/biases"],
            {"g/gru_cell": "gru"},
        ),
        (
            ["c/lstm_cell/kernel", "c/lstm_cell/bias", "c/lstm_cell/projection/kernel"],
            {"c/lstm_cell": "projected lstm", "c/lstm_cell/projection": "plain"},
        ),
        (
            ["c/lstm_cell/kernel", "c/lstm_cell/bias", "c/lstm_cell/w_f_diag"],
            {"c/lstm_cell": "refused"},
        ),
        (["nas_rnn_cell/kernel"], {"nas_rnn_cell": "refused"}),
        (["gates/kernel", "gates/bias"], {"gates": "plain"}),
        (["w/ExponentialMovingAverage"], {"w/ExponentialMovingAverage": "refused"}),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else None,
)
def test_units(tensors, kinds):
    units = tensor_units.find(tensors)
    assert {unit.name: unit.kind for unit in units} == kinds
    assert {name for unit in units for name in unit.leaves.values()} == set(tensors)


def dense(name, inputs=4, outputs=4, kind="Dense"):
    weights = {
        role: keras_layers.Weight(f"{name}/{role}", shape, "float32", None)
        for role, shape in [("kernel", (inputs, outputs)), ("bias", (outputs,))]
    }
    return keras_layers.Target(name, kind, weights, {})


def matched(sources, targets):
    """{target: source} by names, for dense layers [(name, inputs, outputs)]."""
    held = {}
    for name, *sizes in sources:
        inputs, outputs = sizes or (4, 4)
        held[name + "/kernel"] = ("float32", (inputs, outputs))
        held[name + "/bias"] = ("float32", (outputs,))
    matches = unit_matching.match(
        tensor_units.find(held),
        [dense(*target) for target in targets],
        lambda source, target: keras_fits.candidate(source, target, held),
    )
    return {
        pair_match.target.name: (pair_match.source.name, pair_match.how) for pair_match in matches
    }


@pytest.mark.parametrize(
    "sources, targets, expected",
    [
        (["a", "b"], ["b", "a"], {"a": ("a", "name"), "b": ("b", "name")}),
        (
            ["net/fc1", "net/fc2"],
            ["model/fc_2", "model/fc_1"],
            {"model/fc_2": ("net/fc2", "order"), "model/fc_1": ("net/fc1", "order")},
        ),
        (
            ["net/fc1", "net/fc2"],
            ["fc1", "fc2"],
            {"fc1": ("net/fc1", "name"), "fc2": ("net/fc2", "name")},
        ),
        # Keras counted on from another model: a match by name would exchange layers.
        (
            ["dense", "dense_1"],
            ["dense_1", "dense_2"],
            {"dense_1": ("dense", "order"), "dense_2": ("dense_1", "order")},
        ),
        # The order of a model's weights is that of depth or registration, and says nothing.
        (["dense_2", "dense_10"], ["x", "y"], None),
        (["dense", "dense_1"], ["short", "long_a"], None),
        (["dense_2", "dense_10"], ["fc1", "y"], None),
        (["a", "b"], ["b", "c"], None),  # a is what is left for c, and that is not enough
        (["first", "second"], ["x", "y"], None),
        (["a"], ["x"], {"x": ("a", "the only fit")}),
        (["a"], ["x", "y"], None),
        (["a", "b"], ["a"], None),
        (["a"], [], None),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else None,
)
def test_matching(sources, targets, expected):
    sources, targets = [(s,) for s in sources], [(t,) for t in targets]
    if expected is None:
        with pytest.raises(UnmatchedError):
            matched(sources, targets)
    else:
        assert matched(sources, targets) == expected


def test_equal_names_take_linear_work():
    sources = [tensor_units.Source(f"net/block_{i}/fc", "plain", {}) for i in range(2000)]
    targets = [dense(f"net/block_{i}/fc") for i in reversed(range(2000))]
    calls = []

    def fit(source, target):
        calls.append(source)
        return unit_fits.Fit({}, dict, dict, {}, [])

    matches = unit_matching.match(sources, targets, fit)
    assert len(calls) == 2000 and {match.how for match in matches} == {"name"}
    assert [match.target for match in matches] == targets
    assert all(match.source.name == match.target.name for match in matches)


@pytest.mark.parametrize("kinds", [1, 4])
def test_numbered_names_take_linear_work(kinds):
    widths = [4 + i % kinds for i in range(2000)]
    sources = [
        tensor_units.Source("dense" + f"_{i}" * (i > 0), "plain", {"kernel": f"{i}"})
        for i in range(2000)
    ]
    targets = [dense(f"dense_{i + 7}", widths[i]) for i in reversed(range(2000))]
    tensors = {f"{i}": ("float32", (width, 4)) for i, width in enumerate(widths)}
    calls = []

    def fit(source, target):
        calls.append(source)
        if tensors[source.leaves["kernel"]][1] != target.weights["kernel"].shape:
            return unit_fits.Misfit("a width")
        return unit_fits.Fit({}, dict, dict, {}, [])

    alike = unit_fits.alike(tensors, lambda source: {})
    matches = unit_matching.match(sources, targets, fit, alike)
    assert len(calls) <= 2000 + kinds**2 + 1 and {match.how for match in matches} == {"order"}
    for match in matches:
        number = int(match.source.leaves["kernel"])
        assert match.target.name == f"dense_{number + 7}"


def test_shapes_part_the_groups():
    pairs = matched(
        [("a", 4, 4), ("b", 4, 2), ("c", 3, 4)], [("x", 3, 4), ("y", 4, 4), ("z", 4, 2)]
    )
    assert {target: source for target, (source, _) in pairs.items()} == {
        "x": "c",
        "y": "a",
        "z": "b",
    }


def test_an_error_says_why_the_nearest_does_not_fit():
    with pytest.raises(UnmatchedError) as error:
        matched([("net/head", 4, 10)], [("net/head", 4, 12)])
    message = str(error.value)
    assert (
        "no layer for 'net/head' [the nearest is 'net/head': bias has the shape [10], not [12]"
        in message
    )
    assert (
        "no tensors for Dense 'net/head'" in message and "--rule" in message and "--keep" in message
    )


def test_an_error_does_not_list_hundreds():
    with pytest.raises(UnmatchedError) as error:
        matched([(f"a{i}", 4, 10) for i in range(300)], [(f"x{i}", 4, 12) for i in range(300)])
    assert "and 594 more" in str(error.value) and len(str(error.value)) < 2000
