"""What the tests of `training` share."""

import pytest


@pytest.fixture
def training(tf):
    from tfgraphtools import training

    return training


@pytest.fixture
def contrib(tf):
    if not tf.__version__.startswith("1."):
        pytest.skip("tf.contrib is part of TF 1.15 only")
    import tensorflow.contrib as contrib

    return contrib
