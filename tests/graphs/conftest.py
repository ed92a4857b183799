"""The graphs of TF 1.15 for tests in eager execution."""

import pathlib

import numpy as np
import pytest


@pytest.fixture
def eager(tf):
    """Eager execution for the test alone, whatever others of this process have switched off."""
    if tf.__version__.startswith("1."):
        pytest.skip("eager objects are TF 2's")
    from tensorflow.python.eager import context

    with context.eager_mode():
        yield


@pytest.fixture(scope="session")
def tf1_graphs(tmp_path_factory, tf1_server):
    """The folder in which TF 1.15 has left its graphs: one process for all of them."""
    folder = tmp_path_factory.mktemp("tf1_graphs")
    script = pathlib.Path(__file__).parent / "tf1_graphs.py"
    tf1_server.run(folder, script, folder, seconds=240).checked()
    return folder


@pytest.fixture
def saved_graph(tf1_graphs):
    """``saved_graph(name)``: (the path of its .meta, what TF 1.15 computes)."""

    def paths(name):
        return str(tf1_graphs / name / "model.meta"), np.load(str(tf1_graphs / (name + ".npz")))

    return paths
