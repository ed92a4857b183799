"""What the tests of `training` share."""

import pytest


@pytest.fixture
def training(tf):
    from tfgraphtools import training

    return training
