"""frozen_read: the value of a variable at one moment, trainable where it is not frozen."""

import numpy as np
import pytest

from tfgraphtools.errors import MaskError

pytestmark = pytest.mark.quick

MASK = np.array([True, False, False])


def test_value_and_gradient(variables, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=[1.0, 2.0, 3.0])
    read = training.frozen_read(w, MASK)
    gradient = v1.gradients(read * read, w)[0]
    run = session()
    assert run.run(read).tolist() == [1, 2, 3]
    assert run.run(gradient).tolist() == [0, 4, 6]


def test_a_fed_mask(variables, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=[1.0, 2.0, 3.0])
    mask = v1.placeholder(tf.bool, None)
    gradient = v1.gradients(training.frozen_read(w, mask), w)[0]
    run = session()
    for fed, wanted in [(MASK, [0, 1, 1]), (True, [0, 0, 0]), (False, [1, 1, 1])]:
        assert run.run(gradient, {mask: fed}).tolist() == wanted


def test_a_variable_of_unknown_shape(variables, graph, v1, tf, training, session):
    start = v1.placeholder_with_default([1.0, 2.0, 3.0], None)
    w = v1.get_variable("w", initializer=start, validate_shape=False)
    read = training.frozen_read(w, MASK)
    gradient = v1.gradients(read * read, w)[0]
    run = session()
    assert run.run(read).tolist() == [1, 2, 3]
    assert run.run(gradient).tolist() == [0, 4, 6]


def test_it_sees_the_assign_before_and_not_the_one_after(
    variables, graph, v1, tf, training, session
):
    size = 50000
    w = v1.get_variable("w", initializer=np.zeros(size, np.float32))
    first = v1.assign(w, np.full(size, 1.0, np.float32))
    with tf.control_dependencies([first]):
        read = training.frozen_read(w, np.arange(size) % 2 == 0)
    with tf.control_dependencies([read]):
        second = v1.assign(w, np.full(size, 2.0, np.float32))
    with tf.control_dependencies([second]):
        late = read + 0.0
    run = session()
    for _ in range(20):
        assert set(run.run(late)) == {1.0} and set(run.run(w)) == {2.0}


def test_only_the_free_elements_train(variables, graph, v1, tf, training, session):
    """x=[2,2]... of a matrix train only [0,0] and [1,1]."""
    x = v1.get_variable("x", initializer=np.full((2, 2), 2.0, np.float32))
    read = training.frozen_read(x, ~np.eye(2, dtype=bool))
    step = v1.train.GradientDescentOptimizer(0.25).minimize(tf.reduce_sum(read**2))
    run = session()
    run.run(step)
    assert run.run(x).tolist() == [[1, 2], [2, 1]]


def test_partitioned(variables, graph, v1, tf, training, session):
    with v1.variable_scope("net", partitioner=v1.fixed_size_partitioner(2)):
        table = v1.get_variable("table", [4], initializer=v1.ones_initializer())
    read = training.frozen_read(table, [True, False, False, True])
    gradients = v1.gradients(read, list(table))
    run = session()
    assert np.concatenate(run.run(gradients)).tolist() == [0, 1, 1, 0]


def test_the_gradient_survives_export(variables, graph, v1, tf, training):
    """The read carries no gradient function of ours, so any process can load the graph."""
    w = v1.get_variable("w", initializer=[1.0, 2.0, 3.0])
    read = training.frozen_read(w, MASK)
    meta_graph = v1.train.export_meta_graph(graph=graph)
    with v1.Graph().as_default() as loaded, v1.Session() as run:
        v1.train.import_meta_graph(meta_graph)
        run.run(v1.global_variables_initializer())
        again = loaded.get_tensor_by_name(read.name)
        gradient = v1.gradients(again, v1.global_variables()[0])[0]
        assert run.run(gradient).tolist() == [0, 1, 1]


def test_a_mask_that_is_not_bool(graph, v1, training):
    w = v1.get_variable("w", initializer=[1.0, 2.0, 3.0])
    with pytest.raises(MaskError, match="frozen_read: expected a bool mask.*float64"):
        training.frozen_read(w, [1.0, 0.0, 0.0])
