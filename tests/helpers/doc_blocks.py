"""The code blocks of a page of the documentation."""

import doctest
import re

from places import ROOT

PAGES = [ROOT / "README.md"] + sorted((ROOT / "docs").rglob("*.md"))
NEEDS = re.compile(r"<!-- test: (\w+) -->")
_BLOCK = re.compile(
    r'^```(\w*)(?: title="([^"]+)")?\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?',
    re.MULTILINE | re.DOTALL,
)

#: Commands that a console or sh block may show without running them.
SHOWN_ONLY = ("pip", "git", "cd", "docker")


def blocks(text):
    """Yields (line, language, title, content, output) of every block."""
    for match in _BLOCK.finditer(text):
        yield (text.count("\n", 0, match.start()) + 1, *match.groups())


def commands(content):
    """Yields (command, its output) of a console block."""
    for entry in re.split(r"^\$ ", content, flags=re.MULTILINE)[1:]:
        command, _, output = entry.partition("\n")
        yield command, output


def is_printed(expected, printed, messages=""):
    """Tells whether an output is the expected one, in which ``...`` stands for anything."""
    return any(  # TensorFlow's log lines are on stderr, too
        doctest.OutputChecker().check_output(expected, text, doctest.ELLIPSIS)
        for text in (printed, printed + messages)
    )
