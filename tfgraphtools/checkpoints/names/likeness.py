"""How alike two names are, for hints: renames that would make a checkpoint fit a graph."""

import difflib

from tfgraphtools.checkpoints.names import parts

#: A lower score is no likeness.
LEAST = 0.3


def words(name):
    """The words of a name, their neighbours, and the last one again, to compare names by."""
    found = _meanings(name)
    return set(found) | set(zip(found, found[1:])) | {("the last", word) for word in found[-1:]}


def ending(name):
    """(the last word of a name, its numbers): all that thousands of names are compared by."""
    found = _meanings(name)
    last = next((word for word in reversed(found) if not word.isdigit()), "")
    return last, tuple(word for word in found if word.isdigit())


def _meanings(name):
    return [parts.role(word) or word for word in parts.words(name)]


def score(one, two, name, other):
    """The share of `words` that two names have in common, 0 to 1, and a little for their letters.

    Args:
      one, two: the words of ``name`` and of ``other``.
    """
    found = 2.0 * len(one & two) / (len(one) + len(two)) if one and two else 0.0
    if found < LEAST:
        return found
    ratio = difflib.SequenceMatcher(None, name, other, autojunk=False).quick_ratio()
    return found + ratio * 1e-3
