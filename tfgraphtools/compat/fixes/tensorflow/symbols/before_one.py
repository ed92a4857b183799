"""Functions from before 1.0 whose successors take other arguments, and their meaning then."""

import importlib

from tfgraphtools.compat.engine.rewrites.kinds import Call, Runtime
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.tensorflow.internals.rebuilt import cells

_SINCE = "TF 1.0"


def _batch_matmul(real):
    def batch_matmul(x, y, adj_x=None, adj_y=None, name=None):
        return real.matmul(x, y, adjoint_a=bool(adj_x), adjoint_b=bool(adj_y), name=name)

    return batch_matmul


def _summary(build):
    """A summary op as before 1.0: its tag is used unchanged, outside of all name scopes."""

    def provide(real):
        from tensorflow.python.ops import gen_logging_ops

        def summary(tag, values, *arguments, **options):
            collections = options.pop("collections", None)
            made = build(gen_logging_ops, tag, values, *arguments, **options)
            for key in [real.GraphKeys.SUMMARIES] if collections is None else collections:
                real.add_to_collection(key, made)
            return made

        return summary

    return provide


def _scalar(ops, tags, values, name=None):
    return ops.scalar_summary(tags=tags, values=values, name=name)


def _histogram(ops, tag, values, name=None):
    return ops.histogram_summary(tag=tag, values=values, name=name)


def _image(ops, tag, tensor, max_images=3, name=None):
    return ops.image_summary(tag=tag, tensor=tensor, max_images=max_images, name=name)


def _audio(ops, tag, tensor, sample_rate, max_outputs=3, name=None):
    return ops.audio_summary_v2(
        tag=tag, tensor=tensor, sample_rate=float(sample_rate), max_outputs=max_outputs, name=name
    )


def _concat(real, used):
    def concat(values, axis=None, name="concat", concat_dim=None):
        if concat_dim is not None:
            used()
            axis = concat_dim
        elif isinstance(values, int) and not isinstance(axis, int):
            used()
            values, axis = axis, values  # concat(concat_dim, values)
        return real.concat(values, axis, name=name)

    return concat


def _split(real, used):
    def split(*arguments, **options):
        names = ("value", "num_or_size_splits", "axis", "num", "name")
        old = {"split_dim": "axis", "num_split": "num_or_size_splits"}
        if len(arguments) >= 3 and isinstance(arguments[0], int):
            used()
            names = ("axis", "num_or_size_splits", "value", "name")  # split(dim, number, value)
        if not old.keys().isdisjoint(options):
            used()
        options = {old.get(name, name): value for name, value in options.items()}
        options.update(zip(names, arguments))
        return real.split(**options)

    return split


def _resize_images(real, used):
    def resize_images(images, size, *arguments, **options):
        if arguments and isinstance(size, int) and _is_number(arguments[0]):
            used()
            size, arguments = [size, arguments[0]], arguments[1:]  # (images, height, width)
        return real.resize_images(images, size, *arguments, **options)

    return resize_images


def _is_number(value):
    return isinstance(value, int) and not isinstance(value, bool)


def _seq2seq(real):
    return importlib.import_module("tensorflow.contrib.legacy_seq2seq")


def _cell_wrapper(name):
    return lambda real: getattr(importlib.import_module("tensorflow.contrib.rnn"), name)


def _reverse(real, used):
    def reverse(tensor, axis=None, name=None, dims=None):
        flags = dims if dims is not None else axis
        if isinstance(flags, (list, tuple)) and flags and all(isinstance(f, bool) for f in flags):
            used()
            axis = [number for number, turned in enumerate(flags) if turned]
        return real.reverse(tensor, axis, name=name)

    return reverse


def _with_tag(kind, keywords, positions=()):
    """Returns the rewrite of a summary: today's has another tag, the runtime's the same."""
    return Runtime(
        f"tfgraphtools.tf1.{kind}_summary",
        Call("tensorflow.compat.v1.summary." + kind, keywords, positions),
        "the tag is prefixed with the name scopes, and has no blanks",
    )


NAMES = Table(
    "functions from before 1.0 that were removed",
    "names",
    [
        Row(
            "tensorflow.scalar_summary",
            _SINCE,
            "takes (tags, values); the tag is not changed",
            _summary(_scalar),
            _with_tag("scalar", {"tags": "name", "values": "tensor"}),
        ),
        Row(
            "tensorflow.histogram_summary",
            _SINCE,
            "takes (tag, values); the tag is not changed",
            _summary(_histogram),
            _with_tag("histogram", {"tag": "name"}),
        ),
        Row(
            "tensorflow.image_summary",
            _SINCE,
            "takes (tag, tensor, max_images); the tag is not changed",
            _summary(_image),
            _with_tag(
                "image",
                {"tag": "name", "max_images": "max_outputs"},
                ("", "", "max_outputs", "collections", "name"),
            ),
        ),
        Row(
            "tensorflow.audio_summary",
            _SINCE,
            "takes (tag, tensor, sample_rate); the tag is not changed",
            _summary(_audio),
            _with_tag("audio", {"tag": "name"}),
        ),
        Row(
            "tensorflow.batch_matmul",
            _SINCE,
            "is matmul with adj_x and adj_y",
            _batch_matmul,
            Call(
                "tensorflow.compat.v1.matmul",
                {"x": "a", "y": "b", "adj_x": "adjoint_a", "adj_y": "adjoint_b"},
                ("", "", "adjoint_a", "adjoint_b", "name"),
                "tfgraphtools.tf1.batch_matmul",
            ),
        ),
        Row(
            "tensorflow.nn.rnn_cell.linear",
            _SINCE,
            "[a, b] x Matrix + Bias",
            cells.linear_of_cells,
        ),
        Row(
            "tensorflow.nn.rnn_cell._linear",
            _SINCE,
            "[a, b] x Matrix + Bias",
            cells.linear_of_cells,
        ),
        Row(
            "tensorflow.nn.seq2seq",
            _SINCE,
            "tf.contrib.legacy_seq2seq since 1.0",
            _seq2seq,
            Runtime("tfgraphtools.tf1.contrib.legacy_seq2seq"),
        ),
    ]
    + [
        Row(
            "tensorflow.nn.rnn_cell." + name,
            _SINCE,
            "tf.contrib.rnn since 1.0",
            _cell_wrapper(name),
            Runtime("tfgraphtools.tf1.contrib.rnn." + name),
        )
        for name in ("EmbeddingWrapper", "InputProjectionWrapper", "OutputProjectionWrapper")
    ],
)

CALLS = Table(
    "functions from before 1.0 that took other arguments",
    "calls",
    [
        Row("tensorflow.concat", _SINCE, "takes (concat_dim, values), too", _concat),
        Row("tensorflow.split", _SINCE, "takes (split_dim, num_split, value), too", _split),
        Row("tensorflow.reverse", _SINCE, "takes one bool per dimension, too", _reverse),
        Row(
            "tensorflow.image.resize_images",
            _SINCE,
            "takes (images, height, width), too",
            _resize_images,
        ),
    ],
)

TABLES = (NAMES, CALLS)
