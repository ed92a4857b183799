"""The TensorFlow 1 of user code on today's TF.

Only user code changes: your modules and packages written for TF1 get the names and results that
they were written for; installed libraries keep what they have.

    activate      makes it so, until its handle is told to stop

What is changed is one table per kind of change: `rows.tables` lists them. On
TF 1.15 there is nothing to do, and `activate` does nothing.

    engine      how fixes are applied to user code
    fixes       what changed, one package per library
    contrib     ``tf.contrib``; seeds: TF 1.15's random numbers
    doctor      what `run` would do with a codebase
    datasets    the data that tutorials download
    tf_version  which TensorFlow is there
"""

from tfgraphtools.compat.engine.activation import Handle, activate, is_active
from tfgraphtools.compat.engine.options import Options
from tfgraphtools.compat.tf_version import is_tf1

__all__ = ["Handle", "Options", "activate", "is_active", "is_tf1"]
