"""A plan read as a checkpoint is what `apply` writes, tensor by tensor and bit by bit."""

import numpy as np
import pytest

from tfgraphtools import checkpoints
from tfgraphtools.cli import main
from tfgraphtools.errors import DamagedCheckpointError

pytestmark = pytest.mark.quick

ARRAYS = {
    "a/kernel": np.arange(12, dtype=np.float32).reshape(3, 4),
    "a/kernel/ExponentialMovingAverage": np.arange(12, dtype=np.float32).reshape(3, 4) + 1,
    "a/bias": np.ones(4, np.float32),
    "step": np.int64(5),
    "words": np.array([b"x", b"yz"], "S2"),
}

#: name: the arguments of `plan`
PLANS = {
    "nothing": {},
    "renamed": {"rename": [("a/(.*)", r"b/\1")]},
    "dropped": {"drop": ["a/bias"]},
    "transposed": {"transpose": {"a/kernel": [1, 0]}},
    "cast": {"cast": {"a/bias": "float16"}},
    "partitioned": {"partition": {"a/kernel": (3, 0)}},
    "bfloat16": {"cast": {"a/kernel": "bfloat16"}},
    "alias": {"alias": {"a/kernel/ExponentialMovingAverage": "a/kernel"}},
    "several": {"drop": ["words"], "rename": {"step": "n"}, "transpose": {"a/kernel": [1, 0]}},
}


@pytest.fixture
def source(tmp_path):
    np.savez(str(tmp_path / "in.npz"), **ARRAYS)
    checkpoints.from_npz(str(tmp_path / "in.npz"), str(tmp_path / "in.ckpt"))
    return str(tmp_path / "in.ckpt")


@pytest.mark.parametrize("name", sorted(PLANS))
def test_view_is_what_apply_writes(source, tmp_path, name):
    with checkpoints.open_checkpoint(source) as ckpt:
        plan = checkpoints.plan(ckpt, **PLANS[name])
        plan.apply(str(tmp_path / "new"))
        view = plan.view()
        with checkpoints.open_checkpoint(str(tmp_path / "new")) as written:
            assert list(view) == list(written)
            for tensor in written:
                assert view.info(tensor)[:4] == written.info(tensor)[:4] or tensor == "words"
                assert np.array_equal(view[tensor], written[tensor])
                assert view[tensor].dtype == written[tensor].dtype
        for write, ending in (
            (checkpoints.to_npz, ".npz"),
            (checkpoints.to_safetensors, ".safetensors"),
        ):
            write(view, str(tmp_path / ("view" + ending)))
            write(str(tmp_path / "new"), str(tmp_path / ("new" + ending)))
            bytes_of = [(tmp_path / (stem + ending)).read_bytes() for stem in ("view", "new")]
            assert bytes_of[0] == bytes_of[1]


def test_damage_is_found(source, tmp_path):
    data = tmp_path / "in.ckpt.data-00000-of-00001"
    raw = bytearray(data.read_bytes())
    raw[4] ^= 1
    data.write_bytes(bytes(raw))
    with checkpoints.open_checkpoint(source) as ckpt:
        for rules in ({}, {"transpose": {"a/kernel": [1, 0]}}, {"transpose": {"a/bias": [0]}}):
            with pytest.raises(DamagedCheckpointError):
                view = checkpoints.plan(ckpt, **rules).view()
                checkpoints.to_npz(view, str(tmp_path / "x.npz"))
    assert not (tmp_path / "x.npz").exists()


def test_command(source, tmp_path, capsys):
    to = str(tmp_path / "out.safetensors")
    options = ["--use-ema", "--drop", "words", "--rule", "a/(.*)", r"net/\1"]
    options += ["--transpose", "a/kernel", "1,0", "--cast", "a/bias", "float16"]
    assert main(["ckpt", "convert", source, to, "--to", "safetensors", *options]) == 0
    with checkpoints.open_checkpoint(to) as written:
        assert sorted(written) == ["net/bias", "net/kernel", "step"]
        expected = ARRAYS["a/kernel/ExponentialMovingAverage"].T
        assert np.array_equal(written["net/kernel"], expected)
        assert written["net/bias"].dtype == np.float16
    capsys.readouterr()
    mistakes = ["--transpose", "a/kernel", "x"]
    assert main(["ckpt", "convert", source, to + "2", "--to", "safetensors", *mistakes]) == 2
    assert "Write 1,0." in capsys.readouterr().err
