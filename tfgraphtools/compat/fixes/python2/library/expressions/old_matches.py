"""Matches of nothing that Python 2's ``re`` found, and what it put or split there.

After an empty match it went on at the next character, so that a longer match at the same place was
not looked for; `sub` passed an empty match that followed another match, `split` passed all of them.

Source: ``Modules/_sre.c`` of Python 2.7.
"""

import functools
import re

#: What an expression has in it that can match nothing.
_MAY_BE_EMPTY = re.compile(r"[*?|{^$#]|\\[bBAZ]|\(\)|\A\Z")

#: An escape, a class of characters, or a place: the beginning, the end, the edge of a word.
_PIECE = re.compile(
    r"(?P<place>[\^$]|\\[bBAZ])|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?(?P<around><?[=!])", re.DOTALL
)


@functools.lru_cache(maxsize=512)
def may_be_empty(pattern):
    """Tells whether an expression may match nothing in some text."""
    if not _MAY_BE_EMPTY.search(pattern.pattern):
        return False
    pieces = list(_PIECE.finditer(pattern.pattern))
    if pattern.flags & re.VERBOSE or any(piece["around"] for piece in pieces):
        return True
    try:  # without its places it matches more, and nothing where it matches in ""
        anywhere = _PIECE.sub(_without_places, pattern.pattern)
        return re.compile(anywhere, pattern.flags).match("") is not None
    except re.error:
        return True


def matches(pattern, text, start=0, end=None):
    """Returns an iterator of the matches that Python 2's ``finditer`` gave."""
    end = len(text) if end is None else min(end, len(text))
    start = max(start, 0)
    while start <= end:
        match = pattern.search(text, start, end)
        if match is None:
            return
        yield match
        start = match.end() + (match.end() == match.start())


def found(pattern, text, *places):
    """Returns the list that Python 2's ``findall`` gave."""
    groups = range(1, pattern.groups + 1)
    if len(groups) < 2:
        return [match.group(len(groups)) or "" for match in matches(pattern, text, *places)]
    return [match.groups("") for match in matches(pattern, text, *places)]


UNMATCHED = "unmatched group"

#: What a template has in it: a group by its name or number, the number of a character, an escape.
_REFERENCE = re.compile(r"\\(?:g<([^>]*)>|[0-7]{3}|([1-9][0-9]?)|.)", re.DOTALL)


def expanded(match, template):
    """Returns ``match.expand(template)``, which wants each group that it names to have matched.

    Raises:
      re.error: one has not.
    """
    for group in _groups_of(str(template)):
        if match.group(group) is None:
            raise re.error(UNMATCHED)
    return match.expand(template)


@functools.lru_cache(maxsize=512)
def _groups_of(template):
    names = [reference[1] or reference[2] for reference in _REFERENCE.finditer(template)]
    return [int(name) if name.isdigit() else name for name in names if name]


def checked_template(pattern, template):
    """Returns what `sub` gets for a template that may name groups which have not matched."""
    groups = _groups_of(template)
    known = {*range(pattern.groups + 1), *pattern.groupindex}
    if not groups or not known.issuperset(groups) or not re.search(r"[|?*{]", pattern.pattern):
        return template
    return functools.partial(_expanded_by, template)


def _expanded_by(template, match):
    return expanded(match, template)


def _without_places(piece):
    return "" if piece["place"] else piece.group()


def replaced(pattern, new, text, count):
    """Returns what Python 2's ``subn`` gave: the text and how often it was changed."""
    parts, last, number = [], 0, 0
    for match in matches(pattern, text):
        start, end = match.span()
        if start == end == last and number:  # nothing, behind another match
            continue
        parts += [text[last:start], new(match) if callable(new) else match.expand(new)]
        last, number = end, number + 1
        if number == count:
            break
    return "".join([*parts, text[last:]]), number


def split(pattern, text, maxsplit):
    """Returns the parts that Python 2's ``split`` gave."""
    parts, last, number = [], 0, 0
    for match in matches(pattern, text):
        if match.start() == match.end():
            continue
        if maxsplit and number >= maxsplit:
            break
        parts += [text[last : match.start()], *match.groups()]
        last, number = match.end(), number + 1
    return [*parts, text[last:]]
