"""Workers, servers and the chief are stopped and killed at random moments.

``TFGRAPHTOOLS_CLUSTER_KILLS=50`` stops and kills that often; the suite does it a few times.
"""

import json
import os
import random

import killed_job
import numpy as np
import pytest
from stalled_job import MASKS

import training_cluster
from training_cases import same_bits

TIMES = int(os.environ.get("TFGRAPHTOOLS_CLUSTER_KILLS", 2))

pytestmark = pytest.mark.slow


def supervised(folder, server, events, counts):
    """What the supervisor saw; ports that are taken meanwhile are a reason to try again."""
    ports = training_cluster._free_ports(4)
    job = {"ports": ports, "out": str(folder), "seed": 0, "events": events, "counts": counts}
    job["pause"] = 0.15 if counts else 0.6  # seconds at most: before an event
    limit = 120 + 20 * len(events)
    script = killed_job.__file__
    environment = training_cluster.LACKED
    done = server.run(folder, script, json.dumps(job), seconds=limit, environment=environment)
    for log in folder.glob("*.log"):
        print(log.name, log.read_text()[-1500:])
    return json.loads(done.checked().splitlines()[-1])


def drawn(hows, roles, times, seed=0):
    """Each of ``hows`` that often, in random order, of random roles; every role in turn first."""
    order = random.Random(seed)
    events = [[how, roles[n % len(roles)]] for how in hows for n in range(times)]
    order.shuffle(events)
    return events


def test_the_others_go_on_and_no_step_is_lost(tmp_path, this_server):
    """Each worker trains its own columns: its steps and no others, whatever becomes of the other.

    A step that was under way as its worker was killed is in the values or not.
    """
    events = drawn(["stop"], ["worker", "chief", "ps0", "ps1"], TIMES)
    events += drawn(["kill"], ["worker", "chief"], TIMES)
    result = supervised(tmp_path, this_server, events, counts=True)
    print(result)
    assert result["late"] == []
    for value in json.loads((tmp_path / "values.json").read_text()):
        for role, mask in zip(killed_job.WORKERS, MASKS):
            steps = -np.array(value)[~mask]
            taken = result["taken"][role] - 1 - result["kills"][role]  # less the starts
            assert steps.min() >= taken and steps.max() <= taken + result["kills"][role]


def test_all_go_on_when_a_server_is_back(tmp_path, this_server):
    events = drawn(["kill"], ["ps0", "ps1"], max(1, TIMES // 2))
    assert supervised(tmp_path, this_server, events, counts=True)["late"] == []


def test_a_restart_is_as_one_process(tmp_path, this_server, graph, tf, v1):
    """The chief or a server is killed, all restore the last checkpoint: the same bits."""
    events = drawn(["kill"], ["chief", "ps0", "ps1"], TIMES)
    supervised(tmp_path, this_server, events, counts=False)
    with np.load(str(tmp_path / "values.npz")) as saved:
        values = dict(saved)
    model = killed_job.Trained(tf)
    with v1.Session() as run:
        for op in model.initialize:
            run.run(op)
        for number in range(int(values["runs"])):
            model.take_step(run, number)
        expected = run.run(model.state)
    assert sorted(expected) == sorted(values) and len(values) > 15
    for name, value in expected.items():
        assert same_bits(values[name], value), name
