r"""``re`` of Python 2: ``\w``, ``\d`` and ``\s`` mean ASCII, and bytes beyond it are searched.

An expression or a text that is a `ByteText` is searched with one character for each byte.
"""

import functools
import re

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.fixes.python2.library.byte_texts import (
    ByteText,
    latin,
    of_bytes,
    of_latin,
)
from tfgraphtools.compat.fixes.python2.library.expressions import old_matches
from tfgraphtools.compat.fixes.python2.table import TEXT

#: An expression that asks for Unicode, or for the locale, itself.
_OWN_FLAGS = re.compile(r"\(\?[a-zA-Z]*[uL]")


class Pattern:
    """A compiled expression; what it does not do itself, that of today does.

    Args:
      pattern: the expression.
      flags: those of `re`.
    """

    def __init__(self, pattern, flags=0):
        flags = int(flags)
        if isinstance(pattern, bytes):
            pattern = of_bytes(bytes(pattern))
        self.pattern = pattern
        if not flags & (re.UNICODE | re.LOCALE) and not _OWN_FLAGS.search(pattern):
            rows.used(TEXT)
            flags |= re.ASCII
        self._given = flags & ~re.LOCALE
        self._text = _compiled(pattern[:] if type(pattern) is str else str(pattern), self._given)

    @property
    def _latin(self):
        return _compiled(latin(self.pattern), self._given & ~re.UNICODE | re.ASCII)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._text, name)

    def __eq__(self, other):
        return isinstance(other, Pattern) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())

    def _key(self):
        return self.pattern, self._given

    def __reduce__(self):
        return re.compile, (str(self.pattern), self._given)

    def __deepcopy__(self, memo):
        return self

    def _for(self, text):
        """Returns (the expression that searches a text, the text, what to make of results)."""
        if isinstance(text, bytes):
            text = of_bytes(bytes(text))
        is_bytes = type(text) is ByteText or (
            type(self.pattern) is ByteText and isinstance(text, str) and text.isascii()
        )
        if not is_bytes:
            return self._text, text, None
        return self._latin, latin(text), _of_latin

    def _match(self, method, text, arguments):
        pattern, text, restored = self._for(text)
        match = getattr(pattern, method)(text, *arguments)
        return match if match is None or restored is None else Match(match)

    def match(self, string, *places):
        """Matches at the beginning."""
        return self._match("match", string, places)

    def search(self, string, *places):
        """Searches."""
        return self._match("search", string, places)

    def finditer(self, string, *places):
        """Returns an iterator of the matches."""
        pattern, text, restored = self._for(string)
        is_old = old_matches.may_be_empty(pattern)
        find = functools.partial(old_matches.matches, pattern) if is_old else pattern.finditer
        matches = find(text, *places)
        return matches if restored is None else map(Match, matches)

    def findall(self, string, *places):
        """Returns the list of what is found."""
        pattern, text, restored = self._for(string)
        is_old = old_matches.may_be_empty(pattern)
        find = functools.partial(old_matches.found, pattern) if is_old else pattern.findall
        results = find(text, *places)
        return results if restored is None else _of_latin(results)

    def split(self, string, maxsplit=0):
        """Splits a text; Python 2 did not split at empty matches."""
        pattern, text, restored = self._for(string)
        is_old = old_matches.may_be_empty(pattern)
        split = functools.partial(old_matches.split, pattern) if is_old else pattern.split
        results = split(text, maxsplit)
        return results if restored is None else _of_latin(results)

    def sub(self, repl, string, count=0):
        """Replaces what is found."""
        return self.subn(repl, string, count)[0]

    def subn(self, repl, string, count=0):
        """Replaces what is found; returns (text, how often)."""
        is_bytes = isinstance(repl, ByteText) and isinstance(string, str) and string.isascii()
        pattern, text, restored = self._for(ByteText(string.encode()) if is_bytes else string)
        if restored is None:
            return _changed(pattern, repl, text, count)
        if callable(repl):
            new = functools.partial(_replaced, repl)
        else:
            new = latin(repl)
        text, number = _changed(pattern, new, text, count)
        return of_latin(text), number


def _replaced(function, match):
    return latin(function(Match(match)))


def _changed(pattern, new, text, count):
    if isinstance(new, str):
        new = old_matches.checked_template(pattern, new)
    if old_matches.may_be_empty(pattern):
        return old_matches.replaced(pattern, new, text, count)
    return pattern.subn(new, text, count)


class Match:
    """A match in a text of bytes."""

    def __init__(self, match):
        self._match = match

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        value = getattr(self._match, name)
        if not callable(value):
            return _of_latin(value)

        def method(*arguments):
            return _of_latin(value(*[_latin(argument) for argument in arguments]))

        return method


def expanded(match, template):
    """Returns ``match.expand(template)``; of others than matches what their method does."""
    if not isinstance(match, (re.Match, Match)):
        return match.expand(template)
    return old_matches.expanded(match, template)


def _latin(value):
    return latin(value) if type(value) is ByteText else value


def _of_latin(value):
    if isinstance(value, str):
        return of_latin(value)
    if type(value) in (list, tuple):
        return type(value)(map(_of_latin, value))
    if type(value) is dict:
        return {key: _of_latin(item) for key, item in value.items()}
    return value


@functools.lru_cache(maxsize=512)
def _compiled(pattern, flags):
    return re.compile(pattern, flags)


@functools.lru_cache(maxsize=512)
def _kept(pattern, flags, kind):
    return Pattern(pattern, flags)


def compile_(pattern, flags=0):
    """Returns a `Pattern`."""
    if isinstance(pattern, (Pattern, re.Pattern)):
        return pattern
    return _kept(pattern, int(flags), type(pattern))


def _function(name):
    def call(pattern, *arguments, **options):
        places = {"split": 2, "sub": 3, "subn": 3}
        flags, arguments = options.pop("flags", 0), list(arguments)
        if len(arguments) > places.get(name, 1):
            flags = arguments.pop()
        return getattr(compile_(pattern, flags), name)(*arguments, **options)

    call.__name__ = name
    call.__doc__ = getattr(re, name).__doc__
    return call


def functions():
    """Returns {name: function} of the module."""
    names = "match search finditer findall split sub subn"
    return {"compile": compile_, **{name: _function(name) for name in names.split()}}
