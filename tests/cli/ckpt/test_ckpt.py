"""`tfgraphtools ckpt`: what is printed, where, and the exit codes."""

import json
import os
import pty
import subprocess
import sys

import numpy as np
import pytest
from checkpoint_files import ROOT, files_of

from tfgraphtools import checkpoints
from tfgraphtools.checkpoints.format import bundle
from tfgraphtools.cli import _tables
from tfgraphtools.cli.ckpt import index_option
from tfgraphtools.errors import UsageError

TENSORS = {
    "net/dense/kernel": np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4),
    "net/dense/kernel/Adam": np.zeros((3, 4), np.float32),
    "net/dense/kernel/Adam_1": np.ones((3, 4), np.float32),
    "net/dense/größe": np.float32([1, 2]),
    "global_step": np.int64(7),
    "words": ["a", "b"],
}


@pytest.fixture
def prefix(written):
    return written(TENSORS)


WORDS = [
    "ls",
    "show",
    "verify",
    "diff",
    "doctor",
    "rename",
    "strip",
    "cast",
    "partition",
    "merge",
    "average",
    "split",
    "recover",
    "convert",
]


@pytest.mark.parametrize("word", [None] + WORDS)
def test_help(run, word):
    code, out, err = run(*([word] if word else []), "--help")
    assert code == 0 and "usage: tfgraphtools ckpt" in out and not err
    if word is None:
        assert all(command in out for command in WORDS)
        assert run()[0] == 0


# Looking ------------------------------------------------------------------------


def test_ls(run, prefix):
    code, out, err = run("ls", prefix)
    lines = out.splitlines()
    assert code == 0 and not err and lines[0].split() == ["name", "dtype", "shape", "size", "slot"]
    assert "net/dense/kernel/Adam_1  float32  [3, 4]  48 B  Adam_1" in lines
    assert lines[-1].startswith("6 tensors, 1") and "slots 96 B; V2, 1 shard" in lines[-1]


def test_ls_matching_and_sorted(run, prefix):
    assert run("ls", prefix, "--match", "net/.*/kernel")[1].count("\n") == 3
    names = [line.split()[0] for line in run("ls", prefix, "--sort", "size")[1].splitlines()[1:-1]]
    assert names[-1] in ("net/dense/größe", "global_step", "words") and names[0].startswith(
        "net/dense/kernel"
    )
    code, _, err = run("ls", prefix, "--match", "dense")
    assert code == 2 and "whole name" in err and err.count("\n") == 1


def test_ls_tree(run, prefix):
    out = run("ls", prefix, "--tree")[1]
    assert "├─ " in out or "|- " in out
    rows = {line.split()[1]: line.split() for line in out.splitlines()[2:] if len(line.split()) > 2}
    assert "(all)" in out and rows
    assert run("ls", prefix, "--depth", "1")[1].count("\n") < out.count("\n")


def test_ls_json(run, prefix):
    listing = json.loads(run("ls", prefix, "--json")[1])
    assert listing["format"] == "V2" and listing["shards"] == 1
    rows = {row["name"]: row for row in listing["tensors"]}
    assert rows["net/dense/kernel/Adam"]["owner"] == "net/dense/kernel"
    assert rows["net/dense/kernel"]["shape"] == [3, 4] and sorted(rows) == sorted(TENSORS)


@pytest.mark.parametrize("name", sorted(TENSORS))
def test_show(run, prefix, name):
    code, out, err = run("show", prefix, name)
    assert code == 0 and out.startswith(name) and not err
    shown = json.loads(run("show", prefix, name, "--json")[1])
    assert shown["dtype"] in ("float32", "int64", "string")
    if shown["dtype"] != "string":
        assert shown["mean"] == pytest.approx(np.asarray(TENSORS[name]).mean())


