"""Where Python 2's ``re`` found matches of nothing, and what it put or split there.

After an empty match it went on at the next character, so that a longer match at the same place was
not looked for; `sub` passed an empty match that followed another match, `split` passed all of them.

Source: ``Modules/_sre.c`` of Python 2.7.
"""

import re

#: What an expression has in it that can match nothing.
_MAY_BE_EMPTY = re.compile(r"[*?|{^$#]|\\[bBAZ]|\(\)|\A\Z")


def finds_empty(pattern, text, *places):
    """Tells whether an expression matches nothing somewhere in a text."""
    if not _MAY_BE_EMPTY.search(pattern.pattern):
        return False
    return any(match.start() == match.end() for match in pattern.finditer(text, *places))


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
