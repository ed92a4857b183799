"""Times several ways of doing one thing in turn, and prints the ratios round by round.

On a shared machine single times drift; the ratio of two neighbours in one round
drifts far less. Printed are the median over the rounds, and the ratio of the best times,
which a busy machine disturbs least.
"""

import statistics
import time


def measure(title, ways, rounds=15, warm_up=3):
    """Times each way once a round; the first is what the others are compared with.

    Args:
      title: printed above the table.
      ways: ``{name: function without arguments}``.
      rounds: counted rounds, after ``warm_up`` that are not.
    """
    times = {name: [] for name in ways}
    for round_number in range(-warm_up, rounds):
        for name, way in ways.items():
            start = time.perf_counter()
            way()
            if round_number >= 0:
                times[name].append(time.perf_counter() - start)
    base = next(iter(times.values()))
    width = max(map(len, ways))
    print(f"\n{title}\n{'':{width}}      median ms    ratio   of the best")
    for name, own in times.items():
        ratios = [a / b for a, b in zip(own, base)]
        print(
            f"{name:{width}} {statistics.median(own) * 1e3:14.2f} "
            f"{statistics.median(ratios):8.2f} {min(own) / min(base):13.2f}",
            flush=True,
        )
