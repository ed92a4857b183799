"""The weights of pages in the site's search, and the words that people look for them by."""

import pathlib
from typing import Dict, List, NamedTuple

_HERE = pathlib.Path(__file__).resolve().parent


class Weight(NamedTuple):
    """A row of ``search_words.tsv``.

    Fields:
      boost: how much the words of a page count.
      words: what it does not say itself, and people type.
    """

    boost: float
    words: List[str]


def _table() -> Dict[str, Weight]:
    lines = (_HERE / "search_words.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return {
        page: Weight(float(boost), [w for w in words.split(", ") if w])
        for page, boost, words in rows
    }


TABLE = _table()


def of(page: str) -> Weight:
    """Returns the `Weight` of a page: ``guides/torch.md``."""
    name = page[: -len(".md")]
    return TABLE.get(name) or TABLE.get(name.rpartition("/")[0] + "/*") or Weight(1.0, [])


def ranking() -> str:
    """Returns the script that goes before the theme's search worker."""
    return (_HERE / "search_ranking.js").read_text(encoding="utf-8")
