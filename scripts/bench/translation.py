"""What it costs to compile user code under compat, beside Python's own compile.

    python scripts/bench/translation.py FOLDER [--files 65] [--rounds 5]

FOLDER holds sources of TF 1 (contrib's, say). Files of 1.5 to 60 kB are drawn from it. For each
file Python's `compile` and ours take turns, without the cache and with one that is empty; what
is added up are the fastest of the rounds of each file, in seconds of the processor.
"""

import argparse
import os
import pathlib
import random
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))
BOUND = 5.0


def main():
    """Prints the seconds of each way, and their ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--files", type=int, default=65)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    found = sorted(p for p in options.folder.rglob("*.py") if 1500 < p.stat().st_size < 60000)
    drawn = random.Random(0).sample(found, min(options.files, len(found)))
    texts = [(path.read_bytes(), str(path)) for path in drawn]
    texts = [(text, path) for text, path in texts if _parses(text)]
    with tempfile.TemporaryDirectory() as folder:
        best = measured(texts, options.rounds, pathlib.Path(folder))
    size = sum(len(text) for text, _ in texts) / 1000
    print(f"{len(texts)} files of {size:.0f} kB, CPU seconds")
    for way, seconds in best.items():
        print(f"{way:38} {seconds:6.3f} s  x{seconds / best['compile']:.1f}")
    print(f"bound of both: x{BOUND}")


def measured(texts, rounds, folder):
    """{way: seconds of all files}."""
    from tfgraphtools import compat
    from tfgraphtools.compat.engine.translate import source

    compat.activate(running_code=False)
    no_folder = folder / "file"
    no_folder.write_text("")
    source.code_of(b"import numpy as np", "warm.py")
    best = {}
    for number in range(rounds):
        for text, path in texts:
            for way, cache, function in (
                ("compile", no_folder, _compiled),
                ("ours, without the cache", no_folder, source.code_of),
                ("ours, written to the cache", folder / str(number), source.code_of),
            ):
                os.environ["TFGRAPHTOOLS_CACHE"] = str(cache)
                start = time.process_time()
                function(text, path)
                taken = time.process_time() - start
                best[way, path] = min(taken, best.get((way, path), taken))
    total = {}
    for (way, _), seconds in best.items():
        total[way] = total.get(way, 0.0) + seconds
    return total


def _compiled(text, path):
    return compile(text, path, "exec", dont_inherit=True)


def _parses(text):
    try:
        _compiled(text, "")
    except (SyntaxError, ValueError):
        return False
    return True


if __name__ == "__main__":
    main()
