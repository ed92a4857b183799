"""Attributes that networkx, matplotlib and pandas removed: the installed library is the oracle."""

import pytest

pytest.importorskip("networkx")
pytest.importorskip("matplotlib")
pytest.importorskip("pandas")

HEAD = (
    "import io\nimport networkx as nx\nimport matplotlib\n\nmatplotlib.use('Agg')\n"
    "import matplotlib.pyplot as plt\nimport pandas as pd\nimport tensorflow.compat.v1 as tf\n\n"
    "tf.disable_v2_behavior()\nG = nx.path_graph(3)\nfigure, axes = plt.subplots()\n"
    "contours = axes.contour([[1, 2], [3, 4]])\nfigure.canvas.draw()\n"
    "people = pd.read_csv(io.StringIO('a,b\\n1,2\\n3,4\\n'))\n"
)

#: A statement -> the row of what is left of it, which plain Python refuses; None where it runs.
CASES = {
    "G.nodes[0], nx.add_path(G, [1, 2]), G.nodes(), axes.collections": None,
    "H = G if G else None; H.node[0]": "networkx.graph_attributes",
    "list(G.edges_iter())": "networkx.graph_attributes",
    "G.add_path([1, 2])": "networkx.graph_attributes",
    "figure.canvas.tostring_rgb()": "matplotlib.attributes",
    "contours.collections": "matplotlib.attributes",
    "axes.contourf([[1, 2], [3, 4]]).collections": "matplotlib.attributes",
    "people.iloc[0]['a'], people.iloc[0, 1], people['a'][0], people.iloc[0:1]": None,
    "people.iloc[0][1]": "pandas.position_in_series",
    "people.iloc[-1][-1]": "pandas.position_in_series",
    "[row[0] for _, row in people.iterrows()]": "pandas.position_in_series",
    "[row[1] for row in people.itertuples()]": None,
    "pd.read_csv(io.StringIO('1,2\\n'), header=None).iloc[0][0]": None,
}


@pytest.mark.parametrize("case", CASES)
def test_left(case, upgraded):
    new = upgraded(HEAD + case + "\n")
    rows = [finding.fix for _, finding in upgraded.report.unresolved()]
    assert rows == ([CASES[case]] if CASES[case] else [])
    try:
        exec(new.replace("tf.disable_v2_behavior()", ""), {})  # it is for the whole process
    except (AttributeError, KeyError):
        assert CASES[case]
    else:
        assert CASES[case] is None
