"""The FAQ's entries, and the searches that lead to them."""

import re

from places import ROOT

from tfgraphtools import faq


def searches():
    """[("error" or "words", the text that is searched for, the anchor of its entry)]."""
    path = ROOT / "tests" / "documentation" / "searches.tsv"
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


def anchors():
    """[(page, anchor)] of the entries of the FAQ's pages, as the site makes them."""
    return [(page, anchor) for page in faq.PAGES for anchor in _anchors_of(page)]


def _anchors_of(page):
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    headings = re.findall(r"^### (.*)$", text, re.MULTILINE)
    words = [re.sub(r"[^\w\s-]", "", heading).strip().lower() for heading in headings]
    return [re.sub(r"[-\s]+", "-", heading) for heading in words]


def questions():
    """The entries of docs/questions.md, each with its heading."""
    text = (ROOT / "docs" / "questions.md").read_text(encoding="utf-8")
    return re.split(r"^## ", text, flags=re.MULTILINE)[1:]
