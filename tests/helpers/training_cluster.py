"""One parameter server and two workers: real processes with `tf.train.Server` on loopback."""

import contextlib
import json
import os
import pathlib
import socket
import subprocess
import sys

SCRIPT = pathlib.Path(__file__).with_name("training_cluster_job.py")
ROOT = pathlib.Path(__file__).resolve().parents[2]
ROLES = [("ps", 0), ("worker", 0), ("worker", 1)]
LIMIT = 150  # seconds; a cluster takes about ten
PORT_TAKEN = 75  # the exit status of a process whose port another one took meanwhile


def run(mode, folder):
    """Runs the job of `training_cluster_job.py` on a cluster of its own.

    Args:
      mode: "sync" or "async".
      folder: where the processes write their results and logs.
    """
    for _ in range(3):
        statuses, logs = _run_once(mode, folder)
        if PORT_TAKEN not in statuses:
            break
    assert statuses == [None, 0, 0], f"{statuses}\n{logs}"


def _run_once(mode, folder):
    ports = _free_ports(len(ROLES))
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
    environment["PYTHONPATH"] = str(ROOT)
    for name in ("http_proxy", "grpc_proxy", "https_proxy", "TF_CONFIG"):
        environment.pop(name, None)
    logs = [folder / f"{role}{index}.log" for role, index in ROLES]
    jobs = [
        {"mode": mode, "role": role, "index": index, "ports": ports, "out": str(folder)}
        for role, index in ROLES
    ]
    for job, path in zip(jobs, logs):
        job["log"] = str(path)
    done = subprocess.run(
        [sys.executable, str(SCRIPT), json.dumps(jobs), str(LIMIT)],
        stdout=subprocess.PIPE,
        check=True,
        env=environment,
    )
    statuses = json.loads(done.stdout.decode())
    return statuses, "\n".join(f"{path.name}: {path.read_text()[-3000:]}" for path in logs)


def _free_ports(number):
    """Ports that were free a moment ago, all different."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(number)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
