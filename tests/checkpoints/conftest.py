"""Checkpoints that a real TensorFlow wrote: the one at hand, and TF 1.15."""

import os
import sys
import time

import layer_table
import pytest
from checkpoint_files import ROOT, copy_checkpoint, make_checkpoints


def _shared_folder(tmp_path_factory, name):
    """A folder that the workers of one test run share."""
    base = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        base = base.parent
    return base / name


def _make_once(folder, server, *words):
    """Runs the script once for all workers: the first makes the folder, the others wait."""
    done = folder / "done"
    try:
        folder.mkdir()
    except FileExistsError:
        deadline = time.time() + 120
        while not done.exists():
            assert time.time() < deadline, "another worker did not write the checkpoints"
            time.sleep(0.05)
        return folder
    script = str(ROOT / "scripts" / "generate" / "make_checkpoints.py")
    server.run(folder, script, folder, *words).checked()
    done.write_text("")
    return folder


@pytest.fixture(scope="session")
def this_tf(tmp_path_factory, this_server):
    """The folder of checkpoints written by the TensorFlow of this interpreter."""
    return _make_once(_shared_folder(tmp_path_factory, "this_tf"), this_server)


@pytest.fixture(scope="session", params=["this-tf", "tf-1.15"])
def written_folder(request, tmp_path_factory):
    """The folder of checkpoints, once per TensorFlow that wrote them."""
    if request.param == "this-tf":
        return request.getfixturevalue("this_tf")
    python = request.getfixturevalue("tf1_python")
    if os.path.realpath(os.path.dirname(python)) == os.path.realpath(
        os.path.dirname(sys.executable)
    ):
        pytest.skip("this interpreter is the one with TF 1.15")
    server = request.getfixturevalue("tf1_server")
    return _make_once(_shared_folder(tmp_path_factory, "tf1"), server)


@pytest.fixture
def prefix_of(written_folder):
    """case -> prefix of the checkpoint that TensorFlow wrote."""
    return lambda case: str(written_folder / make_checkpoints.CASES[case])


@pytest.fixture
def model(this_tf, tmp_path):
    """The prefix of a copy of the plain V2 checkpoint, to be damaged at will."""
    return copy_checkpoint(this_tf / make_checkpoints.CASES["v2"], tmp_path / "model.ckpt")


@pytest.fixture(scope="session")
def tf1_layers(tmp_path_factory, tf1_server):
    """The folder of a model of TF 1.15 for each layer: see `layer_table`."""
    folder = tmp_path_factory.mktemp("tf1_layers")
    tf1_server.run(folder, layer_table.MAKER, folder).checked()
    return folder
