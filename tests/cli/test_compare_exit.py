"""The exit code of `run --compare`, of a comparison that is no process: those cost 20 seconds."""

import pytest

from tfgraphtools import cli
from tfgraphtools.runner import tf1_comparison


class Comparison:
    def __init__(self, same):
        self.same = same

    def as_dict(self):
        return {"same": self.same}

    def __str__(self):
        return f"same: {self.same}"


@pytest.mark.parametrize("options", [[], ["--json"]], ids=["text", "json"])
@pytest.mark.parametrize("same", [True, False])
def test_it_says_whether_both_are_the_same(same, options, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(tf1_comparison, "run", lambda *arguments: Comparison(same))
    script = tmp_path / "train.py"
    script.write_text("")
    words = ["run", "--compare", "python3.7", *options, str(script)]
    assert cli.main(words) == (0 if same else 1)
    assert str(same).lower() in capsys.readouterr().out.lower()
