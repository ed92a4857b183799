"""``json``: the argument ``encoding`` of Python 2 has no effect."""

from tfgraphtools.compat.engine.rewrite_kinds import Call
from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import in_place_of


def _without_encoding(original, used, *arguments, **options):
    if "encoding" in options:
        used()
        del options["encoding"]
    return original(*arguments, **options)


TABLE = Table(
    "old calls of json",
    "calls",
    [
        row
        for names, since in (
            ("json.load json.loads", "Python 3.9"),
            ("json.dump json.dumps", "Python 3.0"),
        )
        for row in in_place_of(
            names, since, "ignores encoding=", rewrite=Call(keywords={"encoding": None})
        )(_without_encoding)
    ],
)
