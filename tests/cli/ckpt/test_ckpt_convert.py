"""`tfgraphtools ckpt convert` and `ckpt verify --against`: printed tables, maps, exit codes."""

import json

import numpy as np
import pytest
from checkpoint_files import files_of

from tfgraphtools import checkpoints
from tfgraphtools.cli.ckpt import convert_options

TENSORS = {
    "net/w": np.float32([1, 2, 3]),
    "net/w/Momentum": np.float32([4, 5, 6]),
    "global_step": np.int64(7),
}
HYPER = ["--hyper", "learning_rate=0.5", "--hyper", "momentum=0.9"]
OBJECT = ["--to", "object", "--rule", "net/(.*)", r"model/\1"]


@pytest.fixture
def prefix(written):
    return written(TENSORS)


def test_there_and_back_with_proof(run, prefix, tmp_path):
    object_based, back, written = (tmp_path / name for name in ("object", "back", "map.json"))
    code, out, err = run("convert", prefix, object_based, *OBJECT, *HYPER, "--write-map", written)
    rows = [line.split() for line in out.splitlines()]
    assert code == 0 and rows[0] == ["name", "dtype", "shape", "from", "steps"]
    assert ["net/w", "by", "rule"] in [row[-3:] for row in rows]
    assert any("times" in row and "-0.5" in row for row in rows)
    assert "goes on exactly as tf_keras.optimizers.legacy.SGD(learning_rate=0.5" in err
    code, out, err = run("verify", prefix, "--against", object_based, "--map", written)
    assert (code, out, err) == (
        0,
        "4 same, 0 changed, 0 missing, 0 extra, 0 left out by the map\n",
        "",
    )
    assert run("convert", object_based, back, "--to", "tf1")[0] == 0
    assert run("verify", prefix, "--against", back)[0] == 0
    assert not checkpoints.diff(prefix, back)


def test_verify_against_finds_what_differs(run, prefix, tmp_path):
    other = tmp_path / "other"
    with checkpoints.open_checkpoint(prefix) as ckpt:
        drop = ["net/w", "global_step"]
        add = {"net/w": np.float32([1, 2, 4]), "x": 1.0}
        checkpoints.plan(ckpt, drop=drop, add=add).apply(other)
    code, out, _ = run("verify", prefix, "--against", other)
    assert code == 1 and "1 element: by at most 1" in out
    assert "1 same, 1 changed, 1 missing, 1 extra" in out
    code, out, _ = run("verify", prefix, "--against", other, "--json")
    report = json.loads(out)
    assert code == 1 and not report["ok"] and report["missing"] == ["global_step"]
    lenient = ["--tolerance", "2", "--ignore", "x", "--ignore", "global_step"]
    assert run("verify", prefix, "--against", other, *lenient)[0] == 0


def test_dry_run_and_json(run, prefix, tmp_path):
    before = files_of(tmp_path)
    code, out, _ = run("convert", prefix, *OBJECT, *HYPER, "--dry-run", "--json")
    rows = {row["name"]: row for row in json.loads(out)}
    assert code == 0 and rows["model/w/.ATTRIBUTES/VARIABLE_VALUE"]["sources"] == ["net/w"]
    assert files_of(tmp_path) == before
    result = json.loads(run("convert", prefix, tmp_path / "o", *OBJECT, *HYPER, "--json")[1])
    assert result["linked"] > 0


def test_like(run, prefix, tmp_path):
    run("convert", prefix, tmp_path / "like", *OBJECT, *HYPER)
    code, out, _ = run(
        "convert", prefix, tmp_path / "o", "--to", "object", "--like", tmp_path / "like"
    )
    assert code == 0 and "kept from" in out
    assert not checkpoints.diff(tmp_path / "like", tmp_path / "o").changed


