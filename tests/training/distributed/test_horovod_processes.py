"""Horovod's contract with two real processes, which average gradients over `tf.train.Server`.

``TFGRAPHTOOLS_HOROVOD=folder`` names an environment with Horovod, for a run with Horovod itself.
"""

import json
import os
import subprocess
import sys

import horovod_job
import numpy as np
import pytest

import training_cluster
from training_cases import same_bits

LIMIT = 150  # seconds


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What each of the processes has after its steps: two mappings."""
    folder = tmp_path_factory.mktemp("horovod")
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
    environment["PYTHONPATH"] = str(training_cluster.ROOT)
    for name in ("http_proxy", "grpc_proxy", "https_proxy", "TF_CONFIG"):
        environment.pop(name, None)
    for _ in range(3):
        ports = training_cluster._free_ports(horovod_job.PROCESSES)
        processes = []
        for rank in range(horovod_job.PROCESSES):
            job = json.dumps({"rank": rank, "ports": ports, "out": str(folder)})
            command = [sys.executable, horovod_job.__file__, job]
            log = (folder / f"{rank}.log").open("wb")
            processes.append(subprocess.Popen(command, stdout=log, stderr=log, env=environment))
        try:
            statuses = [process.wait(LIMIT) for process in processes]
        finally:
            for process in processes:
                process.poll() is None and process.kill()
        if training_cluster.PORT_TAKEN not in statuses:
            break
    logs = "\n".join((folder / f"{r}.log").read_text()[-2000:] for r in range(2))
    assert statuses == [0, 0], f"{statuses}\n{logs}"
    return [np.load(str(folder / f"{rank}.npz")) for rank in range(horovod_job.PROCESSES)]


@pytest.mark.parametrize("order", horovod_job.ORDERS)
def test_as_one_process(order, found, variables, tf, training):
    resource = variables == "resource"
    expected = horovod_job.single(tf, training, order, resource)
    for process in found:
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
    environment["PYTHONPATH"] = str(training_cluster.ROOT)
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=LIMIT)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    for rank in range(horovod_job.PROCESSES):
        found = np.load(str(tmp_path / f"{rank}.npz"))
        names = [name for name in found.files if not name.startswith("expected|")]
        assert len(names) > 50
        for name in names:
            assert same_bits(found[name], found[f"expected|{name}"]), name
