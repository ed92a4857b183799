"""What frozen elements cost on a GPU: the freeze table and the fused way.

python scripts/bench/gpu.py [--elements 100000000] [--rounds 30]

It needs a GPU that TensorFlow sees, and ends with exit code 2 where there is none.
"""

import argparse
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow as tf
import training as bench


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elements", type=int, default=100_000_000)
    parser.add_argument("--rounds", type=int, default=30)
    arguments = parser.parse_args()
    v1 = tf.compat.v1
    v1.disable_eager_execution()
    v1.logging.set_verbosity(v1.logging.ERROR)
    gpus = tf.config.experimental.list_physical_devices("GPU")
    if not gpus:
        print(
            "scripts/bench/gpu.py: expected a GPU, got none that TensorFlow sees.", file=sys.stderr
        )
        return 2
    print(f"TensorFlow {tf.__version__}, {len(gpus)} GPU")
    for resource in (True, False):
        bench.bench_update(arguments.elements, arguments.rounds, resource)
        bench.bench_lock(arguments.elements, arguments.rounds, resource)
    return 0


if __name__ == "__main__":
    sys.exit(main())