@pytest.mark.parametrize(
    "words, message",
    [
        (["x"], "--to"),
        (["x", "--to", "npz", "--like", "y"], "--like"),
        (["--to", "object"], "a destination"),
        (["x", "--to", "object"], "--rule, --map or --like"),
        (["x", *OBJECT, "--map", "y"], "both"),
        (["x", *OBJECT, "--hyper", "learning_rate"], "NAME=NUMBER"),
        (["x", *OBJECT, "--hyper", "rate=1"], "TF 1's names"),
        (["x", *OBJECT], "--hyper learning_rate="),
        (["x", *OBJECT, "--like", "nowhere"], "nowhere"),
        (["x", "--to", "tf1"], "name-based already"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(run, prefix, tmp_path, words, message):
    before = files_of(tmp_path)
    try:
        words = [str(tmp_path / word) if word == "x" else word for word in words]
        code, out, err = run("convert", prefix, *words)
    except SystemExit as error:  # argparse's own
        code, out, err = error.code, "", message
    assert code == 2 and not out and message in err
    assert files_of(tmp_path) == before


def test_verify_wants_something_to_compare_with(run, prefix):
    code, _, err = run("verify", prefix, "--tolerance", "1")
    assert code == 2 and "--against OTHER" in err


def test_every_option_belongs_to_a_format():
    used = {name for row in convert_options.FORMATS.values() for name in row.options}
    assert used == set(convert_options.OPTIONS)


W, STEP = [1.0, 2.0, 3.0], np.int64(7)


@pytest.mark.parametrize(
    "text, words, expected",
    [
        ({"drop": ".*/Momentum", "alias": {}}, ["--drop", "global_step"], {"net/w": W}),
        ({"drop": [".*/Momentum"]}, ["--drop", "global_step"], {"net/w": W}),
        (
            {"drop": ".*/.*", "cast": {"global_step": "int32"}},
            ["--cast", "global_step", "int32"],
            {"global_step": np.int32(7)},
        ),
        (
            {"drop": ".*/Momentum", "cast": {"global_step": "int32"}},
            ["--cast", "net/w", "float64", "--rule", "net/(.*)", r"\1"],
            {"w": W, "global_step": np.int32(7)},
        ),
        ({"transpose": {"net/w": [0]}}, ["--transpose", "net/w", "1,0"], "take 'transpose' out"),
        ({"cast": "float16", "alias": {}}, ["--cast", "net/w", "float64"], "'float16' in the map"),
        ({"cast": {"net/w": "float16"}}, ["--cast", "net/w", "float64"], "'net/w': 'float16'"),
        ({"alias": [["net/w", "x"]]}, ["--use-ema"], "take 'alias' out"),
        ({"net/w": "x"}, ["--rule", "net/w", "x"], "--rule or --map, got both"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_map_beside_options(run, written, tmp_path, text, words, expected):
    average = (
        {"net/w/ExponentialMovingAverage": np.float32([0, 0, 0])} if "--use" in words[0] else {}
    )
    prefix, npz = written(dict(TENSORS, **average)), tmp_path / "out.npz"
    (tmp_path / "map.json").write_text(json.dumps(text))
    code, _, err = run(
        "convert", prefix, npz, "--to", "npz", "--map", tmp_path / "map.json", *words
    )
    if isinstance(expected, str):
        assert code == 2 and expected in err and err.count("\n") == 1 and not npz.exists()
        return
    assert code == 0, err
    with np.load(str(npz)) as arrays:
        assert {name: arrays[name].tolist() for name in expected} == {
            name: np.asarray(value).tolist() for name, value in expected.items()
        }
        assert sorted(expected) == [name for name in sorted(arrays) if name[:2] != "__"]


@pytest.mark.parametrize("name", ["m.index", "m.meta", "m.data-00000-of-00001"])
@pytest.mark.parametrize("to", ["npz", "safetensors"])
def test_a_file_of_a_checkpoint_is_never_replaced(run, prefix, tmp_path, name, to):
    (tmp_path / "m.meta").write_bytes(b"graph")
    before = files_of(tmp_path)
    code, _, err = run("convert", prefix, tmp_path / name, "--to", to, "--force")
    assert code == 2 and "Nothing was written" in err and files_of(tmp_path) == before


def test_two_casts_of_one_pattern(run, prefix, tmp_path):
    twice = ["--cast", "net/w", "float16", "--cast", "net/w", "float64"]
    code, _, err = run("convert", prefix, tmp_path / "x.npz", "--to", "npz", *twice)
    assert code == 2 and "'float16' and 'float64' for 'net/w'" in err
