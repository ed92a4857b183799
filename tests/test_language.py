"""Plain English: phrasings that readers do not understand at first sight stay out.

Read are strings, docstrings and comments of the package and the scripts, and every document.
"""

import io
import re
import tokenize

import pytest
from places import PACKAGE, ROOT

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

#: The same, each with a text that it was found in.
FOUND = {
    r"\bof then\b": ("old; of NumPy 1", "NumPy 1's names of then"),
    r"\bas of old\b": ("as before; in the old way", "X is as of old"),
    r"\bas ever\b": ("as usual; unchanged", "any other Python runs as ever"),
    r"\bkin\b": ("similar functions", "`operator.add` and its kin"),
    r"\b(its|the) like\b": ("similar", "TF-DF does the like"),
    r"\b(is|are|was) said\b": ("reported; an error names it", "the difference is said, too"),
    r"\bnobody (knows|wrote|says)\b": ("unknown; uninitialized", "a size that nobody knows"),
    r"\b(otherwise than|(computed?|counted|called) otherwise)\b": (
        "differently from; the results differ",
        "What is computed otherwise than by TF 1.15",
    ),
    r"\bit had missed\b": ("`doctor` missed", "Of what `run` fails above, it had missed two"),
    r"\banew\b": ("again", "generate the module anew"),
    r"\bupon\b": ("on; based on", "an estimator upon contrib.learn's"),
    r"\blest\b": ("so that ... not", "lest wrong values hide here"),
    r"\bby chance\b": ("at random; coincidentally", "309 of 675 files by chance"),
    r"\bin turn\b": ("in a row; alternately", "less than a millisecond five times in turn"),
    r"\bwhole numbers?\b": ("integer", "whole numbers are floored"),
    r"\bput together\b": ("combined; concatenated", "constants that are put together"),
    r"\b(op|constant|parameter|field) more\b": ("one additional op", "conv3d made one op more"),
    r"\bwork(s|ed)? out\b": ("compute", "the gradient worked out the shape"),
    r"\b(had|took|stayed) once\b": ("removed; old calls", "attributes that objects had once"),
    r"\bfor good\b": ("without a replacement; permanently", "names that left NumPy for good"),
    r"\bof its own accord\b": ("by default", "predict prints no bar of its own accord"),
    r"\ball the same\b": ("anyway; do not matter", "accepts Keras 3's optimizer all the same"),
    r"\bwhat it had\b": ("the module of Python 2", "it has what it had"),
    r"\bis no more\b": ("is gone; was removed", "mldata.org is no more"),
    r"\bas it infers\b": ("for inference", "export a graph as it infers"),
    r"\b(laid|goes?) into (it|the checkout)\b": ("copied", "modules were laid into the checkout"),
    r"\bkeeps? (compat|what starts compat|out what)\b": ("disables", "-E keeps out what starts it"),
    r"\b(not to|cannot) be had\b": ("not available", "a source that is not to be had"),
    r"(\blegacy install[`']|\buser) brings?\b": (
        "installs; provides",
        "Keras 2.2.4, which 'legacy install' brings",
    ),
    r"\btwo faces\b": ("two versions", "classes of Keras with two faces"),
    # The package is on no index: anybody could own its name there.
    r"pip install (?:[^`#&\n]*[ '\"])?['\"]?tfgraphtools\b": (
        "pip install PACKAGE; pip install . in a clone",
        "Install it: pip install 'tfgraphtools[export]'",
    ),
    r"^ *\"{3}Has (?!no\b)": ("Makes; a verb", '"""Has the cells of tf_keras take one tensor."""'),
}
BANNED.update({pattern: instead for pattern, (instead, _) in FOUND.items()})
PATTERN = re.compile("|".join(f"(?:{banned})" for banned in BANNED), re.IGNORECASE)

CODE = [*PACKAGE.rglob("*.py"), *(ROOT / "scripts").rglob("*.py")]
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
        f"{path}:{line}: {match.group()!r}"
        for path in sorted(paths)
        for line, text in _prose(path)
        for match in PATTERN.finditer(text)
    ]
    assert len(paths) > 20 and not found, "\n".join(found)


@pytest.mark.parametrize("pattern", FOUND)
def test_each_pattern_finds_the_old_text(pattern):
    assert re.search(pattern, FOUND[pattern][1], re.IGNORECASE)


@pytest.mark.parametrize("text", ["Mend that", "wanted 1; found 2", "the words that it gets"])
def test_the_check_finds(text):
    assert PATTERN.search(text)
