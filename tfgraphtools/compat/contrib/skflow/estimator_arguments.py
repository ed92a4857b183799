"""Preparation of the arguments of an estimator."""

import importlib

from tfgraphtools.errors import ArgumentError

#: The seed of graphs whose configuration names none, up to TF 0.10.
SEED = 42

_RUN_CONFIG = "tensorflow.contrib.learn.python.learn.estimators.run_config"


def with_seed(config):
    """Returns the configuration, or a new one, with a seed."""
    if config is None:
        config = importlib.import_module(_RUN_CONFIG).RunConfig()
    return config.replace(tf_random_seed=SEED) if config.tf_random_seed is None else config


def check_optimizer(optimizer):
    """Refuses an optimizer of an unknown name."""
    names = sorted(importlib.import_module("tensorflow.contrib.layers").OPTIMIZER_CLS_NAMES)
    if isinstance(optimizer, str) and optimizer not in names:
        raise ArgumentError(
            "optimizer", "one of " + ", ".join(names), repr(optimizer), "Or pass an optimizer."
        )
