"""Patterns over tensor names, and ordered rules that rename.

A pattern is a regular expression that must match a whole name. A rule is a
pattern and a replacement with groups (``\\1``) and numbers (``block{n}`` to ``blocks.{n-1}``,
see `computed`). Rules run in their order, each on
what the ones before made of a name; a map from names to names is instead taken
all at once, so that it can exchange two names. A pattern or key that matches
nothing is an error: it is always a typing mistake.
"""

import re

from tfgraphtools.checkpoints.names import computed
from tfgraphtools.errors import NothingMatchedError, PlanError, nearest


class Exactly(str):
    """The pattern of one name; `matching` looks it up and compiles nothing."""

    @property
    def name(self):
        """The name that it matches."""
        return self._name

    def __new__(cls, name):
        pattern = super().__new__(cls, re.escape(name))
        pattern._name = name
        return pattern


def exactly(name):
    """Returns the pattern that matches this name and no other."""
    return Exactly(name)


def matching(patterns, names, place):
    """Returns {name: the first pattern that matches it}.

    Args:
      patterns: a pattern or several.
      names: the names to look at, in order.
      place: the argument to name in an error.

    Raises:
      NothingMatchedError: a pattern matches no name.
      PlanError: a pattern is no regular expression.
    """
    patterns = [patterns] if isinstance(patterns, str) else patterns
    if not isinstance(patterns, (list, tuple, set)):
        raise PlanError(place, "a pattern or a list of them", repr(patterns), "Write 'scope/.*'.")
    pattern_of, known = {}, set(names)
    for pattern in patterns:
        if isinstance(pattern, Exactly):
            hits = [pattern.name] if pattern.name in known else []
        else:
            compiled = _compiled(pattern, place)
            hits = [name for name in names if compiled.fullmatch(name)]
        if not hits:
            raise nothing_matched(place, pattern, names)
        for name in hits:
            pattern_of.setdefault(name, pattern)
    return pattern_of


def renamed(rules, names, place):
    """Returns {name: new name} for the names that the rules change or confirm.

    Args:
      rules: {old name: new name}, or ordered (pattern, replacement) pairs.
      names: the names to look at.
      place: the argument to name in an error.

    Raises:
      NothingMatchedError, PlanError: as `matching`, or a replacement asks for a missing group.
    """
    if isinstance(rules, dict):
        known = set(names)
        for old in rules:
            if old not in known:
                raise nothing_matched(place, old, names)
            if not isinstance(rules[old], str):
                raise PlanError(place, f"a name for {old!r}", repr(rules[old]), "Write a string.")
        return dict(rules)
    new_names = {}
    for pattern, replacement in _pairs(rules, place):
        compiled = _compiled(pattern, place)
        hits = 0
        for name in names:
            match = compiled.fullmatch(new_names.get(name, name))
            if match:
                hits += 1
                new_names[name] = _expanded(match, replacement, place)
        if not hits:
            raise nothing_matched(place, pattern, [new_names.get(name, name) for name in names])
    return new_names


def _pairs(rules, place):
    for rule in rules if isinstance(rules, (list, tuple)) else [rules]:
        if not isinstance(rule, (list, tuple)) or len(rule) != 2:
            raise PlanError(
                place,
                "pairs of a pattern and a replacement",
                repr(rule),
                "Write [('old/(.*)', r'new/\\1')], or a map {'old/w': 'new/w'}.",
            )
        yield rule


def _compiled(pattern, place):
    try:
        return re.compile(computed.pattern(pattern), re.DOTALL)
    except (re.error, TypeError) as error:
        raise PlanError(
            place,
            "a regular expression",
            f"{pattern!r} ({error})",
            "Put a backslash before (, [, +, * or . of a plain name (in Python: re.escape).",
        )


def _expanded(match, replacement, place):
    replacement = computed.replacement(replacement, match, place)
    try:
        return match.expand(replacement)
    except (re.error, IndexError, TypeError) as error:
        raise PlanError(
            place,
            f"a replacement for {match.re.pattern!r}",
            f"{replacement!r} ({error})",
            "\\1 is the first group in parentheses of the pattern.",
        )


def nothing_matched(place, pattern, names):
    """Returns the error for a pattern that matches no name, with the nearest ones."""
    return NothingMatchedError(
        place,
        "a pattern that matches a tensor",
        f"{pattern!r}, which matches none of {len(names)}",
        NothingMatchedError.next_step_after(nearest(str(pattern), names)),
    )
