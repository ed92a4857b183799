"""A training that is preempted, killed and moved to other servers: the bits of one that was not.

``TFGRAPHTOOLS_WHOLE=1`` preempts it ten times, and kills it ten times; the suite a few times.
"""

import json
import os

import preempted_job
import pytest

import training_cluster
from training_cases import same_bits

TIMES = 10 if os.environ.get("TFGRAPHTOOLS_WHOLE") else 2
RUNS_OF_A_LIFE = 12  # at most, before the signal comes

pytestmark = pytest.mark.slow

#: {id: the number of servers of each life, in turn}
PLACES = {"one-process": [0], "servers": [1, 2, 3], "moved": [0, 2, 1]}


def lives(tmp_path, server, places, how):
    """The statuses of the lives that ended so, and the checkpoint of one more that ends well."""
    kinds = [(places[life % len(places)], how) for life in range(TIMES)]
    kinds.append((places[TIMES % len(places)], "end"))
    job = {"ports": training_cluster._free_ports(4), "out": str(tmp_path / "model"), "seed": 0}
    job.update(lives=kinds, last=(TIMES + 1) * RUNS_OF_A_LIFE)
    done = server.run(
        tmp_path,
        preempted_job.__file__,
        json.dumps(job),
        seconds=120 + 60 * TIMES,
        environment=training_cluster.LACKED,
    )
    for log in (tmp_path / "model").glob("*.log"):
        print(log.name, log.read_text()[-1500:])
    return json.loads(done.checked().splitlines()[-1]), job["last"]


@pytest.mark.parametrize("how", ["term", "kill"])
@pytest.mark.parametrize("places", PLACES)
def test_bits(places, how, tmp_path, this_server, graph, tf, v1):
    statuses, runs = lives(tmp_path, this_server, PLACES[places], how)
    assert statuses == [0 if how == "term" else 9] * TIMES + [0]
    path = v1.train.latest_checkpoint(str(tmp_path / "model"))
    saved = int(v1.train.load_variable(path, "runs"))  # a saver counts steps, of three runs each
    assert runs - 6 <= saved <= runs
    model = preempted_job.Stacked(tf)
    with v1.Session() as run:
        run.run(v1.global_variables_initializer())
        for number in range(saved):
            run.run(model.step, model.feed(number))
        expected = run.run(model.state)
    assert len(expected) > 30
    assert expected["LossScale/skipped"] > 0 and (expected["w"] != expected["w_too"]).any()
    for name, value in expected.items():
        assert same_bits(v1.train.load_variable(path, name), value), name
