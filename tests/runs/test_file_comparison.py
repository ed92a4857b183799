"""Files of three runs: which are the same, which differ, and which vary by themselves."""

import io
import os
import pickle

import numpy as np
import pytest

from tfgraphtools import checkpoints
from tfgraphtools.revive import command_results
from tfgraphtools.runs import file_comparison

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
    "not here": ({}, {"a": b"1"}, {"a": b"1"}, "other", "written only under TF 1.15"),
    "here only": ({"a": b"1"}, {}, {}, "other", "written only here"),
    "no seed": ({"a": b"1"}, {"a": b"2"}, {"a": b"3"}, "varying", ""),
    "no seed, equal by chance": ({"a": b"2"}, {"a": b"2"}, {"a": b"3"}, "varying", ""),
    "names with a time": ({"a-1": b"1"}, {"a-2": b"1"}, {"a-3": b"1"}, "varying", ""),
    "graphs": ({"m.pb": b"1"}, {"m.pb": b"2"}, {"m.pb": b"2"}, "not_compared", "a graph"),
    "events": ({"x/events.out.tfevents.1": b""}, {}, {}, "not_compared", "an event file"),
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


def compared(results, folders):
    """The verdict as `revive` asks for it."""
    names = command_results.written_by_ended(*results)
    written = [file_comparison.Written(*pair) for pair in zip(folders, names)]
    rule = file_comparison.Rule(sides=("here", "under TF 1.15"))
    return file_comparison.compared(*written, rule)


@pytest.mark.parametrize("case", FILES)
def test_verdicts(case, tmp_path):
    *files, verdict, difference = FILES[case]
    results, folders = _runs(tmp_path, files)
    comparison = compared(results, folders)._asdict()
    assert [name for name, entries in comparison.items() if entries] == [verdict]
    texts = [text for _, text in comparison["other"] + comparison["not_compared"]]
    assert all(text.startswith(difference) for text in texts)


def test_a_file_of_a_command_that_did_not_end_is_left_out(tmp_path):
    results, folders = _runs(tmp_path, [{"a": b"1", "b": b"1"}] * 3)
    for commands in results:
        commands.append({"status": "made progress", "written": ["b"]})
    assert compared(results, folders).same == ["a"]


def test_a_file_that_was_removed_again(tmp_path):
    results, folders = _runs(tmp_path, [{"a": b"1"}] * 3)
    (tmp_path / "0" / "a").unlink()
    assert compared(results, folders).other == [("a", "one of them removed it again")]


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
    assert file_comparison.difference_of("a.index", *paths) == difference


def npz(**arrays):
    held = io.BytesIO()
    np.savez(held, **arrays)
    return held.getvalue()


def npy(array):
    held = io.BytesIO()
    np.save(held, array, allow_pickle=True)
    return held.getvalue()


ONES = np.ones(3, np.float32)
MANY = np.array([1e6, 1e-3])
NEARLY = np.float32([0.3, 1e-9])

#: name, two contents, and the difference; ... for what is not compared.
CONTENTS = {
    "equal arrays, other bytes": ("a.npz", npz(a=ONES, b=ONES), npz(b=ONES, a=ONES), None),
    "rounding": ("a.npy", npy(ONES), npy(ONES + 1e-6), None),
    "small beside the largest": ("a.npy", npy(MANY), npy(MANY + [0, 1e-4]), "1 arrays differ"),
    "roundings of the largest": ("a.npy", npy(NEARLY), npy(NEARLY + np.float32([0, 3e-8])), None),
    "a difference": ("a.npy", npy(ONES), npy(ONES + 1e-3), "1 arrays differ"),
    "small values": ("a.npy", npy(ONES * 1e-9), npy(ONES * 2e-9), "1 arrays differ"),
    "another array of two": (
        "a.npz",
        npz(a=ONES, b=ONES),
        npz(a=ONES, b=-ONES),
        "1 arrays differ: b",
    ),
    "a missing array": ("a.npz", npz(a=ONES, b=ONES), npz(a=ONES), "1 arrays differ: b"),
    "another type": ("a.npy", npy(ONES), npy(ONES.astype(float)), "1 arrays differ"),
    "integers": ("a.npy", npy(np.array([10**7])), npy(np.array([10**7 + 1])), "1 arrays differ"),
    "NaN": ("a.npz", npz(a=ONES * np.nan, b=ONES), npz(b=ONES, a=ONES * np.nan), None),
    "NaN for a number": ("a.npy", npy(ONES * np.nan), npy(ONES), "1 arrays differ"),
    "infinities": ("a.npy", npy(ONES * np.inf), npy(-ONES * np.inf), "1 arrays differ"),
    "an empty array": ("a.npy", npy(ONES[:0]), npy(ONES[:0].reshape(0, 2)), "1 arrays differ"),
    "pickled arrays": ("a.npy", npy(np.array([{}])), npy(np.array([{1: 2}])), ...),
    "a damaged archive": ("a.npz", npz(a=ONES), npz(a=ONES)[:-9], "its bytes differ"),
    "a pickle": ("a.pkl", pickle.dumps(1), pickle.dumps(2), ...),
    "a module of PyTorch": ("a.pt", b"1", b"2", ...),
    "equal pickles": ("a.pkl", pickle.dumps(1), pickle.dumps(1), None),
    "layout of JSON": ("a.json", b'{"a": [1, 2.0]}', b'{"a":\n[1,2]}', None),
    "a number of JSON": ("a.json", b'{"a": [1, 2]}', b'{"a": [1, 3]}', "1 of 2 numbers agree"),
    "a key of JSON": ("a.json", b'{"a": 1}', b'{"b": 1}', "its words differ"),
    "lines of JSON": (
        "a.json",
        b'{"a": 1}\n{"a": 2}',
        b'{"a": 1}\n{"a": 3}',
        "1 of 2 numbers agree",
    ),
    "times of a log": ("a.log", b"2020-01-01 10:00:00 loss 1", b"2021-01-01 11:00:07 loss 1", None),
    "a loss in a log": ("a.log", b"10:00:00 loss 1", b"11:00:07 loss 2", "0 of 1 numbers agree"),
    "an index of something else": ("a.index", b"1", b"2", "its bytes differ"),
}


