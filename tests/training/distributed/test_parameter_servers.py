"""A parameter server and two workers, in processes of their own: groups, rates and masks."""

import numpy as np
import pytest

import training_cluster
import training_cluster_job as job
from tfgraphtools.errors import ArgumentError, OptimizerKindError
from training_cases import same_bits


@pytest.fixture(scope="module")
def values(request, tmp_path_factory, this_server):
    """{name: value} on the server at the end."""
    folder = tmp_path_factory.mktemp(request.param)
    training_cluster.run(request.param, folder, this_server)
    for worker in range(2):
        with np.load(str(folder / f"seen{worker}.npz")) as seen:
            for name, moved in seen.items():
                assert len(moved) == job.STEPS[request.param] and not moved.any(), name
    with np.load(str(folder / "values.npz")) as saved:
        return dict(saved)


def updates(way):
    """How often each element was trained, by both workers together."""
    trained = [np.broadcast_to(~mask, job.SHAPE).astype(int) for mask in job.MASKS[way]]
    return sum(trained) * job.STEPS["async"]


@pytest.mark.parametrize("values", ["async"], indirect=True)
def test_asynchronous_workers_lose_no_update(values):
    """Each worker with its own masks: every element went as often as it was trained, exactly."""
    for kind in job.KINDS:
        for way in job.MASKS:
            value, start = values[f"{kind}/{way}"], job.START
            if way == "touched_rows":
                check_momentum(value, values[f"{kind}/{way}/Momentum"], updates(way))
                continue
            rate = job.RATE * (0.5 if way == "rows" else 1)
            wanted = (start - rate * updates(way)).astype(np.float32)
            assert same_bits(value, wanted), f"{kind}/{way}"
    assert values["global_step"] == 2 * job.STEPS["async"]


def check_momentum(value, slot, counts):
    """As one process does it with the rows that had gradients, and no step for the others."""
    counts = np.where(np.isin(np.arange(len(counts)), job.TOUCHED)[:, None], counts, 0)
    wanted, moment = job.START.copy(), np.zeros(job.SHAPE, np.float32)
    for number in range(counts.max()):
        now = counts > number
        moment[now] = np.float32(0.5) * moment[now] + np.float32(1)
        wanted[now] -= np.float32(job.RATE) * moment[now]
    assert same_bits(value, wanted) and same_bits(slot, moment)


@pytest.mark.parametrize("values", ["sync"], indirect=True)
def test_synchronous_workers_are_as_one_process(values, graph, v1, tf, training, session):
    v1.disable_resource_variables()
    model = job.Model(tf, training, "sync")
    x = [v1.placeholder(tf.float32, job.SHAPE) for _ in range(2)]
    towers = [model.gradients_of_loss(tf, batch) for batch in x]
    pairs = [
        (mean(tf, of_workers), v) for of_workers, v in zip(zip(*towers), model.variables.values())
    ]
    step = model.optimizer.apply_gradients(pairs, global_step=model.global_step)
    run = session()
    for number in range(job.STEPS["sync"]):
        run.run(step, {batch: job.batch(number, worker) for worker, batch in enumerate(x)})
    wanted = run.run(model.state())
    assert sorted(wanted) == sorted(values)
    for name in wanted:
        assert same_bits(values[name], wanted[name]), name
    for kind in job.KINDS:
        for way in job.MASKS:
            frozen = np.broadcast_to(job.MASKS[way][0], job.SHAPE) & (way != "whole")
            value = values[f"{kind}/{way}"]
            assert same_bits(value[frozen], job.START[frozen])
            assert not same_bits(value, job.START)


def mean(tf, grads):
    """What the accumulators of SyncReplicasOptimizer make of two gradients."""
    if isinstance(grads[0], tf.IndexedSlices):
        return tf.IndexedSlices(
            (grads[0].values + grads[1].values) / 2, grads[0].indices, grads[0].dense_shape
        )
    return (grads[0] + grads[1]) / 2


def accumulated(tf, v1, sparse):
    """A gradient as SyncReplicasOptimizer hands it on."""
    if not sparse:
        return v1.ConditionalAccumulator(tf.float32, [4, 1]).take_grad(1)
    return v1.SparseConditionalAccumulator(tf.float32, [4, 1]).take_indexed_slices_grad(1)


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
@pytest.mark.parametrize("kind", ["mask", "multiplier"])
def test_a_synchronous_step_cannot_be_fed(kind, sparse, variables, graph, tf, v1, training):
    w = v1.get_variable("w", [4, 1])
    fed = v1.placeholder(tf.float32, [])
    if kind == "mask":
        optimizer = training.FreezeOptimizer(v1.train.AdamOptimizer(), {"w": fed > 0})
    else:
        optimizer = training.LRMultiplierOptimizer(v1.train.AdamOptimizer(), {"w": fed * 2})
    with pytest.raises(ArgumentError, match=f"{kind} of 'w'.*'Placeholder'.*load"):
        optimizer.apply_gradients([(accumulated(tf, v1, sparse), w)])


