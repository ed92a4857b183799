"""``re.split`` as until Python 3.6: it splits only where something matched."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import in_place_of


@in_place_of("re.split", "Python 3.7", "splits only where the pattern matched something")
def _split(original, used, pattern, string, maxsplit=0, flags=0):
    import re

    matches = list(re.compile(pattern, flags).finditer(string))
    solid = [match for match in matches if match.group()]
    if not solid or len(solid) == len(matches):  # nothing to split at, or nothing empty
        return original(pattern, string, maxsplit=maxsplit, flags=flags)
    used()
    parts, begin = [], 0
    for match in solid[: maxsplit or None]:
        parts += [string[begin : match.start()], *match.groups()]
        begin = match.end()
    return [*parts, string[begin:]]


TABLE = Table("regular expressions", "calls", _split)
