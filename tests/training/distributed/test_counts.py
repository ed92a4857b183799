"""No step is lost: two step at once, and each element moved by the number of its steps.

``TFGRAPHTOOLS_COUNTS=1`` runs every wrapper, pair and a draw of triples in every place; the suite
runs some of them. Each cell has dense and looked-up tables, whole and in parts, under the graph
optimizer as it is by default, and without it.
"""

import os
import random

import counted_steps
import pytest
from counted_steps import PAIRS, RUNS, SINGLE, TRIPLES, Counted

import training_cluster
from tfgraphtools import errors

DEFAULT = [("freeze",), ("lookahead", "freeze"), ("freeze", "accumulation-of-2")]


def chains(*default, seed=0, drawn=3):
    """The chains of a test: a few by default, some more as slow ones, or all."""
    every = [*SINGLE, *PAIRS, *TRIPLES]
    if "TFGRAPHTOOLS_COUNTS" not in os.environ:
        every = random.Random(seed).sample(every, drawn)
    slow = [names for names in every if names not in default]
    cases = [pytest.param(names, id="-".join(names)) for names in default]
    cases += [pytest.param(n, id="-".join(n), marks=pytest.mark.slow) for n in slow]
    return pytest.mark.parametrize("names", cases)


def grapplers(v1, **options):
    """A session's configuration with the graph optimizer as by default, and one without it."""
    off = v1.ConfigProto(**options)
    off.graph_options.rewrite_options.disable_meta_optimizer = True
    return [v1.ConfigProto(**options), off]


def built(tf, training, names, **how):
    """The `Counted` of a chain; skips one that is refused by name."""
    try:
        return Counted(tf, training, names, **how)
    except errors.TfgraphtoolsError as error:
        pytest.skip(f"refused: {error}")


@chains(*DEFAULT)
def test_threads_of_one_session(names, variables, graph, v1, tf, training):
    model = built(tf, training, names)
    for config in grapplers(v1):
        with v1.Session(config=config) as run:
            model.initialize(run)
            counted_steps.at_once(
                *[lambda w=worker: model.take_steps(run, w) for worker in (0, 1, 0, 1)]
            )
            wrong = model.differences(run, 2)
        assert wrong == {}


@pytest.fixture(scope="module")
def cluster(tf):
    """(addresses, the targets of two workers): with two parameter servers, in this process."""
    addresses = [f"127.0.0.1:{port}" for port in training_cluster._free_ports(4)]
    cluster = {"ps": addresses[:2], "worker": addresses[2:]}
    roles = [(job, index) for job in cluster for index in range(2)]
    servers = [tf.compat.v1.train.Server(cluster, *role) for role in roles]
    return cluster, [server.target for server in servers[2:]]


@chains(*DEFAULT[:1], seed=1)
def test_workers_of_servers(names, variables, graph, v1, tf, training, cluster):
    addresses, targets = cluster
    with v1.device(v1.train.replica_device_setter(cluster=addresses)):
        model = built(tf, training, names)
    seen = [["/job:ps", f"/job:worker/task:{worker}"] for worker in range(2)]
    for configs in zip(*[grapplers(v1, device_filters=devices) for devices in seen]):
        runs = [v1.Session(target, config=config) for target, config in zip(targets, configs)]
        model.initialize(runs[0])
        counted_steps.at_once(
            *[lambda w=w, run=run: model.take_steps(run, w) for w, run in enumerate(runs)]
        )
        wrong = model.differences(runs[0], 1)
        for run in runs:
            run.close()
        v1.Session.reset(targets[0])
        assert wrong == {}