def test_show_a_slice_and_a_picture(run, prefix, tmp_path):
    out = run("show", prefix, "net/dense/kernel", "--slice", "0:2,1", "--bins", "4")[1]
    assert "the slice has the shape [2]" in out and "min -0.818" in out
    pytest.importorskip("matplotlib")
    picture = tmp_path / "x.png"
    assert run("show", prefix, "net/dense/kernel", "--png", picture)[0] == 0
    assert picture.read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    "text, index",
    [
        ("0:10", (slice(0, 10),)),
        ("3", (3,)),
        (":, -1", (slice(None), -1)),
        ("...,::2", (Ellipsis, slice(None, None, 2))),
    ],
)
def test_indices(text, index):
    assert index_option.parse_index(text) == index


@pytest.mark.parametrize("text", ["", "a", "1:2:3:4", "::0", "0;1"])
def test_bad_indices(text):
    with pytest.raises(UsageError):
        index_option.parse_index(text)


# Checking ---------------------------------------------------------------------------


def test_verify(run, prefix, tmp_path):
    assert run("verify", prefix)[::2] == (0, "")
    with checkpoints.open_checkpoint(prefix) as ckpt:
        offset = ckpt.info("net/dense/kernel").offset
    with open(bundle.shard_path(prefix, 0, 1), "r+b") as file:
        file.seek(offset)
        file.write(b"\xff")
    code, out, _ = run("verify", prefix, "--salvage", tmp_path / "saved")
    assert code == 1 and "net/dense/kernel: checksum" in out and "5 intact tensors" in out
    report = json.loads(run("verify", prefix, "--json")[1])
    assert [damage["name"] for damage in report["damages"]] == ["net/dense/kernel"]
    assert run("verify", tmp_path / "saved")[0] == 0


def test_diff(run, prefix, tmp_path):
    assert run("diff", prefix, prefix)[0] == 0
    run("cast", prefix, tmp_path / "b", "--to", "float64", "--only", "net/dense/kernel")
    code, out, _ = run("diff", prefix, tmp_path / "b")
    assert code == 1 and "float32 -> float64" in out and "5 same, 1 changed" in out
    assert (
        json.loads(run("diff", prefix, tmp_path / "b", "--json")[1])["changed"][0]["what"]
        == "dtype"
    )


def flip(prefix, name):
    """Flips a bit of a tensor's data."""
    with checkpoints.open_checkpoint(prefix) as ckpt:
        part = ckpt.tensor(name).parts[0]
        path = ckpt.store.path(part.shard)
    with open(path, "r+b") as file:
        file.seek(part.offset)
        byte = file.read(1)[0]
        file.seek(part.offset)
        file.write(bytes([byte ^ 1]))


def test_diff_says_what_it_compared(run, prefix, tmp_path):
    run("rename", prefix, tmp_path / "b", "--rule", "(.*)", r"\1", "--copy")
    flip(tmp_path / "b", "net/dense/kernel")
    code, out, _ = run("diff", prefix, tmp_path / "b")
    assert code == 0 and "by recorded checksums, data not read (--verify" in out
    code, out, _ = run("diff", prefix, tmp_path / "b", "--verify")
    assert code == 1 and "recorded" not in out and "1 damaged" in out
    assert "net/dense/kernel" in out and "in the second" in out
    report = json.loads(run("diff", prefix, tmp_path / "b", "--verify", "--json")[1])
    assert [row["side"] for row in report["damaged"]] == ["b"]
    assert report["by_recorded_checksum"] == 0
    assert "recorded" in run("diff", "--help")[1]


# Writing -----------------------------------------------------------------------------


#: Commands that keep the bytes of tensors: the words before and after the source.
KEEPING = {
    "rename": (["rename"], ["OUT", "--rule", "(.*)", r"x/\1"]),
    "rename-compact": (["rename"], ["OUT", "--rule", "(.*)", r"x/\1", "--compact"]),
    "strip": (["strip"], ["OUT"]),
    "merge": (["merge", "OUT"], []),
    "split": (["split"], ["OUT", "--match", "net/.*"]),
    "partition": (["partition"], ["OUT", "--into", "net/dense/kernel/Adam", "2"]),
}


