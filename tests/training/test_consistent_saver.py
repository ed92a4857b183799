"""A `ConsistentSaver` reads every variable under the lock, whatever the Saver makes of it."""

import numpy as np
import pytest
from stepping_threads import CHECKPOINTS, stepping

from training_cases import same_bits

SHAPE = (100, 40)
MASK = np.random.RandomState(0).rand(*SHAPE) < 0.5
#: {id: arguments of the scope of the variables}
VARIABLES = {
    "whole": lambda v1: {},
    "slices": lambda v1: {"partitioner": v1.fixed_size_partitioner(3)},
    "cached": lambda v1: {"caching_device": "/device:CPU:0"},
    "cached-slices": lambda v1: {
        "partitioner": v1.fixed_size_partitioner(3),
        "caching_device": "/device:CPU:0",
    },
}
SAVERS = {
    "plain": lambda t, v1: t.ConsistentSaver(),
    "sharded": lambda t, v1: t.ConsistentSaver(sharded=True),
    "by-names": lambda t, v1: t.ConsistentSaver({v.op.name: v for v in v1.global_variables()}),
    "first-format": lambda t, v1: t.ConsistentSaver(write_version=v1.train.SaverDef.V1),
}


def built(tf, v1, training, scope):
    """The step of an average around a freeze of two variables that are trained alike."""
    with v1.variable_scope("", **scope):
        twins = [v1.get_variable(name, SHAPE, initializer=v1.zeros_initializer()) for name in "ab"]
    optimizer = training.FreezeOptimizer(v1.train.AdamOptimizer(0.1), {"[ab].*": MASK})
    optimizer = training.ExponentialAverageOptimizer(optimizer, 0.5)
    parts = [part for v in twins for part in (v if scope.get("partitioner") else [v])]
    count = v1.train.get_or_create_global_step()
    return optimizer.apply_gradients([(tf.cos(p), p) for p in parts], global_step=count)


def reads(tensor):
    """Returns the ops before a tensor that read a variable."""
    waiting, seen = [tensor.op], set()
    while waiting:
        op = waiting.pop()
        if op not in seen:
            seen.add(op)
            waiting += [each.op for each in op.inputs] + op.control_inputs
    return [op for op in seen if op.type == "ReadVariableOp" or any(map(is_ref, op.inputs))]


def is_ref(tensor):
    return tensor.dtype._is_ref_dtype


@pytest.mark.parametrize("saver", sorted(SAVERS))
@pytest.mark.parametrize("kind", sorted(VARIABLES))
def test_every_read_is_locked(kind, saver, variables, graph, tf, v1, training):
    built(tf, v1, training, VARIABLES[kind](v1))
    saved = SAVERS[saver](training, v1).saver_def.save_tensor_name
    found = reads(graph.get_tensor_by_name(saved))
    assert len(found) >= len(v1.global_variables())
    free = [op.name for op in found if "MutexLock" not in [c.type for c in op.control_inputs]]
    assert free == []


@pytest.mark.slow(in_ci=1)
@pytest.mark.parametrize("saver", ["plain", "sharded"])
def test_slices_of_one_moment(saver, variables, graph, tf, v1, training, tmp_path):
    step = built(tf, v1, training, VARIABLES["slices"](v1))
    saver = SAVERS[saver](training, v1)
    initialize = v1.global_variables_initializer()
    with v1.Session() as session:
        session.run(initialize)
        with stepping(session, step):
            for number in range(CHECKPOINTS):
                path = saver.save(session, str(tmp_path / "m"), number, write_meta_graph=False)
                saved = v1.train.NewCheckpointReader(path)
                names = [name for name in saved.get_variable_to_shape_map() if name[0] == "a"]
                for name in names:
                    assert same_bits(saved.get_tensor(name), saved.get_tensor("b" + name[1:])), name
                assert not saved.get_tensor("a")[MASK].any()
    assert len(names) > 2
