"""Dates of pandas 1: frequencies by their letters, dates of several forms, patterns of texts."""

import functools
import re

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes import build

_FREQUENCIES = Fix(
    "pandas.frequencies",
    "pandas 3.0",
    "resample('H'), date_range(freq='M'): frequencies by their letters",
    cannot="write 'h', 'ME', 'YE' for 'H', 'M', 'Y'",
)
_TEXTS = Fix(
    "pandas.texts",
    "pandas 2.0",
    "series.str.replace(pattern, new) takes a regular expression; to_datetime parses each "
    "string separately, whatever the format of the first one",
    cannot="write str.replace(pattern, new, regex=True), to_datetime(format='mixed')",
)

TABLE = Table("dates and texts of pandas", "listed", [_FREQUENCIES, _TEXTS])

#: Letters of pandas 1 -> of today.
_LETTERS = {"H": "h", "T": "min", "S": "s", "L": "ms", "U": "us", "N": "ns", "M": "ME", "Q": "QE"}
_LETTERS.update({"A": "YE", "Y": "YE", "AS": "YS", "BM": "BME", "BQ": "BQE", "SM": "SME"})
_LETTERS.update({"BA": "BYE", "BY": "BYE", "BAS": "BYS", "BH": "bh", "CBM": "CBME", "CBH": "cbh"})

#: Those that periods still have, or have otherwise.
_OF_PERIODS = {**_LETTERS, "M": "M", "Q": "Q", "A": "Y", "Y": "Y"}

_PART = re.compile(r"([-+]?\s*\d*\.?\d*\s*)([A-Za-z]+)(-[A-Z0-9]+)?\s*")


def replacements():
    """Returns what changes the functions for user code."""
    result = [
        *build.replacements(_TEXTS, _replace_text, "pandas:Series.str.replace"),
        *build.replacements(_TEXTS, _to_datetime, "pandas:to_datetime"),
    ]
    for names, place, argument, letters in (
        ("DataFrame.resample Series.resample", 1, "rule", _LETTERS),
        ("DataFrame.asfreq Series.asfreq", 1, "freq", _LETTERS),
        ("DataFrame.shift Series.shift", 2, "freq", _LETTERS),
        ("date_range timedelta_range", 3, "freq", _LETTERS),
        ("period_range", 3, "freq", _OF_PERIODS),
        ("to_timedelta", 1, "unit", _LETTERS),
    ):
        function = functools.partial(_by_letters, place, argument, letters)
        result += build.replacements(_FREQUENCIES, function, "pandas:" + names)
    return result


def _by_letters(place, name, letters, original, *arguments, **options):
    if len(arguments) > place:
        changed = translated(arguments[place], letters)
        arguments = (*arguments[:place], changed, *arguments[place + 1 :])
    if name in options:
        options[name] = translated(options[name], letters)
    return original(*arguments, **options)


def translated(freq, letters=None):
    """Returns a frequency in today's letters; what is none stays."""
    letters = _LETTERS if letters is None else letters
    parts = list(_PART.finditer(freq)) if isinstance(freq, str) else []
    if not parts or sum(len(part.group()) for part in parts) != len(freq):
        return freq
    today = "".join(
        part.group(1) + letters.get(part.group(2), part.group(2)) + (part.group(3) or "")
        for part in parts
    )
    if today != freq:
        rows.used(_FREQUENCIES)
    return today


def _replace_text(original, self, pat, repl=None, *arguments, **options):
    """Takes a pattern of more than one character as a regular expression."""
    if len(arguments) < 4 and options.get("regex") is None:
        options["regex"] = not isinstance(pat, (str, dict)) or len(pat) > 1
        if options["regex"]:
            rows.used(_TEXTS)
    return original(self, pat, repl, *arguments, **options)


def _to_datetime(original, arg, *arguments, **options):
    options.pop("infer_datetime_format", None)
    names_format = len(arguments) > 4 or "format" in options or "unit" in options
    if not names_format and _are_texts(arg):
        rows.used(_TEXTS)
        options["format"] = "mixed"
    return original(arg, *arguments, **options)


def _are_texts(arg):
    """Tells whether it is a list, an array or a series of texts."""
    if isinstance(arg, (str, dict)) or not hasattr(arg, "__len__"):
        return False
    values = getattr(arg, "values", arg)
    return getattr(values, "ndim", 1) == 1 and any(isinstance(text, str) for text in values[:100])