@pytest.mark.parametrize("command", KEEPING)
def test_data_that_is_kept_is_checked_on_request(command, run, prefix, tmp_path):
    before, after = KEEPING[command]
    more = []
    if command == "merge":
        np.savez(str(tmp_path / "c.npz"), other=np.zeros(2))
        more = [tmp_path / "c.npz"]
    words = [*before, prefix, *more, *after]
    words = [tmp_path / "out" if word == "OUT" else word for word in words]
    code, out, _ = run(*words)
    assert code == 0 and "unchanged data not checked" in out
    code, out, _ = run(*words, "--force", "--verify")
    assert code == 0 and "not checked" not in out
    flip(prefix, "net/dense/kernel")
    code, _, err = run(*words, "--force", "--verify")
    assert code == 2 and "net/dense/kernel" in err and "Nothing was written" in err
    assert run(*words, "--force")[0] == 0 and "--verify" in run(before[0], "--help")[1]


def names(prefix):
    with checkpoints.open_checkpoint(prefix) as ckpt:
        return sorted(ckpt)


def test_rename(run, prefix, tmp_path):
    words = ("rename", prefix, tmp_path / "out", "--rule", "net/(.*)", r"new/\1")
    code, out, err = run(*words, "--dry-run")
    assert code == 0 and "new/dense/kernel" in out and not (tmp_path / "out.index").exists()
    assert json.loads(run(*words, "--dry-run", "--json")[1])[1]["name"].startswith("new/")
    code, out, err = run(*words)
    assert code == 0 and "6 tensors" in out and "0 B written" in out and not err
    assert "new/dense/kernel/Adam" in names(tmp_path / "out")
    code, out, err = run(*words)
    assert code == 2 and "--force" in err and err.count("\n") == 1 and not out
    assert run(*words, "--force")[0] == 0


def test_rename_in_place_by_a_map(run, prefix, tmp_path):
    (tmp_path / "map.json").write_text(json.dumps({"words": "vocabulary"}))
    assert run("rename", prefix, "--in-place", "--map", tmp_path / "map.json")[0] == 0
    assert "vocabulary" in names(prefix)


def test_a_map_may_hold_a_whole_plan(run, prefix, tmp_path):
    (tmp_path / "plan.json").write_text(
        json.dumps(
            {
                "rename": [["net/(.*)", "x/\\1"]],
                "drop": [".*/Adam.*"],
                "cast": {"net/dense/kernel": "float16"},
                "slice": {"net/dense/kernel": "0:2,:"},
                "split": {"words": [["w1", "w2"], 0]},
            }
        )
    )
    assert run("rename", prefix, tmp_path / "out", "--map", tmp_path / "plan.json")[0] == 0
    with checkpoints.open_checkpoint(tmp_path / "out") as ckpt:
        assert ckpt["x/dense/kernel"].shape == (2, 4) and ckpt["x/dense/kernel"].dtype == np.float16
        assert ckpt["w2"].tolist() == [b"b"] and len(ckpt) == 5


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "{}",
        "[]",
        '{"renam": []}',
        "7",
        '"x"',
        '[["a"]]',
        '{"rename": 3}',
        '{"drop": 3}',
        '{"slice": {"words": "x"}}',
        '{"split": {"words": 3}}',
        '{"concat": {"x": ["words"]}}',
        '{"partition": 3}',
        '{"transpose": {"words": "x"}}',
        '{"reshape": {"words": "x"}}',
        '{"rename": {"words": 3}}',
        '{"alias": 3}',
        '{"cast": {"words": 3}}',
        '{"add": {"x": {}}}',
        '{"slice": 3}',
    ],
)
def test_a_bad_map_is_one_line(run, prefix, tmp_path, text):
    (tmp_path / "map.json").write_text(text)
    code, out, err = run("rename", prefix, tmp_path / "out", "--map", tmp_path / "map.json")
    assert code == 2 and err.count("\n") == 1 and not out


