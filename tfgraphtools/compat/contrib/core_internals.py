"""Internals of TF 1.15 that only contrib and the estimator ask for: those that are no renames.

The others are the lines of `fixes.removed` with "contrib" as their version, which
`fixes.tensorflow.by_subject` registers.
"""

import importlib

from tfgraphtools.compat.contrib import op_wrappers, stand_ins
from tfgraphtools.compat.engine.rows import Fix
from tfgraphtools.compat.engine.views import lookup

_PYTHON = "tensorflow.python."


def _gone_function(name, where):
    return lambda real: op_wrappers.removed_op(name, where + ".ops")


def _gone_class(name, where):
    return lambda real: stand_ins.stand_in(name, where)


def _served(module, name):
    """Returns what provides a name of a module that the legacy installation serves."""
    return lambda real: getattr(importlib.import_module(module), name)


def _remove_undocumented(real):
    """Limits TF's function to contrib: it would strip names from core's ``nest``."""

    def remove_undocumented(module_name, *args, **kwargs):
        if module_name.startswith("tensorflow.contrib."):
            real.remove_undocumented(module_name, *args, **kwargs)

    return remove_undocumented


#: What is not a move: name below ``tensorflow.python`` -> provide(real module).
OTHERS = {
    "ops.summary_ops_v2.create_db_writer": _gone_function("create_db_writer", "tf.contrib.summary"),
    "profiler.profile_context.ProfileContext": _served(
        "tensorflow.python.profiler.profile_context", "ProfileContext"
    ),
    "tpu.tpu_strategy_util.initialize_tpu_system": _gone_function(
        "initialize_tpu_system", "tf.contrib.tpu"
    ),
    **{  # the places of a frame's parts, which 1.15's own source asks for
        "util.tf_stack.TB_" + name: (lambda real, place=place: place)
        for place, name in enumerate(("FILENAME", "LINENO", "FUNCNAME", "CODEDICT"))
    },
    "util.all_util.remove_undocumented": _remove_undocumented,
    "util.tf_export.estimator_export": _served(
        "tensorflow_estimator.python.estimator.estimator_export", "estimator_export"
    ),
    **{
        "pywrap_tensorflow." + name: _gone_class(name, "tf.contrib.stat_summarizer")
        for name in ("DeleteStatSummarizer", "NewStatSummarizer", "StatSummarizer")
    },
}


def install():
    """Registers all of it."""
    for name, provide in OTHERS.items():
        lookup.register_attribute(Fix(_PYTHON + name, None, "", provide))
