"""Frequencies by the letters of pandas 1: ``resample('H')``, ``date_range(freq='M')``."""

import re
import sys

from tfgraphtools.compat.engine import notices, rows, state
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.pandas.wrapping import wrap

_FREQUENCIES = Row(
    "pandas.frequencies",
    "pandas 3.0",
    "resample('H'), date_range(freq='M'), index.freqstr: frequencies by their letters",
)

TABLE = Table("frequencies of pandas", "listed", [_FREQUENCIES])

#: Letters of pandas 1 -> of today.
_LETTERS = {"H": "h", "T": "min", "S": "s", "L": "ms", "U": "us", "N": "ns", "M": "ME", "Q": "QE"}
_LETTERS.update({"A": "YE", "Y": "YE", "AS": "YS", "BM": "BME", "BQ": "BQE", "SM": "SME"})
_LETTERS.update({"BA": "BYE", "BY": "BYE", "BAS": "BYS", "BH": "bh", "CBM": "CBME", "CBH": "cbh"})

#: Those of them that periods still have, or have otherwise.
_OF_PERIODS = {"M": "M", "Q": "Q", "A": "Y", "Y": "Y"}

#: Letters of today -> what pandas 1 wrote.
_WRITTEN = {new: old for old, new in _LETTERS.items() if old not in ("Y", "BY")}

_PART = re.compile(r"([-+]?\s*\d*\.?\d*\s*)([A-Za-z]+)(-[A-Z0-9]+)?\s*")


def restore(pandas):
    """Changes pandas."""
    if not rows.is_on(_FREQUENCIES):
        return
    from pandas._libs.tslibs.offsets import to_offset as plain

    def to_offset(freq, is_period=False):
        try:
            return plain(freq, is_period)
        except ValueError:
            changed = _translated(freq, {**_LETTERS, **(_OF_PERIODS if is_period else {})})
            if changed == freq:
                raise
        found = plain(changed, is_period)
        rows.used(_FREQUENCIES)
        return found

    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "pandas" and vars(module).get("to_offset") is plain:
            state.set_attribute(module, "to_offset", to_offset)
    wrap(pandas.core.arrays.period, "dt64arr_to_periodarr", _of_periods(1))
    wrap(pandas.core.arrays.PeriodArray, "_generate_range", _of_periods(3))
    wrap(pandas, "infer_freq", _written)
    wrap(pandas, "to_timedelta", _of_units)
    for cls in (pandas.DatetimeIndex, pandas.TimedeltaIndex):
        plain_text = cls.freqstr.fget
        state.set_attribute(cls, "freqstr", property(_written(plain_text)))


def _translated(freq, letters):
    """A frequency with other letters; the same where it is none."""
    parts = list(_PART.finditer(freq)) if isinstance(freq, str) else []
    if not parts or sum(len(part.group()) for part in parts) != len(freq):
        return freq
    return "".join(
        part.group(1) + letters.get(part.group(2), part.group(2)) + (part.group(3) or "")
        for part in parts
    )


def _of_periods(place):
    def change(plain):
        def function(*arguments, **options):
            letters = {**_LETTERS, **_OF_PERIODS}
            if len(arguments) > place:
                changed = _translated(arguments[place], letters)
                arguments = (*arguments[:place], changed, *arguments[place + 1 :])
            elif "freq" in options:
                options["freq"] = _translated(options["freq"], letters)
            return plain(*arguments, **options)

        return function

    return change


def _written(plain):
    def text(*arguments, **options):
        found = plain(*arguments, **options)
        if found is None or not notices.is_called_by_user(("tfgraphtools",)):
            return found
        changed = _translated(found, _WRITTEN)
        if changed != found:
            rows.used(_FREQUENCIES)
        return changed

    return text


def _of_units(plain):
    def to_timedelta(arg, unit=None, *arguments, **options):
        if unit in ("H", "T", "S", "L", "U", "N"):
            rows.used(_FREQUENCIES)
            unit = _LETTERS[unit]
        return plain(arg, unit, *arguments, **options)

    return to_timedelta
