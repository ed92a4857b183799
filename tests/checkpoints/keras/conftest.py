"""Keras models beside graph-mode tests, and the checkpoints and outputs of TF 1.15."""

import pathlib

import numpy as np
import pytest


@pytest.fixture
def eager():
    """Eager execution for the test alone, whatever others of this process have switched off."""
    pytest.importorskip("keras", "3", reason="Keras 3 needs TF 2.16 or newer")
    from tensorflow.python.eager import context

    with context.eager_mode():
        yield


@pytest.fixture(params=["keras", "tf_keras"])
def keras(request, eager):
    """Both Kerases, one after the other."""
    return pytest.importorskip(request.param)


@pytest.fixture
def keras3(eager):
    return pytest.importorskip("keras", "3")


@pytest.fixture(scope="session")
def tf1_folder(tmp_path_factory, tf1_server):
    """The folder in which TF 1.15 has left its checkpoints: one process for all of them."""
    folder = tmp_path_factory.mktemp("tf1_models")
    script = pathlib.Path(__file__).parent / "tf1_models.py"
    tf1_server.run(folder, script, folder).checked()
    return folder


@pytest.fixture(scope="session")
def tf1_outputs(tf1_folder):
    return np.load(str(tf1_folder / "outputs.npz"))
