"""Attributes and methods of objects that no library has today, from ``attribute_names.tsv``.

What other objects have as well (``append``, ``value``) is not among them.
"""

import pathlib


def _read():
    text = pathlib.Path(__file__).with_suffix(".tsv").read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            attribute, row, roots, today = (line.split("\t") + ["", ""])[:4]
            yield attribute, (row, tuple(roots.split()), today)


#: attribute -> (row, roots of the imports beside which it means that, its name today or "").
OLD_ATTRIBUTES = dict(_read())

#: Methods of unittest.TestCase that left Python 3.12, and what they are called today.
TEST_CASE = {
    attribute: today
    for attribute, (row, _, today) in OLD_ATTRIBUTES.items()
    if row == "unittest.TestCase"
}
