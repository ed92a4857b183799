"""Optimizers, schedules, savers, images and datasets that made other numbers of ops."""

from tfgraphtools.compat.rows import Row, Table
from tfgraphtools.compat.seeds.corrections import more

_FTRL = "tensorflow.python.training.ftrl:FtrlOptimizer."
_IMAGES = "tensorflow.python.ops.image_ops_impl:"


def _slots_of_ftrl(call):
    return -2 * len(call.argument(1, "var_list"))


TABLE = Table(
    "training, images and data",
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
            "the iterator of a dataset was made behind two datasets of options: three ops more",
            more(
                "tensorflow.python.data.ops.dataset_ops:DatasetV1._make_initializable_iterator",
                3,
            ),
        ),
        Row(
            "seeds.adjust_jpeg_quality",
            "TF 2.0",
            "adjust_jpeg_quality did not clip: three ops fewer",
            more(_IMAGES + "adjust_jpeg_quality", -3),
        ),
    ],
)
