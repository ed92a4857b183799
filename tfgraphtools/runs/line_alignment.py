"""Two lists of lines, aligned by `difflib` within a budget: many equal lines cost it the square."""

import collections
import difflib
from typing import List, Sequence, Tuple

#: (kind, start, end, other start, other end), as `difflib.SequenceMatcher.get_opcodes` has them.
Opcode = Tuple[str, int, int, int, int]

#: The most pairs of equal lines that are looked at; a second or two.
MOST_PAIRS = 4_000_000


def opcodes(ours: Sequence[str], theirs: Sequence[str]) -> List[Opcode]:
    """Returns how one list of lines becomes the other.

    Where both have too many equal lines in another order, all between the common beginning and end
    counts as replaced.
    """
    start = _common(ours, theirs)
    end = _common(ours[start:][::-1], theirs[start:][::-1])
    our_end, their_end = len(ours) - end, len(theirs) - end
    result: List[Opcode] = [("equal", 0, start, 0, start)] if start else []
    middle = ours[start:our_end], theirs[start:their_end]
    if all(middle) and _pairs(*middle) <= MOST_PAIRS:
        matcher = difflib.SequenceMatcher(None, *middle, autojunk=False)
        for kind, *places in matcher.get_opcodes():
            a, b, c, d = (place + start for place in places)
            result.append((kind, a, b, c, d))
    elif any(middle):
        kind = "replace" if all(middle) else "delete" if middle[0] else "insert"
        result.append((kind, start, our_end, start, their_end))
    if end:
        result.append(("equal", our_end, len(ours), their_end, len(theirs)))
    return result


def equal_blocks(ours: Sequence[str], theirs: Sequence[str]) -> List[Tuple[int, int, int]]:
    """Returns (start, other start, length) of the lines that both have in the same order."""
    return [(a, c, b - a) for kind, a, b, c, _ in opcodes(ours, theirs) if kind == "equal"]


def _common(ours, theirs):
    """Returns how many lines both begin with."""
    for count, (line, other) in enumerate(zip(ours, theirs)):
        if line != other:
            return count
    return min(len(ours), len(theirs))


def _pairs(ours, theirs):
    counts = collections.Counter(theirs)
    return sum(counts[line] for line in ours)
