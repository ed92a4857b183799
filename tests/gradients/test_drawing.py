"""The picture of a graph on the page of `explain_gradient`."""

import re
import xml.etree.ElementTree

import pytest

from tfgraphtools.gradients import explain_gradient

pytestmark = pytest.mark.quick


def _pictures(page):
    pictures = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    return [xml.etree.ElementTree.fromstring(svg) for svg in pictures]


def _boxes(picture):
    return [
        (box.get("class"), " ".join(line.text for line in box.iter("text")))
        for box in picture.iter("g")
    ]


def test_live_and_cut(tf, v1, graph):
    x = v1.placeholder(tf.float32, name="x")
    live = tf.multiply(x, 2.0, name="live")
    y = tf.add(live, tf.floor(x, name="cut"), name="y")
    (picture,) = _pictures(explain_gradient(y, x).to_html())
    boxes = dict(reversed(box) for box in _boxes(picture))
    kinds = {name.split()[-2]: kind for name, kind in boxes.items()}
    assert kinds == {"y": "end", "live": "live", "cut": "live", "x": "end"}
    assert sorted(path.get("class") for path in picture.iter("path")) == ["cut"] + 3 * ["live"]
    assert "Floor" in " ".join(text.text for text in picture.iter("text"))


def test_a_long_chain_is_one_box(tf, v1, graph):
    x = v1.placeholder(tf.float32, name="x")
    y = x
    for _ in range(30):
        y = tf.tanh(y)
    (picture,) = _pictures(explain_gradient(tf.identity(y, name="y"), x).to_html())
    assert [words for _, words in _boxes(picture)] == [
        "y: y Identity",
        "30 ops Tanh",
        "x: x Placeholder",
    ]
    assert len(list(picture.iter("path"))) == 2


def test_a_wide_graph_is_cut_off(tf, v1, graph):
    x = v1.placeholder(tf.float32, name="x")
    y = tf.add_n([tf.tanh(x) for _ in range(100)], name="y")
    page = explain_gradient(y, x).to_html()
    (picture,) = _pictures(page)
    assert len(_boxes(picture)) == 60 and "more tensors are not drawn" in page


def test_nothing_to_draw(tf, v1, graph):
    x = v1.placeholder(tf.float32, name="x")
    assert _pictures(explain_gradient(tf.constant(1.0), x).to_html()) == []