def test_strip_cast_partition(run, prefix, tmp_path):
    assert run("strip", prefix, tmp_path / "s", "--compact")[0] == 0
    assert names(tmp_path / "s") == ["global_step", "net/dense/größe", "net/dense/kernel", "words"]
    assert run("strip", prefix, tmp_path / "t", "--match", "words")[0] == 0
    assert "words" not in names(tmp_path / "t") and "net/dense/kernel/Adam" in names(tmp_path / "t")
    assert run("cast", prefix, tmp_path / "c", "--to", "bfloat16")[0] == 0
    with checkpoints.open_checkpoint(tmp_path / "c") as ckpt:
        assert {n: ckpt.info(n).dtype for n in ckpt}["net/dense/kernel"] == "bfloat16"
        assert ckpt.info("net/dense/kernel/Adam").dtype == "float32"
    code, _, err = run("cast", prefix, tmp_path / "d", "--to", "int8", "--only", "net/dense/kernel")
    assert code == 2 and "lose their fraction" in err and "--allow fraction" in err
    assert (
        run(
            "cast",
            prefix,
            tmp_path / "d",
            "--to",
            "int8",
            "--only",
            "net/dense/kernel",
            "--allow",
            "fraction",
        )[0]
        == 0
    )
    assert run("partition", prefix, tmp_path / "p", "--into", "net/dense/kernel", "3")[0] == 0
    with checkpoints.open_checkpoint(tmp_path / "p") as ckpt:
        assert len(ckpt.info("net/dense/kernel").slices) == 3
    assert run("partition", prefix, tmp_path / "q", "--into", "words", "many")[0] == 2


def test_merge_average_split(run, prefix, tmp_path):
    assert (
        run("split", prefix, tmp_path / "net", "--match", "net/.*", "--rest", tmp_path / "rest")[0]
        == 0
    )
    assert names(tmp_path / "rest") == ["global_step", "words"]
    assert run("merge", tmp_path / "both", tmp_path / "net", tmp_path / "rest")[0] == 0
    twice = ["a/={}".format(tmp_path / "net"), "b/={}".format(tmp_path / "net")]
    assert run("merge", tmp_path / "twice", *twice)[0] == 0
    with checkpoints.open_checkpoint(tmp_path / "twice") as ckpt:
        fronts = [name.partition("/")[0] for name in ckpt]
        assert fronts.count("a") == fronts.count("b") == len(fronts) / 2 > 0
    assert names(tmp_path / "both") == sorted(TENSORS)
    assert (
        run("average", tmp_path / "mean", prefix, tmp_path / "both", "--weights", "1", "2")[0] == 0
    )
    assert run("diff", prefix, tmp_path / "mean", "--deep")[0] == 0
    assert run("average", tmp_path / "x", prefix)[0] == 2


def test_recover(run, tmp_path):
    assert "0 interrupted writes" in run("recover", tmp_path)[1]


