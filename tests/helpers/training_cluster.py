"""One parameter server and two workers: real processes with `tf.train.Server` on loopback."""

import contextlib
import json
import pathlib
import socket

SCRIPT = pathlib.Path(__file__).with_name("training_cluster_job.py")
ROLES = [("ps", 0), ("worker", 0), ("worker", 1)]
LACKED = dict.fromkeys(["http_proxy", "grpc_proxy", "https_proxy", "TF_CONFIG"])
LIMIT = 150  # seconds; a cluster takes about ten
PORT_TAKEN = 75  # the exit status of a process whose port another one took meanwhile


def run(mode, folder, server):
    """Runs the job of `training_cluster_job.py` on a cluster of its own.

    Args:
      mode: "sync" or "async".
      folder: where the processes write their results and logs.
      server: the `forks.Server` that they are forked from.
    """
    jobs = [{"mode": mode, "role": role, "index": index} for role, index in ROLES]
    assert launched(SCRIPT, jobs, folder, server) == [None, 0, 0]


def launched(script, jobs, folder, server):
    """The exit statuses of the script's jobs, which got their ports; their logs are printed."""
    for _ in range(3):
        ports = _free_ports(len(jobs))
        jobs = [
            dict(job, ports=ports, out=str(folder), log=str(folder / f"{number}.log"))
            for number, job in enumerate(jobs)
        ]
        printed = server.run(folder, script, json.dumps(jobs), LIMIT, environment=LACKED).checked()
        statuses = json.loads(printed)
        if PORT_TAKEN not in statuses:
            break
    print("\n".join(open(job["log"]).read()[-3000:] for job in jobs))
    return statuses


def _free_ports(number):
    """Ports that were free a moment ago, all different."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(number)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
