"""No step is lost: two step at once, and each element moved by the number of its steps.

``TFGRAPHTOOLS_COUNTS=all`` runs every wrapper, pair and a draw of triples in every place, a number
that many chains in each; the suite runs some. Each cell has dense and looked-up tables, whole and
in parts, under the graph optimizer as it is by default, and without it.
"""

import os
import random
import threading

import counted_steps
import pytest
from counted_steps import MASKS, PAIRS, RUNS, SINGLE, TRIPLES, Counted, expected_steps

import training_cluster
from tfgraphtools import errors

SYNCHRONOUS = 8  # steps
DEFAULT = [("freeze",), ("lookahead", "freeze"), ("freeze", "accumulation-of-2")]


def chains(*default, seed=0, drawn=3):
    """The chains of a test: a few by default, some more as slow ones, or all."""
    every = [*SINGLE, *PAIRS, *TRIPLES]
    wanted = os.environ.get("TFGRAPHTOOLS_COUNTS", drawn)
    if wanted != "all":
        every = random.Random(seed).sample(every, int(wanted))
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
    """The `Counted` of a chain; skips one that is to be refused by name, and is."""
    is_refused = {"partition", "loss-scale"} <= set(names)
    is_refused = is_refused and names.index("partition") < names.index("loss-scale")
    is_refused = is_refused or ("replicas" in how and "loss-scale" in names)
    if "around" in how:
        is_refused = is_refused or bool({"skip", "loss-scale", "accumulation-of-2"} & set(names))
    if not is_refused:
        return Counted(tf, training, names, **how)
    with pytest.raises(errors.OptimizerKindError) as refusal:
        Counted(tf, training, names, **how)
    pytest.skip(f"refused: {refusal.value}")


@chains(*DEFAULT)
def test_threads_of_one_session(names, variables, graph, v1, tf, training):
    model = built(tf, training, names)
    for config in grapplers(v1):
        with v1.Session(config=config) as run:
            model.initialize(run)
            counted_steps.at_once(
                *[lambda w=worker: model.take_steps(run, w) for worker in (0, 1, 0, 1)]
            )
            wrong = model.wrong(run, expected_steps(names, 2 * RUNS), 4 * RUNS)
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
        wrong = model.wrong(runs[0], expected_steps(names, RUNS), 2 * RUNS)
        for run in runs:
            run.close()
        v1.Session.reset(targets[0])
        assert wrong == {}


@chains(("lookahead", "freeze"), seed=2)
def test_synchronous_workers(names, variables, graph, v1, tf, training, cluster):
    """Each step has one gradient of each worker, both of one unit: so is their mean."""
    addresses, targets = cluster
    rows, synchronous = range(100, 800), []

    def around(optimizer):
        synchronous.append(v1.train.SyncReplicasOptimizer(optimizer, replicas_to_aggregate=2))
        return synchronous[0]

    with v1.device(v1.train.replica_device_setter(cluster=addresses)):
        model = built(tf, training, names, around=around, mask=MASKS[0])
    begin, runner = synchronous[0].local_step_init_op, synchronous[0].get_chief_queue_runner()
    seen = [["/job:ps", f"/job:worker/task:{worker}"] for worker in range(2)]
    configs = [v1.ConfigProto(device_filters=devices) for devices in seen]
    runs = [v1.Session(target, config=config) for target, config in zip(targets, configs)]
    model.initialize(runs[0])
    for run in runs:
        run.run(begin)
    runner.create_threads(runs[0], coord=v1.train.Coordinator(), daemon=True, start=True)
    meet = threading.Barrier(2)

    def work(run):
        for _ in range(SYNCHRONOUS):
            run.run(model.step, {model.rows: rows})
            meet.wait(60)  # else a fast one could give both gradients of a step

    counted_steps.at_once(*[lambda run=run: work(run) for run in runs])
    steps = expected_steps(names, SYNCHRONOUS, MASKS[:1], [rows])
    wrong = model.wrong(runs[0], steps, SYNCHRONOUS)
    for run in runs:
        run.close()
    v1.Session.reset(targets[0])
    assert wrong == {}


@chains(*DEFAULT, seed=3)
def test_threads_of_mirrored_replicas(names, variables, graph, v1, tf, training):
    """In every copy. Each step feeds one mask, and each replica has half of the gradient."""
    strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
    run_in = strategy.run if hasattr(strategy, "run") else strategy.experimental_run_v2
    with strategy.scope():
        model = built(
            tf,
            training,
            names,
            replicas=2,
            in_replicas=lambda build: strategy.group(run_in(build)),
        )
    for config in grapplers(v1, device_count={"CPU": 2}):
        with v1.Session(config=config) as run:
            model.initialize(run)
            counted_steps.at_once(
                *[lambda w=worker: model.take_steps(run, w) for worker in (0, 1, 0, 1)]
            )
            wrong = model.wrong(run, expected_steps(names, 2 * RUNS), 4 * RUNS)
        assert wrong == {}
