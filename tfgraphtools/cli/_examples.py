"""Examples in the help of every command; the tests run each of them.

They name what a project has: a folder ``src``, a script ``train.py``, a package with a module
``train``, and ``model.ckpt-1000.meta`` as a training leaves it.
"""

import argparse
from typing import Sequence

#: Command ("" is the program itself): words after it. `ckpt.examples` has those of ``ckpt``.
EXAMPLES = {
    "": ["doctor src", "run train.py --steps 100", "ckpt ls model.ckpt-1000"],
    "run": ["train.py --steps 100", "-m package.train", "--report train.py"],
    "doctor": [
        "src",
        "src --html report.html",
        "src --format github",
        "model.ckpt-1000.meta",
    ],
    "upgrade": ["src", "src --check", "src --write --backup"],
    "revive": ["src"],
    "kernel": ["install --prefix .venv", "remove --prefix .venv"],
    "legacy": ["install", "status"],
    "legacy install": ["", "--folder cache"],
    "legacy status": ["", "--json"],
    "legacy remove": [""],
    "explain": [
        "model.ckpt-1000.meta --y loss --x dense/kernel",
        "model.ckpt-1000.meta --y loss --x dense/kernel --html why.html",
    ],
    "ckpt": ["ls model.ckpt-1000", "verify model.ckpt-1000"],
    "graph": ["show model.ckpt-1000.meta"],
    "graph convert": ["model.ckpt-1000.meta --outputs loss --to tflite --out loss.tflite"],
    "graph source": [
        "model.ckpt-1000.meta --outputs loss --to torch --out model",
        "model.ckpt-1000.meta --outputs loss --to keras --out model",
    ],
    "graph diff": ["model.ckpt-1000.meta model.ckpt-1000.meta --outputs loss"],
    "graph extract": ["model.ckpt-1000.meta --outputs loss --out loss.pb"],
    "graph show": ["model.ckpt-1000.meta", "model.ckpt-1000.meta --tree --depth 1"],
    "completion": ["bash", "fish"],
    "help": ["run", "ckpt ls"],
}


class Formatter(argparse.HelpFormatter):
    """Keeps the lines of examples as they are."""

    def _fill_text(self, text, width, indent):
        head, mark, lines = text.partition("examples:\n")
        filled = super()._fill_text(head, width, indent) if head.strip() else ""
        return filled + ("\n\n" if filled and mark else "") + mark + lines


def text(command: str, lines: Sequence[str]) -> str:
    """Returns the paragraph of a help.

    Args:
      command: what stands before each line, such as "ckpt ls"; "" for the program alone.
      lines: the words after it.
    """
    commands = (" ".join(filter(None, ["tfgraphtools", command, line])) for line in lines)
    return "examples:\n" + "\n".join(f"  {line}" for line in commands)


def add(parser: argparse.ArgumentParser, command: str, lines: Sequence[str]) -> None:
    """Adds examples to the help of a command."""
    before = parser.epilog + "\n\n" if parser.epilog else ""
    parser.epilog = before + text(command, lines)
    parser.formatter_class = Formatter
