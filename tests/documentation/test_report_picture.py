"""The picture of the tutorial shows the report that `tfgraphtools revive` writes."""

import sys

import pytest
from places import ROOT

from tfgraphtools.compat import tf_version


@pytest.mark.slow
def test_the_picture_shows_the_report(tmp_path, monkeypatch, tf1_python):
    if (tf_version.tensorflow_version() or (0, 0)) < tf_version.OLDEST:
        pytest.skip("the picture is about TF 2.16 and newer")
    monkeypatch.setattr(sys, "path", [str(ROOT / "scripts" / "site"), *sys.path])
    import report_picture

    shown = report_picture.cells(report_picture.report(tmp_path, tf1_python))
    picture = (ROOT / "docs" / "pictures" / "revived.svg").read_text(encoding="utf-8")
    assert picture == report_picture.draw(*shown)
    assert shown[1].startswith("Every command runs.") and "numbers agree" in shown[2][1][3]
