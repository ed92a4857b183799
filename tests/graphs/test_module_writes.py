"""Writes to variables in a graph of TF 1, as a module: each read sees what a Session would see."""

import pytest

from tfgraphtools import graphs

pytestmark = pytest.mark.usefixtures("eager", "control_flow_of_v1")

RUNS = 3


@pytest.fixture
def control_flow_of_v1(tf):
    v1 = tf.compat.v1
    was_v2 = v1.control_flow_v2_enabled()
    v1.disable_control_flow_v2()
    yield
    if was_v2:
        v1.enable_control_flow_v2()


def after(tf, first, then):
    with tf.control_dependencies([first]):
        return then()


def in_branch(tf, v, then, otherwise=None):
    return tf.compat.v1.cond(v < 100.0, then, otherwise or (lambda: tf.identity(v)))


#: {what it does: (tf, v1, variable of value 4) -> the output}.
CASES = {
    "the write itself": lambda tf, v1, v: v1.assign_add(v, 1.0),
    "assign behind its old value": lambda tf, v1, v: after(tf, v + 0, lambda: v1.assign(v, v + 1)),
    "assign of the old value": lambda tf, v1, v: after(
        tf, tf.identity(v), lambda: v1.assign(v, tf.identity(v) + 1)
    ),
    "assign behind the variable": lambda tf, v1, v: after(tf, v.op, lambda: v1.assign_add(v, 1.0)),
    "value behind a write": lambda tf, v1, v: after(
        tf, v1.assign_add(v, 1.0), lambda: v.value() + 0
    ),
    "snapshot behind a write": lambda tf, v1, v: after(
        tf, v1.assign_add(v, 1.0), lambda: v * 2 + v
    ),
    "reference behind a write": lambda tf, v1, v: after(
        tf, v1.assign_add(v, 1.0), lambda: tf.raw_ops.Identity(input=v._ref())
    ),
    "writes of writes": lambda tf, v1, v: v1.assign_add(
        v1.assign_add(v1.assign_add(v, 1.0), 10.0), 100.0
    ),
    "two writes, then a read": lambda tf, v1, v: after(
        tf, v1.assign_add(v1.assign_add(v, 1.0), 10.0), lambda: v + 0
    ),
    "the first write's value behind the second": lambda tf, v1, v: (
        lambda first: after(tf, v1.assign_add(first, 10.0), lambda: first * 1)
    )(v1.assign_add(v, 1.0)),
    "a write in a branch": lambda tf, v1, v: in_branch(
        tf, v, lambda: tf.identity(v1.assign_add(v, 1.0))
    ),
    "a read in the branch of the write": lambda tf, v1, v: in_branch(
        tf, v, lambda: after(tf, v1.assign_add(v, 1.0), v.read_value)
    ),
    "a read behind a branch": lambda tf, v1, v: after(
        tf,
        in_branch(tf, v, lambda: after(tf, v1.assign_add(v, 1.0), lambda: tf.constant(1.0))),
        lambda: v + 0,
    ),
    "references of two branches": lambda tf, v1, v: in_branch(
        tf, v, lambda: v1.assign_add(v, 1.0), lambda: v1.assign_sub(v, 1.0)
    ),
    "a branch that is not taken": lambda tf, v1, v: after(
        tf,
        tf.compat.v1.cond(
            v > 5.5,
            lambda: tf.identity(v1.assign_sub(v, 2.0)),
            lambda: tf.identity(v1.assign_add(v, 1.0)),
        ),
        lambda: v + 0,
    ),
    "a group": lambda tf, v1, v: after(
        tf,
        v1.cond(v < 100.0, lambda: tf.group(v1.assign_add(v, 1.0)), tf.no_op),
        lambda: v + 0,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_as_in_a_session(case, tf, tmp_path):
    v1, prefix = tf.compat.v1, str(tmp_path / "model")
    with v1.Graph().as_default(), v1.Session() as session:
        variable = v1.get_variable("v", initializer=4.0, use_resource=False)
        output = tf.convert_to_tensor(CASES[case](tf, v1, variable))
        session.run(v1.global_variables_initializer())
        v1.train.Saver().save(session, prefix)
        expected = [session.run(output) for _ in range(RUNS)]
    module = graphs.as_module(prefix + ".meta", [], output.name)
    assert [module().numpy() for _ in range(RUNS)] == expected
