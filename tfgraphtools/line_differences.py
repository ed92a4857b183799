"""Differences of lines, in a time that grows with their number.

`difflib` compares each line with all of the same text: 12,000 equal lines take minutes. Where there
are many, lines that occur once are paired first, and what is between them in its order.
"""

import bisect
import collections
import difflib

#: The most pairs of lines with the same text that `difflib` looks at.
_MOST_PAIRS = 1 << 20


def opcodes(old, new):
    """Returns how lines became others, in the terms of `difflib.SequenceMatcher.get_opcodes`.

    Args:
      old, new: lists of lines.
    """
    blocks = [*_blocks(old, new, 0, len(old), 0, len(new)), (len(old), len(new), 0)]
    matcher = difflib.SequenceMatcher(None, (), ())
    matcher.a, matcher.b, matcher.matching_blocks = old, new, _joined(blocks)
    return matcher.get_opcodes()


def _blocks(old, new, start, end, other, other_end):
    """Yields (place in old, place in new, number) of equal lines, in their order."""
    first = start
    while start < end and other < other_end and old[start] == new[other]:
        start, other = start + 1, other + 1
    yield first, other - (start - first), start - first
    last = end
    while start < end and other < other_end and old[end - 1] == new[other_end - 1]:
        end, other_end = end - 1, other_end - 1
    yield from _inner_blocks(old, new, start, end, other, other_end)
    yield end, other_end, last - end


def _inner_blocks(old, new, start, end, other, other_end):
    counts, other_counts = (
        collections.Counter(lines[first:last])
        for lines, first, last in ((old, start, end), (new, other, other_end))
    )
    if sum(count * other_counts[line] for line, count in counts.items()) <= _MOST_PAIRS:
        matcher = difflib.SequenceMatcher(None, old[start:end], new[other:other_end], False)
        for block in matcher.get_matching_blocks():
            yield start + block.a, other + block.b, block.size
        return
    once = {line for line, count in counts.items() if count == other_counts[line] == 1}
    places = {new[place]: place for place in range(other, other_end) if new[place] in once}
    pairs = [(place, places[old[place]]) for place in range(start, end) if old[place] in once]
    for place, other_place in [*_increasing(pairs), (end, other_end)]:
        if once:
            yield from _blocks(old, new, start, place, other, other_place)
        else:
            yield from _in_order(old, new, start, place, other, other_place)
        if place < end:
            yield place, other_place, 1
        start, other = place + 1, other_place + 1


def _in_order(old, new, start, end, other, other_end):
    """Yields the blocks of lines that stay at their place; none of them occurs once."""
    for number in range(min(end - start, other_end - other)):
        if old[start + number] == new[other + number]:
            yield start + number, other + number, 1


def _increasing(pairs):
    """Returns the longest part of pairs, sorted by the first, in which the second increases."""
    ends, last_of, before = [], [], {}
    for place, pair in enumerate(pairs):
        length = bisect.bisect_left(ends, pair[1])
        before[place] = last_of[length - 1] if length else None
        ends[length : length + 1] = [pair[1]]
        last_of[length : length + 1] = [place]
    chain, place = [], last_of[-1] if last_of else None
    while place is not None:
        chain.append(pairs[place])
        place = before[place]
    return chain[::-1]


def _joined(blocks):
    """Returns blocks without empty ones, and those that follow each other as one."""
    result = []
    for a, b, size in blocks:
        if result and size and sum(result[-1][::2]) == a and result[-1][1] + result[-1][2] == b:
            result[-1] = (*result[-1][:2], result[-1][2] + size)
        elif size:
            result.append((a, b, size))
    last = blocks[-1]
    return [difflib.Match(*block) for block in (*result, last)]
