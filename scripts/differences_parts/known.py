"""The known differences: (kind, pattern of the symbol, pattern of the cause, reason)."""

import re

KNOWN = (
    ("shape", r".*", r"static shape gained", "more is known; nothing that 1.15 knew is lost"),
    ("accepts", r".*", r".*", "an error of 1.15 became a result: no script relies on an error"),
    ("op type", r".*", r"(\w+) became \1V\d+", "the op has a new version that computes the same"),
)


def reason(kind, symbol, cause):
    """Why a difference is a known one, or ""."""
    for of_kind, of_symbol, of_cause, why in KNOWN:
        if kind == of_kind and re.fullmatch(of_symbol, symbol) and re.match(of_cause, cause):
            return why
    return ""
