"""The demo: what it promises holds, under both kinds of variable, and as its users run it."""

import re
import sys
import types

import numpy as np
import pytest
from places import ROOT


def test_main_job(recipe, variables, tmp_path, capsys):
    figures = recipe("finetune_digits").main(["--out", str(tmp_path), "--steps", "150"])
    assert figures["frozen_throughout"] == 120  # the largest quarter of 48 x 10
    assert figures["changed_though_frozen_throughout"] == 0
    assert figures["frozen_element_steps"] == 150 * (120 + 240 / 2)
    assert figures["changed_while_frozen"] == 0
    assert figures["moved_element_steps"] > 0.9 * 150 * 240  # and the others did train
    assert min(figures["pretrained"]) > 0.85
    assert figures["after"][1] > figures["before"][1]
    assert figures["after"][1] > 0.93
    layers = figures["layers"]
    assert 0 < max(layers["conv1/kernel"], layers["conv2/kernel"]) < 0.1 * layers["hidden/kernel"]
    assert (tmp_path / "pretrained.ckpt.index").exists()
    assert (tmp_path / "finetune_digits.png").read_bytes().startswith(b"\x89PNG")


def test_the_witness_sees_a_single_bit(recipe):
    Witness = recipe("finetune_digits").Witness
    state = [np.array([1.0, 0.0], np.float32) for _ in range(3)]
    witness = Witness(state)
    frozen = np.array([False, True])
    for slot in range(3):  # minus zero is another value of the same number
        changed = [array.copy() for array in witness.now]
        changed[slot][1] = -changed[slot][1]
        witness.see(frozen, changed)
        assert witness.broken == slot + 1
    assert (witness.frozen_throughout == frozen).all() and witness.moved == 0


def test_as_a_script_without_a_terminal(recipe, this_server, tmp_path):
    path = recipe("finetune_digits").__file__
    done = this_server.run(tmp_path, path, "--out", "here", "--steps", "4")
    assert done.code == 0, done.err
    assert "pretrain  4/4 loss" in done.err and "\x1b" not in done.err + done.out
    assert re.search(r"Frozen at every step: \d+ elements; of these changed: 0\.", done.out)
    assert (tmp_path / "here" / "finetune_digits.png").exists()


def test_usage(recipe, capsys):
    with pytest.raises(SystemExit):
        recipe("finetune_digits").main(["--steps", "0"])
    assert "--steps: expected at least 1" in capsys.readouterr().err


@pytest.fixture
def pictures(monkeypatch):
    """The module that draws the committed pictures."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts" / "site"))
    yield __import__("pictures")
    sys.modules.pop("pictures")


def test_the_picture_shows_what_moved(recipe, pictures, tmp_path):
    """Read back from the pixels: frozen elements are black, the largest change is not."""
    image = pytest.importorskip("PIL.Image")
    change = np.random.RandomState(0).uniform(0.001, 0.08, (48, 10))
    change[::3] = 0
    change[31, 4] = 0.09
    finetuned = types.SimpleNamespace(
        losses=np.ones(20),
        how_often=(change == 0).astype(float),
        witness=types.SimpleNamespace(change=lambda: change),
    )
    drawn = tmp_path / "drawn.png"
    places = recipe("finetune_digits").draw(drawn, np.ones(20), finetuned)
    pictures.save(tmp_path / "saved.png", drawn)
    with image.open(str(tmp_path / "saved.png")) as picture:
        assert picture.mode == "RGB"
        pixels = np.asarray(picture).astype(int)
    columns, rows = np.moveaxis(places * [pixels.shape[1], pixels.shape[0]], -1, 0).astype(int)
    colors = pixels[rows, columns]
    is_black = np.abs(colors - 0x22).max(-1) < 12
    assert (is_black == (change == 0)).all()
    assert colors[31, 4][0] - colors[31, 4][1:].max() > 60  # red
    moved = change > 0
    lightness = colors.sum(-1)
    assert np.corrcoef(change[moved], lightness[moved])[0, 1] < -0.9


def test_the_committed_pictures_have_true_colors():
    image = pytest.importorskip("PIL.Image")
    paths = sorted((ROOT / "docs" / "pictures").glob("*.png"))
    modes = {path.name: image.open(str(path)).mode for path in paths}
    assert len(modes) > 10 and {name: mode for name, mode in modes.items() if mode == "P"} == {}
