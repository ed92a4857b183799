"""The main job: what it promises holds, under both kinds of variable, and as its users run it."""

import re

import numpy as np
import pytest

pytestmark = pytest.mark.default_variables


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