@pytest.mark.parametrize("case", CONTENTS)
def test_contents(case, tmp_path):
    name, ours, theirs, expected = CONTENTS[case]
    paths = []
    for side, content in (("ours", ours), ("theirs", theirs)):
        (tmp_path / side).mkdir()
        (tmp_path / side / name).write_bytes(content)
        paths.append(str(tmp_path / side / name))
    if expected is ...:
        with pytest.raises(file_comparison.NotCompared, match="pickle"):
            file_comparison.difference_of(name, *paths)
        return
    difference = file_comparison.difference_of(name, *paths)
    assert difference is expected is None or difference.startswith(expected)


class Malicious:
    """A pickle that leaves a file where it is read."""

    def __reduce__(self):
        return open, (os.path.join(os.environ["TFGRAPHTOOLS_TEST_FOLDER"], "ran"), "w")


@pytest.mark.parametrize(
    "name", ["a.npy", "a.npz", "a.pkl", "a.pt", "a.ckpt", "a.h5", "a.json", "a"]
)
def test_reading_executes_nothing(name, tmp_path, monkeypatch):
    monkeypatch.setenv("TFGRAPHTOOLS_TEST_FOLDER", str(tmp_path))
    array = np.array([Malicious()], dtype=object)
    content = {"a.npy": npy, "a.npz": lambda a: npz(a=a)}.get(name, pickle.dumps)(array)
    paths = [str(tmp_path / side) for side in ("one", "other")]
    for path, end in zip(paths, (b"", b"x")):
        with open(path, "wb") as file:
            file.write(content + end)
    try:
        assert file_comparison.difference_of(name, *paths)
    except file_comparison.NotCompared:
        pass
    assert not (tmp_path / "ran").exists()


def test_data_of_a_checkpoint_is_compared_by_its_index(tmp_path):
    runs = []
    for number in (1, 2):
        folder = tmp_path / str(number)
        folder.mkdir()
        np.savez(str(folder / "a.npz"), w=np.float32([number]))
        checkpoints.from_npz(str(folder / "a.npz"), str(folder / "m"))
        names = ("m.index", "m.data-00000-of-00001")
        runs.append(file_comparison.Written(str(folder), names))
    verdict = file_comparison.compared(*runs)
    assert verdict.other == [("m.index", "1 tensors differ: w")]
    assert verdict.same == verdict.not_compared == verdict.varying == []
    assert file_comparison.compared(runs[0], runs[0]).checkpoints == ["m.index"]


@pytest.mark.parametrize("targets, verdict", [(("step-1", "step-2"), "other"), (("a", "a"), "same")])
def test_links_are_compared_by_where_they_lead(targets, verdict, tmp_path):
    runs = []
    for number, target in enumerate(targets):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "latest").symlink_to(target)
        runs.append(file_comparison.Written(str(folder), ("latest",)))
    comparison = file_comparison.compared(*runs)._asdict()
    assert [name for name, entries in comparison.items() if entries] == [verdict]
