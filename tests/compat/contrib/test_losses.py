"""A script's loss gets the arguments in the order for which it was written."""

import pytest

from tfgraphtools.compat.contrib import loss_arguments

pytestmark = pytest.mark.quick


def by_keyword(labels, logits):
    return ("labels", labels, "logits", logits)


def until_1_2(labels, inputs):
    return ("labels", labels, "logits", inputs)


def until_0_12(inputs, labels):
    return ("labels", labels, "logits", inputs)


@pytest.mark.parametrize(
    "function",
    [
        by_keyword,
        until_1_2,
        until_0_12,
        lambda logits, labels: by_keyword(labels, logits),
        lambda _sentinel=None, labels=None, logits=None: by_keyword(labels, logits),
        lambda **words: by_keyword(**words),
        lambda logit, target: by_keyword(target, logit),
    ],
)
def test_each_gets_its_own(function):
    assert loss_arguments.called(function, 1, 2) == ("labels", 1, "logits", 2)


def test_what_has_no_signature_is_called_by_keyword():
    assert loss_arguments.called(dict, 1, 2) == {"labels": 1, "logits": 2}
