"""``json``: the argument ``encoding`` of Python 2 has no effect."""

from tfgraphtools.compat.engine.rewrite_kinds import Call
from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import provides

_LEAVE_OUT = Call(keywords={"encoding": None})


def _without_encoding(name):
    """Returns a function of json without Python 2's argument `encoding`."""

    def provide(real, used):
        function = getattr(real, name)

        def call(*arguments, **options):
            if "encoding" in options:
                used()
                del options["encoding"]
            return function(*arguments, **options)

        return call

    return provide


TABLE = Table(
    "old calls of json",
    "calls",
    [
        provides(f"json.{name}", since, "ignores encoding=", _LEAVE_OUT)(_without_encoding(name))
        for name, since in (
            ("load", "Python 3.9"),
            ("loads", "Python 3.9"),
            ("dump", "Python 3.0"),
            ("dumps", "Python 3.0"),
        )
    ],
)