@pytest.mark.parametrize(
    "words",
    [
        ("ls", "nowhere"),
        ("show", "PREFIX", "nothing"),
        ("rename", "PREFIX"),
        ("rename", "PREFIX", "x"),
        ("rename", "PREFIX", "x", "--in-place", "--rule", "a", "b"),
        ("verify", "nowhere"),
        ("diff", "PREFIX", "nowhere"),
        ("doctor", "PREFIX", "--graph", "nowhere"),
        ("show", "PREFIX", "words", "--bins", "0"),
        ("strip", "PREFIX", "/no/such/folder/x"),
        ("ls",),
        ("recover", "nowhere"),
        ("rename", "PREFIX", "x", "--map", "nowhere"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(run, prefix, words):
    code, out, err = run(*[prefix if word == "PREFIX" else word for word in words])
    assert code == 2 and not out and err.count("\n") == 1 and "Traceback" not in err


# Terminals ---------------------------------------------------------------------------


def in_terminal(columns, *words):
    """What a terminal of so many columns shows."""
    import fcntl
    import struct
    import termios

    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    environment = dict(os.environ, PYTHONIOENCODING="utf-8", TERM="xterm")
    environment.pop("COLUMNS", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "tfgraphtools", "ckpt"] + list(words),
        cwd=str(ROOT),
        stdin=child,
        stdout=child,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    os.close(child)
    out = b""
    while True:
        try:
            piece = os.read(parent, 65536)
        except OSError:
            break
        if not piece:
            break
        out += piece
    process.wait()
    os.close(parent)
    return out.decode("utf-8").replace("\r\n", "\n").splitlines()


@pytest.mark.parametrize("columns", [80, 200])
@pytest.mark.parametrize("words", [["ls"], ["ls", "--tree"]], ids=["flat", "tree"])
def test_a_terminal_is_not_overrun(prefix, tmp_path, columns, words):
    long = "/".join(f"scope_{i}" for i in range(12)) + "/kernel"
    with checkpoints.open_checkpoint(prefix) as ckpt:
        checkpoints.plan(ckpt, rename={"net/dense/kernel": long, "words": "层/权重" * 9}).apply(
            tmp_path / "l"
        )
    lines = in_terminal(columns, words[0], str(tmp_path / "l"), *words[1:])
    assert len(lines) >= 8 and max(map(_tables.cells, lines)) <= columns
    if words == ["ls"]:
        assert all("float32" in line for line in lines if "kernel" in line)  # the name gives way
        assert (long in "\n".join(lines)) == (columns == 200)


def test_a_pipe_gets_everything(prefix, tmp_path):
    long = "scope/" * 40 + "kernel"
    with checkpoints.open_checkpoint(prefix) as ckpt:
        checkpoints.plan(ckpt, rename={"net/dense/kernel": long}).apply(tmp_path / "l")
    out = subprocess.run(
        [sys.executable, "-m", "tfgraphtools", "ckpt", "ls", str(tmp_path / "l")],
        cwd=str(ROOT),
        stdout=subprocess.PIPE,
        check=True,
    ).stdout
    assert long in out.decode()


def test_an_ascii_terminal(prefix):
    environment = dict(os.environ, PYTHONIOENCODING="ascii")
    done = subprocess.run(
        [sys.executable, "-m", "tfgraphtools", "ckpt", "ls", prefix, "--tree"],
        cwd=str(ROOT),
        stdout=subprocess.PIPE,
        env=environment,
        check=True,
    )
    assert b"gr\\xf6\\xdfe" in done.stdout and b"|- " in done.stdout


@pytest.mark.parametrize(
    "count, text",
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.0 KiB"),
        (1 << 30, "1.0 GiB"),
        (1048575, "1.0 MiB"),
        (None, "?"),
    ],
)
def test_sizes(count, text):
    assert _tables.size(count) == text


def test_tensorflow_and_numpy_stay_out(prefix):
    code = (
        "import sys; from tfgraphtools.cli import main; main(['ckpt', *sys.argv[1:]]);"
        "sys.exit(3 if {'numpy', 'tensorflow'} & set(sys.modules) else 0)"
    )
    for words in (
        ["ls", prefix],
        ["ls", prefix, "--tree"],
        ["rename", prefix, prefix + "2", "--rule", "words", "w"],
    ):
        done = subprocess.run(
            [sys.executable, "-c", code] + words, cwd=str(ROOT), stdout=subprocess.DEVNULL
        )
        assert done.returncode == 0, words


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_split_refuses_before_it_writes(run, prefix, tmp_path, force):
    before = files_of(tmp_path)
    code, _, err = run(
        "split", prefix, tmp_path / "x", "--match", "net/.*", "--rest", tmp_path / "x", *force
    )
    assert code == 2 and "which is the destination" in err and files_of(tmp_path) == before
    if not force:
        code, _, err = run("split", prefix, tmp_path / "x", "--match", "net/.*", "--rest", prefix)
        assert code == 2 and "which is taken" in err and files_of(tmp_path) == before


def test_names_that_would_break_a_table(run, written):
    names = ["a\nb", "c\x1b[31mred", "tab\there", "\u65e5\u672c"]
    code, out, _ = run("ls", written({name: np.float32([1, 2]) for name in names}))
    assert code == 0 and out.count("\n") == 6 and "\x1b" not in out
    for shown in (r"a\nb ", r"c\x1b[31mred ", r"tab\there ", "\u65e5\u672c "):
        assert shown in out
