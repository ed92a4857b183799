"""The FAQ's entries, and the searches that lead to them."""

import re

from places import ROOT


def searches():
    """[("error" or "words", the text that is searched for, the anchor of its entry)]."""
    path = ROOT / "tests" / "documentation" / "searches.tsv"
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


def anchors():
    """The anchors of the entries of docs/faq.md, as the site makes them."""
    text = (ROOT / "docs" / "faq.md").read_text(encoding="utf-8")
    headings = re.findall(r"^### (.*)$", text, re.MULTILINE)
    words = [re.sub(r"[^\w\s-]", "", heading).strip().lower() for heading in headings]
    return [re.sub(r"[-\s]+", "-", heading) for heading in words]


def questions():
    """The entries of docs/questions.md, each with its heading."""
    text = (ROOT / "docs" / "questions.md").read_text(encoding="utf-8")
    return re.split(r"^## ", text, flags=re.MULTILINE)[1:]
