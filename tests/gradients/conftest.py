"""What the tests of gradients share: one call that builds nothing and returns numbers."""

import pytest


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: only with --all, or named with ::")


@pytest.fixture
def gradients(tf):
    from tfgraphtools import gradients

    return gradients


@pytest.fixture
def evaluate(graph, v1):
    """``evaluate(tensors, feed_dict)``: their values in a session of their own."""

    def values(fetches, feed_dict=None):
        with graph.as_default():
            initialize = v1.global_variables_initializer()
        with v1.Session(graph=graph) as session:
            session.run(initialize)
            return session.run(fetches, feed_dict)

    return values


@pytest.fixture
def gradient_at(graph, v1, evaluate):
    """``gradient_at(y, x)``: the value of dy/dx, or None."""

    def value(y, x, feed_dict=None):
        with graph.as_default():
            gradient = v1.gradients(y, x)[0]
        return None if gradient is None else evaluate(gradient, feed_dict)

    return value
