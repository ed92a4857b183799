"""Horovod's contract with two real processes, which average gradients over `tf.train.Server`.

``TFGRAPHTOOLS_HOROVOD=folder`` names an environment with Horovod, for a run with Horovod itself.
"""

import os
import subprocess

import horovod_job
import numpy as np
import pytest

import forks
import training_cluster
from training_cases import same_bits

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def processes(tmp_path_factory, this_server):
    """What each of the processes has after its steps: two mappings."""
    folder = tmp_path_factory.mktemp("horovod")
    jobs = [{"rank": rank} for rank in range(horovod_job.PROCESSES)]
    statuses = training_cluster.launched(horovod_job.__file__, jobs, folder, this_server)
    assert statuses == [0] * horovod_job.PROCESSES
    return [np.load(str(folder / f"{rank}.npz")) for rank in range(horovod_job.PROCESSES)]


@pytest.mark.parametrize("order", horovod_job.ORDERS)
def test_as_one_process(order, processes, variables, tf, training):
    resource = variables == "resource"
    expected = horovod_job.single(tf, training, order, resource)
    for process in processes:
        for name, value in expected.items():
            assert same_bits(process[f"{order}|{resource}|{name}"], value), name
        assert np.array_equal(
            process[f"{order}|{resource}|w"] == horovod_job.START, horovod_job.MASK
        )


@pytest.mark.skipif("TFGRAPHTOOLS_HOROVOD" not in os.environ, reason="names no Horovod")
def test_horovod_itself(tmp_path):
    """Every order of wrappers, over gloo: as one process with the mean of the gradients."""
    binaries = os.path.join(os.environ["TFGRAPHTOOLS_HOROVOD"], "bin")
    command = [os.path.join(binaries, "python"), os.path.join(binaries, "horovodrun"), "--gloo"]
    command += ["-np", "2", "-H", "localhost:2", os.path.join(binaries, "python")]
    command += [horovod_job.__file__, "--horovod", str(tmp_path)]
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
    environment["PYTHONPATH"] = str(forks.ROOT)
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, timeout=training_cluster.LIMIT
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    for rank in range(horovod_job.PROCESSES):
        arrays = np.load(str(tmp_path / f"{rank}.npz"))
        names = [name for name in arrays.files if not name.startswith("expected|")]
        assert len(names) > 50
        for name in names:
            assert same_bits(arrays[name], arrays[f"expected|{name}"]), name
