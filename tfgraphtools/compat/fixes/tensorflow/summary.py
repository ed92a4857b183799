"""Summaries of before 1.0, such as ``tf.scalar_summary(tags, values)``."""

from tfgraphtools.compat.engine.rows import Row, Table


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


_SUMMARIES = {
    "scalar_summary": (_scalar, "(tags, values)"),
    "histogram_summary": (_histogram, "(tag, values)"),
    "image_summary": (_image, "(tag, tensor, max_images)"),
    "audio_summary": (_audio, "(tag, tensor, sample_rate)"),
}

TABLES = (
    Table(
        "summaries from before 1.0",
        "names",
        [
            Row(
                "tensorflow." + name,
                "TF 1.0",
                f"takes {arguments}; the tag is not changed",
                _summary(build),
            )
            for name, (build, arguments) in _SUMMARIES.items()
        ],
    ),
)
