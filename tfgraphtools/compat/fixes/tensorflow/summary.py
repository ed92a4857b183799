"""Summaries of before 1.0, such as ``tf.scalar_summary(tags, values)``."""

from tfgraphtools.compat.engine.rewrite_kinds import Call, Runtime
from tfgraphtools.compat.engine.rows import Fix, Table


def _summary(build):
    """Returns a summary op as before 1.0: its tag is used unchanged, outside of all name scopes."""

    def provide(real):
        from tensorflow.python.ops import gen_logging_ops

        def summary(tag, values, *arguments, **options):
            collections = options.pop("collections", None)
            summary_op = build(gen_logging_ops, tag, values, *arguments, **options)
            for key in [real.GraphKeys.SUMMARIES] if collections is None else collections:
                real.add_to_collection(key, summary_op)
            return summary_op

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


def _with_tag(kind, keywords, positions=()):
    """Returns the rewrite of a summary: today's has another tag, the runtime's the same."""
    return Runtime(
        f"tfgraphtools.tf1.{kind}_summary",
        Call("tensorflow.compat.v1.summary." + kind, keywords, positions),
        "the tag is prefixed with the name scopes, and has no blanks",
    )


#: Kind of a summary -> (what builds it, its arguments, how `upgrade` writes it).
_SUMMARIES = {
    "scalar": (
        _scalar,
        "(tags, values)",
        _with_tag("scalar", {"tags": "name", "values": "tensor"}),
    ),
    "histogram": (_histogram, "(tag, values)", _with_tag("histogram", {"tag": "name"})),
    "image": (
        _image,
        "(tag, tensor, max_images)",
        _with_tag(
            "image",
            {"tag": "name", "max_images": "max_outputs"},
            ("", "", "max_outputs", "collections", "name"),
        ),
    ),
    "audio": (_audio, "(tag, tensor, sample_rate)", _with_tag("audio", {"tag": "name"})),
}

TABLES = (
    Table(
        "summaries from before 1.0",
        "names",
        [
            Fix(
                f"tensorflow.{kind}_summary",
                "TF 1.0",
                f"takes {arguments}; the tag is not changed",
                _summary(build),
                rewrite,
            )
            for kind, (build, arguments, rewrite) in _SUMMARIES.items()
        ],
    ),
)
