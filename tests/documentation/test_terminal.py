"""The terminal picture of the README shows what its commands print."""

import html
import re
import sys

import pytest
from places import ROOT

from tfgraphtools.compat import tf_version


@pytest.mark.slow
def test_the_picture_shows_what_the_commands_print(tmp_path, monkeypatch):
    if (tf_version.tensorflow_version() or (0, 0)) < tf_version.OLDEST:
        pytest.skip("the picture is about TF 2.16 and newer")
    monkeypatch.setattr(sys, "path", [str(ROOT / "scripts" / "site"), *sys.path])
    import terminal

    picture = (ROOT / "docs" / "pictures" / "terminal.svg").read_text(encoding="utf-8")
    picture = html.unescape(picture.replace("&#160;", " "))
    texts = re.findall(r"<text[^>]*>(.*)</text>", picture)
    printed = []
    for command, remark, lines in terminal.transcript(tmp_path):
        printed += [f"$ {command}", remark, *lines]
    assert texts == printed
    assert "step 2: loss 2.00" in printed
    assert any(line.startswith("AttributeError") for line in printed)
