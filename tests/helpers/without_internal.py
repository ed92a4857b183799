"""Runs a script in a TensorFlow that lacks one of its internals.

    python without_internal.py run|plain NAME SCRIPT

"run" runs it under ``tfgraphtools run``, "plain" with Python. NAME is that of an attribute below
``tensorflow.python``, or "" where none is to be deleted.
"""

import runpy
import sys

import internals
import tensorflow  # noqa: F401  (before the attribute is deleted)


def main(way, name, script):
    """Deletes the attribute, then runs the script."""
    if name:
        ((owner, attribute),) = [
            place for found, place in internals.resolved([name]).items() if found == name
        ]
        delattr(owner, attribute)
    if way == "plain":
        sys.argv[:] = [script]
        runpy.run_path(script, run_name="__main__")
        return 0
    from tfgraphtools.cli import main as command

    return command(["run", script])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
