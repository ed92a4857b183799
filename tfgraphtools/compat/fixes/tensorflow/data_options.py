"""Options of ``tf.data`` that 1.15 took and 2.x refuses: taken again, and without effect.

They choose how a pipeline is optimized, never what its elements are; ``auto_shard`` is a policy
now. Statistics of datasets (``experimental_stats``) stay an error: nothing would be recorded.
"""

from tfgraphtools.compat.engine import notices, rows
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes.tensorflow.ownership import adds

#: class -> {option: its type}
_REMOVED = {
    "OptimizationOptions": {
        "autotune": bool,
        "autotune_algorithm": int,
        "autotune_buffers": bool,
        "autotune_cpu_budget": int,
        "filter_with_random_uniform_fusion": bool,
        "hoist_random_uniform": bool,
        "prefetch_to_device": str,
    },
    "Options": {"experimental_stateful_whitelist": list},
}


def _take_them():
    from tensorflow.python.data.util import options as kept

    class MapVectorizationOptions(kept.OptionsBase):
        """``options.experimental_optimization.map_vectorization``."""

    for name in ("enabled", "use_choose_fastest"):
        setattr(MapVectorizationOptions, name, _option(kept, name, bool))
    for class_name, kinds in _REMOVED.items():
        for name, kind in kinds.items():
            _add(class_name, name, _option(kept, name, kind))
    vectorization = _option(
        kept, "map_vectorization", MapVectorizationOptions, MapVectorizationOptions
    )
    _add("OptimizationOptions", "map_vectorization", vectorization)
    _add("DistributeOptions", "auto_shard", _auto_shard())


def _add(class_name, name, option):
    adds(f"tensorflow.python.data.ops.options:{class_name}.{name}", row=_ROW)(option).apply()


def _option(kept, name, kind, default=lambda: None):
    original = kept.create_option(name, kind, "Has no effect on TF 2.x.", default)

    def set_it(options, value):
        rows.used(_ROW)
        notices.once("tf.data." + name, f"tf.data's option {name} has no effect on TF 2.x")
        original.fset(options, value)

    return property(original.fget, set_it, None, original.__doc__)


def _auto_shard():
    from tensorflow.python.data.ops.options import AutoShardPolicy

    def set_it(options, value):
        rows.used(_ROW)
        options.auto_shard_policy = AutoShardPolicy.AUTO if value else AutoShardPolicy.OFF

    def is_on(options):
        return options.auto_shard_policy != AutoShardPolicy.OFF

    return property(is_on, set_it, None, "Whether a dataset is divided between workers.")


_ROW = Fix(
    "tensorflow.data.options",
    "TF 2.7",
    "options of tf.data that select optimizations are accepted and have no effect",
    _take_them,
    cannot="leave these options out",
)

TABLES = (Table("options of datasets", "patches", [_ROW]),)
