"""How long it takes to start: bare Python, `import tfgraphtools`, `tfgraphtools --help`.

The best of several runs in fresh processes, in seconds. The two that must be fast stay under 0.2 s;
importing TensorFlow is shown for comparison.
"""

import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CASES = [
    ("python -c pass", ["-c", "pass"], 7),
    ("import tfgraphtools", ["-c", "import tfgraphtools"], 7),
    ("tfgraphtools --help", ["-m", "tfgraphtools", "--help"], 7),
    ("from tfgraphtools import checkpoints", ["-c", "from tfgraphtools import checkpoints"], 7),
    ("import tensorflow", ["-c", "import tensorflow"], 2),
]


def seconds(words):
    start = time.perf_counter()
    subprocess.run(
        [sys.executable] + words,
        cwd=str(ROOT),
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return time.perf_counter() - start


def main():
    best = {}
    for name, words, runs in CASES:
        best[name] = min(seconds(words) for _ in range(runs))
        print(f"{name:38} {best[name]:6.3f} s", flush=True)
    slowest = max(best["import tfgraphtools"], best["tfgraphtools --help"])
    print(f"{'slowest of the two that must be fast':38} {slowest:6.3f} s (bound: 0.200 s)")


if __name__ == "__main__":
    main()
