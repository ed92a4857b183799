"""The Python with TF 1.15 that a user names."""

import os
import subprocess

from tfgraphtools import child_python
from tfgraphtools.errors import ArgumentError


def require_tf1(python: str, option: str) -> None:
    """Raises `ArgumentError` unless a Python has TensorFlow 1.x; the option names it."""
    question = "import tensorflow; print(tensorflow.__version__)"
    try:
        command = child_python.code_command(python, question)
        done = subprocess.run(command, capture_output=True, text=True)
        answer_text = done.stdout.strip() or "a Python without it"
    except FileNotFoundError:
        answer_text = "no such program"
    except OSError as error:
        answer_text = "a folder" if os.path.isdir(python) else error.strerror or "no program"
    if not answer_text.startswith("1."):
        raise ArgumentError(
            f"{option} {python}",
            "the path of a Python that has TensorFlow 1.x",
            answer_text,
            f"Name one: {option} /path/to/tf1/bin/python",
        )
