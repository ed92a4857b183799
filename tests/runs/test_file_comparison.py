"""Files of three runs: which are the same, which differ, and which vary by themselves."""

import numpy as np
import pytest

from tfgraphtools import checkpoints
from tfgraphtools.revive import written_files

pytestmark = pytest.mark.once

#: What a run here, under TF 1.15 and there again writes: the verdict and the difference's start.
FILES = {
    "equal bytes": ({"a.bin": b"\0\1"}, {"a.bin": b"\0\1"}, {"a.bin": b"\0\1"}, "same", ""),
    "other bytes": ({"a": b"\0\1"}, {"a": b"\0\2"}, {"a": b"\0\2"}, "other", "its bytes differ"),
    "a number apart": (
        {"a.csv": b"1,0.5\n"}, {"a.csv": b"1,0.6\n"}, {"a.csv": b"1,0.6\n"}, "other", "1 of 2 num",
    ),
    "rounding": ({"a": b"0.5"}, {"a": b"0.5000001"}, {"a": b"0.5000001"}, "same", ""),
    "other words": ({"a": b"cat 1"}, {"a": b"dog 1"}, {"a": b"dog 1"}, "other", "its words"),
    "not here": ({}, {"a": b"1"}, {"a": b"1"}, "other", "only one of them wrote it"),
    "here only": ({"a": b"1"}, {}, {}, "other", "TF 1.15 writes no such file"),
    "no seed": ({"a": b"1"}, {"a": b"2"}, {"a": b"3"}, "varying", ""),
    "no seed, equal by chance": ({"a": b"2"}, {"a": b"2"}, {"a": b"3"}, "varying", ""),
    "names with a time": ({"a-1": b"1"}, {"a-2": b"1"}, {"a-3": b"1"}, "varying", ""),
    "graphs and events": ({"m.pb": b"1", "x/events.out.tfevents.1": b""}, {}, {}, None, ""),
}  # fmt: skip


def _runs(tmp_path, files_of_runs, status="ended"):
    results, folders = [], []
    for number, files in enumerate(files_of_runs):
        folders.append(str(tmp_path / str(number)))
        for name, content in files.items():
            path = tmp_path / str(number) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        results.append([{"status": status, "written": sorted(files)}])
    return results, folders


@pytest.mark.parametrize("case", FILES)
def test_verdicts(case, tmp_path):
    *files, verdict, difference = FILES[case]
    results, folders = _runs(tmp_path, files)
    comparison = written_files.compared(*results, folders)
    assert [name for name, entries in comparison.items() if entries] == [verdict] * bool(verdict)
    assert all(text.startswith(difference) for _, text in comparison["other"])


def test_a_file_of_a_command_that_did_not_end_is_left_out(tmp_path):
    results, folders = _runs(tmp_path, [{"a": b"1", "b": b"1"}] * 3)
    for commands in results:
        commands.append({"status": "made progress", "written": ["b"]})
    assert written_files.compared(*results, folders)["same"] == ["a"]


def test_a_file_that_was_removed_again(tmp_path):
    results, folders = _runs(tmp_path, [{"a": b"1"}] * 3)
    (tmp_path / "0" / "a").unlink()
    comparison = written_files.compared(*results, folders)
    assert comparison["other"] == [["a", "one of them removed it again"]]


@pytest.mark.parametrize(
    "tensors, difference",
    [
        ({"w": [1.0, 2.0], "b": [0.0]}, None),
        ({"w": [1.0, 2.000001], "b": [0.0]}, None),
        ({"w": [1.0, 2.1], "b": [0.0]}, "1 tensors differ: w"),
        ({"w": [1.0, 2.0]}, "1 tensors differ: b"),
        ({"w": [1.0, 2.0, 3.0], "b": [0.0]}, "1 tensors differ: w"),
        ({"w": [1.0, 2.0], "c": [0.0]}, "1 tensors differ: c for b"),
        ({"w": [1.0, float("nan")], "b": [0.0]}, "1 tensors differ: w"),
    ],
)
def test_checkpoints(tensors, difference, tmp_path):
    paths = []
    for name, values in (("a", tensors), ("b", {"w": [1.0, 2.0], "b": [0.0]})):
        arrays = {key: np.array(value, np.float32) for key, value in values.items()}
        np.savez(str(tmp_path / (name + ".npz")), **arrays)
        checkpoints.from_npz(str(tmp_path / (name + ".npz")), str(tmp_path / name))
        paths.append(str(tmp_path / (name + ".index")))
    assert written_files.difference_of(*paths) == difference