@pytest.mark.parametrize("kind", ["FreezeOptimizer", "LRMultiplierOptimizer", "Group"])
def test_a_sync_replicas_optimizer_belongs_around(kind, v1, training):
    sync = v1.train.SyncReplicasOptimizer(v1.train.AdamOptimizer(), replicas_to_aggregate=2)
    build = {
        "FreezeOptimizer": lambda: training.FreezeOptimizer(sync, {"w": True}),
        "LRMultiplierOptimizer": lambda: training.LRMultiplierOptimizer(sync, {"w": 0.5}),
        "Group": lambda: training.Group("all", ".*", sync),
    }[kind]
    with pytest.raises(OptimizerKindError, match=kind + ".*around the whole"):
        build()


WINDOWS = {  # id: (the FreezeOptimizer's arguments, is the gradient sparse, is there a warning?)
    "beside": ({}, False, False),
    "touched-rows": ({}, True, True),
    "reset": ({"slots": "reset"}, False, True),
    "element-clock": ({"clock": "element"}, False, True),
}


@pytest.fixture
def warnings(v1, training, monkeypatch):
    """The lines of TensorFlow's log, as they come."""
    from tfgraphtools.training import freeze

    lines = []
    logging = freeze.v1.logging  # of the module that warns, whoever imported TensorFlow first
    monkeypatch.setattr(logging, "warning", lambda line, *parts: lines.append(line % parts))
    return lines


@pytest.mark.parametrize("sync", [False, True], ids=["async", "sync"])
@pytest.mark.parametrize("case", WINDOWS)
def test_who_may_see_frozen_elements_move_is_named(
    case, sync, variables, graph, tf, v1, training, warnings
):
    options, sparse, warned = WINDOWS[case]
    with v1.device("/job:ps/task:0"):
        w = v1.get_variable("net/w", [4, 1])
    grad = accumulated(tf, v1, sparse) if sync else tf.ones([4, 1])
    if sparse and not sync:
        grad = tf.IndexedSlices(tf.ones([1, 1]), tf.constant([2]), tf.constant([4, 1]))
    inner = v1.train.MomentumOptimizer(0.1, 0.9) if sparse else v1.train.AdamOptimizer()
    mask = [[True], [False], [False], [True]]
    training.FreezeOptimizer(inner, {"net/w": mask}, **options).apply_gradients([(grad, w)])
    assert len([op for op in graph.get_operations() if op.type == "MutexLock"]) == 1
    messages = [line for line in warnings if "'net/w' is on /job:ps/task:0" in line]
    assert len(messages) == (warned and not sync)


@pytest.mark.parametrize("place", ["/job:ps/task:0", None], ids=["server", "process"])
@pytest.mark.parametrize("threads", ["several", "one"])
def test_one_thread_gives_the_lock_up(threads, place, graph, tf, v1, training, warnings):
    """By choice, on servers too, where a warning says what it costs."""
    with v1.device(place):
        w = v1.get_variable("net/w", [4, 1])
    mask = np.array([[True], [False], [False], [True]])
    optimizer = training.FreezeOptimizer(v1.train.AdamOptimizer(), {"net/w": mask}, threads=threads)
    optimizer.apply_gradients([(tf.ones([4, 1]), w)])
    locks = [op for op in graph.get_operations() if op.type == "MutexLock"]
    assert len(locks) == (threads == "several")
    messages = [line for line in warnings if "threads='one' takes no lock for 'net/w'" in line]
    assert len(messages) == (threads == "one" and place is not None)


def test_describe_names_servers_and_locks(graph, tf, v1, training):
    with v1.device(v1.train.replica_device_setter(ps_tasks=2)):
        a, b, c = (v1.get_variable(name, [4]) for name in "abc")
        frozen = {"a|c": np.arange(4) < 2}
        optimizer = training.FreezeOptimizer(v1.train.AdamOptimizer(), frozen)
        optimizer.apply_gradients([(tf.ones([4]), variable) for variable in (a, b, c)])
    heads, _, *rows = [line.split() for line in optimizer.describe().splitlines()]
    assert heads[-2:] == ["place", "lock"]
    assert [[row[0], *row[-2:]] for row in rows] == [
        ["a", "/job:ps/task:0", "/job:ps/task:0"],
        ["b", "/job:ps/task:1", "-"],
        ["c", "/job:ps/task:0", "/job:ps/task:0"],
    ]
