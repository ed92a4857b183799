"""The likeness of two names, for hints: renames that would make a checkpoint fit a graph."""

import difflib

from tfgraphtools.checkpoints.names import name_parts

#: A lower score is no likeness.
LEAST = 0.3


def words(name):
    """Returns a name's words, their neighbours and the last one again, to compare by."""
    meanings = _meanings(name)
    return (
        set(meanings)
        | set(zip(meanings, meanings[1:]))
        | {("the last", word) for word in meanings[-1:]}
    )


def ending(name):
    """Returns (the last word of a name, its numbers), to compare thousands of names by."""
    meanings = _meanings(name)
    last = next((word for word in reversed(meanings) if not word.isdigit()), "")
    return last, tuple(word for word in meanings if word.isdigit())


def _meanings(name):
    return [name_parts.role(word) or word for word in name_parts.words(name)]


def score(words_of_name, words_of_other, name, other):
    """Returns the share of `words` of two names in common, 0 to 1, and a little for letters.

    Args:
      words_of_name, words_of_other: the words of ``name`` and of ``other``.
    """
    share = (
        2.0 * len(words_of_name & words_of_other) / (len(words_of_name) + len(words_of_other))
        if words_of_name and words_of_other
        else 0.0
    )
    if share < LEAST:
        return share
    ratio = difflib.SequenceMatcher(None, name, other, autojunk=False).quick_ratio()
    return share + ratio * 1e-3
