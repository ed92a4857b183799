"""``G.node[n]`` where the code makes G: rewritten, and run with the networkx that is installed."""

import pytest

pytest.importorskip("networkx")

HEAD = "import networkx as nx\nimport tensorflow as tf\nx = tf.placeholder\n"
#: (id, code, what it is rewritten to where it is; None where ``.node`` is listed and stays)
CASES = [
    ("an-item", "g = nx.Graph()\ng.add_node(1, a=2)\nr = g.node[1]['a']", "g.nodes[1]['a']"),
    (
        "an-item-of-an-item",
        "g = nx.path_graph(2)\ng.node[1]['a'] = 2\nr = 2",
        "g.nodes[1]['a'] = 2",
    ),
    ("read-and-made-again", "g = nx.Graph()\ng = nx.path_graph(2)\nr = g.node[0]", "g.nodes[0]"),
    (
        "in-a-function",
        "def f():\n    g = nx.Graph()\n    g.add_node(1, a=2)\n    return g.node[1]['a']\nr = f()",
        "return g.nodes[1]['a']",
    ),
    ("stored", "g = nx.path_graph(2)\ng.node[1] = {}", None),
    ("a-parameter", "def f(g):\n    return g.node[1]", None),
    ("rebound", "g = nx.Graph()\ng = load(g)\nr = g.node[1]", None),
    ("a-loop-s", "g = nx.Graph()\nfor g in many:\n    r = g.node[1]", None),
    ("global", "g = nx.Graph()\ndef f():\n    global g\n    g = Tree()\nf()\nr = g.node[1]", None),
    ("of-others", "g = Tree()\nr = g.node[1]", None),
]


@pytest.mark.parametrize("code, new", [pytest.param(*row[1:], id=row[0]) for row in CASES])
def test_items_of_node(upgraded, code, new):
    text = upgraded(HEAD + code + "\n")
    left = [finding.fix for _, finding in upgraded.report.unresolved()]
    if new is None:
        assert ".node[1]" in text and left == ["networkx.graph_attributes"]
        return
    assert new in text and left == []
    scope = {}
    exec(text.partition("x = tf")[2].partition("\n")[2], {"nx": __import__("networkx")}, scope)
    assert scope["r"] in (2, {})
