"""``re.split`` as it was until Python 3.6: it splits where something matched, not nothing."""

import functools

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.python.changed import patterns


def _split(real, used):
    @functools.partial(patterns.taking_flags_anywhere, used=used)
    @functools.wraps(real.split)
    def split(pattern, string, maxsplit=0, flags=0):
        found = list(real.compile(pattern, flags).finditer(string))
        solid = [match for match in found if match.group()]
        if not solid or len(solid) == len(found):  # nothing to split at, or nothing empty
            return real.split(pattern, string, maxsplit=maxsplit, flags=flags)
        used()
        parts, begin = [], 0
        for match in solid[: maxsplit or None]:
            parts += [string[begin : match.start()], *match.groups()]
            begin = match.end()
        return [*parts, string[begin:]]

    return split


TABLE = Table(
    "regular expressions that can match nothing",
    "calls",
    [Row("re.split", "Python 3.7", "splits only where the pattern matched something", _split)],
)
