"""The cuts of the forward pass into segments: each is computed again as a whole.

What crosses a cut is kept from the forward pass; of the segments, one at a time
is in memory in the backward pass. With n equal layers and k cuts that is k + n / k.
"""

import bisect

_MOST_SEGMENTS = 200


def cuts_at(forward, names):
    """Returns cuts behind the ops of these tensors: sorted indices into ``forward.ops``."""
    return sorted({forward.position[name] for name in names})


def cuts_by_size(forward, uses, kept):
    """Returns the cuts for which crossing tensors and the largest segment need the least memory."""
    saved = [0] * len(forward.ops)
    for name in uses:
        if name not in kept:
            saved[forward.position[name]] += forward.bytes[name]
    total, crossing = sum(saved), _crossing(forward, kept)
    best, chosen, count = total, [], 2
    while count <= min(_MOST_SEGMENTS, len(saved)):
        cuts = _cuts(saved, crossing, total / count)
        needed = _needed(forward, kept, saved, cuts)
        if needed < best:
            best, chosen = needed, cuts
        count = max(count + 1, int(count * 1.2))
    return chosen


def _crossing(forward, kept):
    """Returns, for a cut behind each op, the bytes of what crosses it."""
    changes = [0] * (len(forward.ops) + 1)
    for name, last in forward.last_use.items():
        if name not in kept and name not in forward.fixed:
            changes[forward.position[name]] += forward.bytes[name]
            changes[last] -= forward.bytes[name]
    crossing, current = [], 0
    for change in changes[:-1]:
        current += change
        crossing.append(current)
    return crossing


def _cuts(saved, crossing, size):
    """Cuts into segments of at most this size, each where the least crosses it."""
    cuts, filled, best, index = [], 0, None, 0
    while index < len(saved):
        filled += saved[index]
        if filled > size and best is not None:
            cuts.append(best)
            index = best + 1
            filled, best = 0, None
            continue
        if filled >= size / 2 and (best is None or crossing[index] <= crossing[best]):
            best = index
        index += 1
    return [cut for cut in cuts if cut < len(saved) - 1]


def _needed(forward, kept, saved, cuts):
    """Returns the bytes that are in memory at most, gradients apart."""
    crossing = 0
    for name, last in forward.last_use.items():
        first = bisect.bisect_left(cuts, forward.position[name])
        if name not in kept and first < len(cuts) and cuts[first] < last:
            crossing += forward.bytes[name]
    largest, start = 0, 0
    for cut in cuts + [len(saved) - 1]:
        largest = max(largest, sum(saved[start : cut + 1]))
        start = cut + 1
    return crossing + largest
