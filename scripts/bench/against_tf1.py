#!/usr/bin/env python3
"""Times twelve kinds of TF1 training under TF 1.15 and under `tfgraphtools run`.

    scripts/bench/against_tf1.py                 all kinds
    scripts/bench/against_tf1.py cnn lstm        some of them
    scripts/bench/against_tf1.py --rounds 15 --seconds 0.5

Both processes of a kind are alive at once and are measured alternately, so that a busy machine
disturbs both alike. Printed are the best step of each, the median of the ratios of
neighbours, and the seconds until the first five steps were done. The interpreter of TF 1.15
is TFGRAPHTOOLS_TF1_PYTHON. Exit code 1 if the median ratio is above 1.0 or one above 1.2.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from processes import failure

STEPS = pathlib.Path(__file__).resolve().with_name("tf1_steps.py")
KINDS = "cnn lstm gcn gan word2vec dqn bert estimator queue data slim seq2seq".split()


class Side:
    """A process that runs steps of one kind when it is asked."""

    def __init__(self, command, kind):
        begun = time.time()
        command = [*command, str(STEPS), kind]
        errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES=""),
            universal_newlines=True,
        )
        if not any(line.strip() == "ready" for line in self._process.stdout):
            raise SystemExit(failure(command, self._process.wait(), errors))
        self.start = time.time() - begun

    def seconds(self, steps):
        """The seconds of one of so many steps."""
        self._process.stdin.write(f"{steps}\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())

    def close(self):
        self._process.stdin.close()
        self._process.wait()


def main(words=None):
    options = parse(words)
    print(f"{'':10} {'1.15 ms':>9} {'run ms':>9} {'ratio':>7} {'start 1.15':>11} {'start run':>10}")
    ratios = [compare(kind, options) for kind in options.kinds]
    print(f"{'median':10} {'':9} {'':9} {statistics.median(ratios):7.2f}")
    return 0 if statistics.median(ratios) <= 1.0 and max(ratios) <= 1.2 else 1


def parse(words):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=" ".join(KINDS))
    parser.add_argument("--rounds", type=int, default=9, help="measurements of each side (9)")
    parser.add_argument("--seconds", type=float, default=0.3, help="of each measurement (0.3)")
    options = parser.parse_args(words)
    options.kinds = options.kinds or KINDS
    options.tf1 = os.environ.get("TFGRAPHTOOLS_TF1_PYTHON")
    if not options.tf1:
        parser.error("TFGRAPHTOOLS_TF1_PYTHON is not set: the Python in which TF 1.15 is installed")
    if set(options.kinds) - set(KINDS):
        parser.error(f"expected kinds of: {' '.join(KINDS)}")
    return options


def compare(kind, options):
    """Prints the line of one kind; its ratio."""
    sides = [
        Side([options.tf1], kind),
        Side([sys.executable, "-m", "tfgraphtools", "run"], kind),
    ]
    steps = max(1, int(options.seconds / max(side.seconds(2) for side in sides)))
    pairs = [[side.seconds(steps) for side in sides] for _ in range(options.rounds)]
    ratio = statistics.median(ours / theirs for theirs, ours in pairs)
    best = [min(pair[one] for pair in pairs) * 1e3 for one in (0, 1)]
    starts = f"{sides[0].start:11.1f} {sides[1].start:10.1f}"
    print(f"{kind:10} {best[0]:9.2f} {best[1]:9.2f} {ratio:7.2f} {starts}", flush=True)
    for side in sides:
        side.close()
    return ratio


if __name__ == "__main__":
    sys.exit(main())
