"""The documentation has a row of a table for every family of models."""

import pathlib
import re

import pytest

from tfgraphtools.checkpoints.families import family_registry

pytestmark = pytest.mark.once

GUIDE = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "guides" / "families.md"


@pytest.mark.parametrize("name", [family.name for family in family_registry.FAMILIES])
def test_a_family_has_a_row(name):
    rows = re.findall(r"^\|.*", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    words = re.findall(r"[\w-]+", name.replace("'s", ""))
    assert any(all(re.search(rf"\b{word}\b", row) for word in words) for row in rows)
