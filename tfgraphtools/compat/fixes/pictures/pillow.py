"""The sizes of texts, by methods that Pillow 10 removed."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import left, of


def _textsize(draw):
    def textsize(text, font=None, *arguments, **options):
        left, top, right, bottom = draw.textbbox((0, 0), text, font, *arguments, **options)
        return right, bottom

    return textsize


def _getsize(font):
    def getsize(text, *arguments, **options):
        left, top, right, bottom = font.getbbox(text, *arguments, **options)
        return right, bottom

    return getsize


TABLE = Table(
    "methods that Pillow's objects had",
    "listed",
    [
        left(
            "PIL.textsize",
            "Pillow 10",
            "draw.textsize(text) by textbbox and getbbox",
            of("PIL"),
            {"textsize": _textsize, "getsize": _getsize},
            "PIL",
        )
    ],
)
