"""Times several ways of doing one thing, alternating with the first one, and prints the ratios.

On a shared machine single times drift; the ratio of two neighbours drifts far less.
Printed are the median over the rounds, and the ratio of the best times, which a busy
machine disturbs least.
"""

import statistics
import time


def measure(title, ways, rounds=15, warm_up=3):
    """Times every way, alternating with the first one, which the others are compared with.

    Args:
      title: printed above the table.
      ways: ``{name: function without arguments}``.
      rounds: counted rounds, after ``warm_up`` that are not.
    """
    base = next(iter(ways.values()))
    width = max(map(len, ways))
    print(f"\n{title}\n{'':{width}}      median ms    ratio   of the best")
    for name, way in ways.items():
        pairs = [(_seconds(base), _seconds(way)) for _ in range(warm_up + rounds)][warm_up:]
        ratios = [own / plain for plain, own in pairs]
        best = min(own for _, own in pairs) / min(plain for plain, _ in pairs)
        median = statistics.median(own for _, own in pairs)
        print(
            f"{name:{width}} {median * 1e3:14.2f} {statistics.median(ratios):8.2f} {best:13.2f}",
            flush=True,
        )


def ratio(base, way, rounds=9, warm_up=3):
    """The median ratio of the times of a way and of a base that take turns."""
    pairs = [(_seconds(base), _seconds(way)) for _ in range(warm_up + rounds)][warm_up:]
    return statistics.median(own / plain for plain, own in pairs)


def best_ratio(base, way, rounds=9, warm_up=3):
    """The ratio of the best times of a way and of a base that take turns."""
    pairs = [(_seconds(base), _seconds(way)) for _ in range(warm_up + rounds)][warm_up:]
    return min(own for _, own in pairs) / min(plain for plain, _ in pairs)


def _seconds(way):
    start = time.perf_counter()
    way()
    return time.perf_counter() - start
