"""Plain English: phrasings that readers do not understand at first sight stay out.

Read are strings, docstrings and comments of the package and the scripts, and every document.
"""

import io
import pathlib
import re
import tokenize

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent

#: What is not written: what is written instead. Case does not matter.
BANNED = {
    r"\bwanted\b": "expected",
    r"\bmend(s|ed|ing)?\b": "fix",
    r"\bgo(es)? without\b": "disable",
    r"\bfates?\b": "status",
    r"\bshimmed\b": "patched",
    r"\b(what|which) (will |has )?bec[ao]mes? of\b": "status; what happens to",
    r"\bas (it|they) stands?\b": "unmodified, or nothing",
    r"\bin full\b": "details, completely",
    r"\bthe house\b": "the code base",
    r"\bmain job\b": "the demo",
    r"\ba slip\b": "a typo",
    r"\b(numbers|outputs|they) part\b": "diverge",
    r"\bwords (that|which) (it|they) gets?\b": "script arguments",
    r"\bthe words of (the|a) command\b": "arguments, options",
    r"\bop seeds as\b": "reproduce TF 1.15's random seeds",
    r"\bwhat is fed\b": "input tensors",
    r"\b(is|are) cut off\b": "the graph is cut there",
    r"\bleave out these\b": "drop matching tensors",
    r"\bmade of it\b": "a converted copy",
    r"\bat what price\b": "cost",
    r"\bwhat it is that\b": "(rephrase)",
    r"\bgradient of one's own\b": "custom gradient",
    r"\bcan be said\b|\bso to speak\b|\bbe it said\b": "(rephrase)",
}
PATTERN = re.compile("|".join(f"(?:{banned})" for banned in BANNED), re.IGNORECASE)

CODE = [*(ROOT / "tfgraphtools").rglob("*.py"), *(ROOT / "scripts").rglob("*.py")]
TEXTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "scripts").glob("*")]
TEXTS = [path for path in TEXTS if path.is_file() and path.suffix in ("", ".md", ".sh")]


def _prose(path):
    """(line, text) of what people read in a file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        yield from enumerate(text.splitlines(), 1)
        return
    kinds = {tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", -1)}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in kinds:
            text = token.string
            if "f" in re.match(r"\w*", text).group().lower():
                text = re.sub(r"\{[^{}]*\}", "{}", text)  # names of variables
            for number, line in enumerate(text.splitlines()):
                yield token.start[0] + number, line


@pytest.mark.parametrize("paths", [CODE, TEXTS], ids=["code", "documents"])
def test_no_banned_phrasing(paths):
    found = [
        f"{path.relative_to(ROOT)}:{line}: {match.group()!r}"
        for path in sorted(paths)
        for line, text in _prose(path)
        for match in PATTERN.finditer(text)
    ]
    assert len(paths) > 20 and not found, "\n".join(found)


@pytest.mark.parametrize("text", ["Mend that", "wanted 1; found 2", "the words that it gets"])
def test_the_check_finds(text):
    assert PATTERN.search(text)
