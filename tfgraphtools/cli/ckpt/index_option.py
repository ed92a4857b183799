"""An index as users type it: ``0:10,3``."""

import re

from tfgraphtools.errors import UsageError


def parse_index(text: str, place: str = "--slice") -> tuple:
    """Returns the index in ``0:10, 3, ...``; raises `UsageError`, which names ``place``."""
    items = []
    for item in text.split(","):
        parts = item.strip().split(":")
        if item.strip() == "...":
            items.append(Ellipsis)
        elif all(re.fullmatch(r"\s*(-?\d+)?\s*", part) for part in parts) and len(parts) in (
            1,
            2,
            3,
        ):
            numbers = [int(part) if part.strip() else None for part in parts]
            if len(parts) == 1 and numbers[0] is not None:
                items.append(numbers[0])
                continue
            if len(parts) > 1 and (len(parts) < 3 or numbers[2] != 0):
                items.append(slice(*numbers))
                continue
            raise _bad_index(text, place)
        else:
            raise _bad_index(text, place)
    return tuple(items)


def _bad_index(text, place):
    return UsageError(
        place, "numbers and ranges, separated by commas", repr(text), "Write 0:10,3 or ...,0."
    )
