"""What names mean: one table of synonyms for Keras, PyTorch, objects and doctor."""

import itertools

import pytest

from tfgraphtools.checkpoints.names import likeness, name_parts

pytestmark = pytest.mark.quick

#: Names that mean the same tensor of a layer.
SAME = [
    ("net/fc/weights", "net/fc/kernel", "net/fc/w", "net/fc/Matrix"),
    ("fc_1/biases", "fc_1/bias", "fc_1/b", "fc_1/Bias"),
    ("sep/depthwise_weights", "sep/depthwise_kernel"),
    ("bn/gamma", "bn/Gamma"),
]


@pytest.mark.parametrize("names", SAME, ids=lambda names: names[0])
def test_synonyms(names):
    assert len({name_parts.split(name) for name in names}) == 1
    assert len({name_parts.meaning(name) for name in names}) == 1
    assert len({frozenset(map(str, likeness.words(name))) for name in names}) == 1


@pytest.mark.parametrize(
    "first, second",
    [
        ("BatchNorm/gamma", "batch_normalization/gamma"),
        ("bn/gamma", "batch_normalization/gamma"),
        ("LayerNorm/beta", "layer_normalization/beta"),
        ("bert/embeddings/table", "bert/embedding/table"),
        ("bidirectional/fw/kernel", "bidirectional/forward/kernel"),
    ],
)
def test_words_of_layers(first, second):
    assert name_parts.words(first) == name_parts.words(second)
    assert likeness.score(likeness.words(first), likeness.words(second), first, second) > 1


def test_other_names_stay_apart():
    names = ["a/kernel", "a/bias", "a/gamma", "a/moving_mean", "a/table", "b/kernel", "a/kernel_2"]
    for first, second in itertools.combinations(names, 2):
        assert name_parts.split(first) != name_parts.split(second)


def test_natural_order():
    names = ["l_10/w", "l_2/w", "l/w", "l_1/w"]
    assert sorted(names, key=name_parts.natural) == ["l/w", "l_1/w", "l_2/w", "l_10/w"]
