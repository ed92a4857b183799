"""Servers and workers: a stopped worker stops nobody, and what a lock is held for."""

import json
import pathlib

import numpy as np
import pytest
import stalled_job
from locked_chains import SINGLE
from step_order import Order, partitions

import training_cluster

SCRIPT = pathlib.Path(stalled_job.__file__)
ROLES = [("ps", 0), ("ps", 1), ("worker", 0), ("worker", 1)]


@pytest.fixture(scope="module")
def cluster(tf):
    """(addresses, the worker's target): two servers and a worker, all in this process."""
    ports = training_cluster._free_ports(3)
    addresses = {"ps": [f"127.0.0.1:{p}" for p in ports[:2]], "worker": [f"127.0.0.1:{ports[2]}"]}
    servers = [
        tf.compat.v1.train.Server(addresses, job, index)
        for job, index in (("ps", 0), ("ps", 1), ("worker", 0))
    ]
    return addresses, servers[-1].target


def chains(*default):
    slow = [pytest.param(name, marks=pytest.mark.slow) for name in SINGLE if name not in default]
    return pytest.mark.parametrize("chain", [*default, *slow])


@chains("freeze", "average-freeze", "accumulation-freeze", "freeze-lookahead")
def test_nothing_behind_a_lock_waits_for_a_worker(chain, variables, graph, tf, v1, cluster):
    """What a session really runs: on servers from the locks on, and what it needs is there."""
    addresses, target = cluster
    with v1.device(v1.train.replica_device_setter(cluster=addresses)):
        model = stalled_job.Model(tf, chain)
        initialize = v1.global_variables_initializer()
    feed = {model.mask: stalled_job.MASKS[0], model.rows: np.arange(6)}
    with v1.Session(target) as run:
        run.run(initialize)
        run.run(model.step, feed)
        order = Order(partitions(v1, run, model.step, feed))
    v1.Session.reset(target)
    assert len(order.locks) == len(order.unlocks) == 2
    touching = [name for name in order.nodes if order.touches_memory(name)]
    own = [name for name in touching if not name.startswith(("model/", "gradients/"))]
    assert [name for name in own if name not in order.inside] == []
    assert len(order.inside) > 20
    assert order.waits_for_another_machine("/job:ps") == []


@chains("freeze-average")
def test_a_stopped_worker_stops_nobody(chain, tmp_path, this_server):
    """And no step of either is lost."""
    statuses, result = run(tmp_path, this_server, chain=chain, stops=10, kills=False, seed=0)
    assert statuses[2:] == [0, 0] and result["late"] == 0
    counts = sum(steps * ~mask for steps, mask in zip(result["steps"], stalled_job.MASKS))
    for value in result["values"]:
        assert np.array_equal(value, -counts)


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2, 3))])
def test_a_killed_worker_holds_nothing(seed, tmp_path, this_server):
    """The other goes on at once, and loses no step of its own."""
    how = {"chain": "freeze-average", "stops": 1, "kills": True, "seed": seed}
    statuses, result = run(tmp_path, this_server, **how)
    assert statuses[2:] == [0, -9] and result["late"] == 0
    steps = result["steps"][0]
    for value in result["values"]:
        assert np.array_equal(np.array(value)[~stalled_job.MASKS[0]], [-steps] * 12)


def run(folder, server, **how):
    """The exit statuses of servers and workers, and what the first worker saw."""
    jobs = [dict(how, role=role, index=index) for role, index in ROLES]
    statuses = training_cluster.launched(SCRIPT, jobs, folder, server)
    return statuses, json.loads((folder / "result.json").read_text())
