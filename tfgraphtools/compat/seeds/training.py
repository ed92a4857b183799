"""Optimizers, schedules, savers and iterators that made other numbers of ops."""

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.seeds.corrections import more

_FTRL = "tensorflow.python.training.ftrl:FtrlOptimizer."
_SCHEDULES = "tensorflow.python.keras.optimizer_v2.legacy_learning_rate_decay:"


def _polynomial_decay(call):
    return 5 if call.argument(5, "cycle") else 1


def _sliced_descent(call):
    """TF 1.15 made a constant of the learning rate again for each gradient in slices."""
    from tfgraphtools.compat.seeds.array_ops import is_tensor

    return int(not is_tensor(call.args[0]._learning_rate))


def _slots_of_ftrl(call):
    return -2 * len(call.argument(1, "var_list"))


TABLE = Table(
    "training",
    "listed",
    [
        Row(
            "seeds.FtrlOptimizer.slots",
            "TF 2.2",
            "Ftrl started its accumulators from a constant: two ops fewer for each variable",
            more(_FTRL + "_create_slots", _slots_of_ftrl),
        ),
        Row(
            "seeds.FtrlOptimizer",
            "TF 2.2",
            "Ftrl had no beta: nine ops fewer",
            more(_FTRL + "_prepare", -9),
        ),
        Row(
            "seeds.Saver.sharded",
            "TF 2.0",
            "a sharded Saver did not look for local paths: three ops fewer",
            more("tensorflow.python.training.saver:BaseSaverBuilder._AddShardedSaveOps", -3),
        ),
        Row(
            "seeds.Dataset.iterator",
            "TF 2.2",
            "the iterator of a dataset followed two datasets of options: three ops more",
            more(
                "tensorflow.python.data.ops.dataset_ops:DatasetV1._make_initializable_iterator",
                3,
            ),
        ),
        Row(
            "seeds.polynomial_decay",
            "TF 2.0",
            "polynomial_decay made one additional constant, and five additional ops to cycle",
            more(_SCHEDULES + "polynomial_decay", _polynomial_decay),
        ),
        Row(
            "seeds.GradientDescentOptimizer.slices",
            "TF 2.0",
            "gradients in slices of a resource variable each had a learning rate op",
            more(
                "tensorflow.python.training.gradient_descent:GradientDescentOptimizer."
                "_resource_apply_sparse_duplicate_indices",
                _sliced_descent,
            ),
        ),
    ],
)
