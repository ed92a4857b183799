"""``open(path, "rU")``: a text file has been read with universal newlines since Python 3.0.

Python 3.11 dropped the letter, which asks for what is so anyway.
"""

import functools

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import provides


def _row(name):
    leaf = name.rpartition(".")[2]

    def provide(real, used):
        original = getattr(real, leaf)

        @functools.wraps(original)
        def opening(*arguments, **options):
            mode = arguments[1] if len(arguments) > 1 else options.get("mode")
            if not isinstance(mode, str) or "U" not in mode:
                return original(*arguments, **options)
            used()
            if len(arguments) > 1:
                file, _, *others = arguments
                return original(file, _without_u(mode), *others, **options)
            return original(*arguments, **dict(options, mode=_without_u(mode)))

        return opening

    why = f'{leaf}(file, "rU") reads with universal newlines, as "r" does'
    return provides(name, "Python 3.11", why)(provide)


def _without_u(mode):
    """Returns the mode without the letter U, which meant reading."""
    other_letters = mode.replace("U", "")
    return other_letters if "r" in other_letters else "r" + other_letters


TABLE = Table(
    "files that are opened with universal newlines",
    "calls",
    [_row(name) for name in ("builtins.open", "io.open", "codecs.open", "os.fdopen")],
)
