"""Which file a command reads, and that every command reads every kind of source."""

import os
import shutil

import numpy as np
import pytest
from checkpoint_files import files_of

from tfgraphtools import checkpoints
from tfgraphtools.checkpoints.read import opening
from tfgraphtools.errors import DestinationError, SourceChangedError

TENSORS = {"net/w": np.arange(6, dtype=np.float32).reshape(2, 3), "net/b": np.float32([1, 2])}


@pytest.fixture
def copied(written, tmp_path):
    """A folder `run` as a Saver leaves it, and `backup`, a copy of it."""
    prefix = written(TENSORS)
    run = tmp_path / "run"
    run.mkdir()
    with checkpoints.open_checkpoint(prefix) as ckpt:
        checkpoints.plan(ckpt).apply(run / "model.ckpt-5", link=False)
    line = 'model_checkpoint_path: "{0}"\nall_model_checkpoint_paths: "{0}"\n'
    (run / "checkpoint").write_text(line.format(run / "model.ckpt-5"))
    shutil.copytree(str(run), str(tmp_path / "backup"))
    return run, tmp_path / "backup"


@pytest.mark.parametrize("name", ["backup", "backup/", "backup/checkpoint"])
def test_a_copied_folder_means_its_own_checkpoint(name, copied, tmp_path, run):
    original, backup = copied
    before = files_of(original)
    shard = backup / "model.ckpt-5.data-00000-of-00001"
    shard.write_bytes(b"\xff" + shard.read_bytes()[1:])
    code, out, err = run("verify", f"{tmp_path}/{name}")
    assert code == 1 and "which is in its folder" in err and "backup/model.ckpt-5" in err
    rule = ["--rule", "net/(.*)", r"new/\1"]
    assert run("rename", f"{tmp_path}/{name}", "--in-place", *rule)[0] == 0
    assert files_of(original) == before
    with checkpoints.open_checkpoint(backup) as ckpt:
        assert sorted(ckpt) == ["new/b", "new/w"]


@pytest.mark.parametrize("named", ["relative", "absolute", "windows", "below"])
def test_a_folder_that_moved(named, copied, tmp_path):
    """The state file may name a folder below its own."""
    original, backup = copied
    target = original / "model.ckpt-5"
    if named == "relative":
        (backup / "checkpoint").write_text('model_checkpoint_path: "model.ckpt-5"\n')
    elif named == "windows":
        line = 'model_checkpoint_path: "C:\\\\jobs\\\\run\\\\model.ckpt-5"\n'
        (backup / "checkpoint").write_text(line)
    elif named == "below":
        (backup / "sub").mkdir()
        for path in backup.glob("model*"):
            path.rename(backup / "sub" / path.name)
        line = 'model_checkpoint_path: "{}"\n'.format(original / "sub" / "model.ckpt-5")
        (backup / "checkpoint").write_text(line)
        target = original / "sub" / "model.ckpt-5"
    with checkpoints.open_checkpoint(backup) as ckpt:
        assert os.path.realpath(ckpt.prefix).startswith(os.path.realpath(str(backup)))
        assert ckpt.prefix != str(target) and str(backup) in ckpt.note


@pytest.mark.parametrize("named", [".", "", "./", "{}/", "/elsewhere/", "C:\\\\jobs\\\\run\\\\"])
@pytest.mark.parametrize("path", ["", "/", "/checkpoint", "/.index", "/.meta"])
def test_a_base_name_that_is_empty(path, named, copied, run):
    """As ``Saver.save(session, "dir/")`` writes it: the state names the folder."""
    backup = copied[1]
    for file in backup.glob("model.ckpt-5*"):
        file.rename(backup / file.name[len("model.ckpt-5") :])
    state = f'model_checkpoint_path: "{named.format(backup)}"\n'
    (backup / "checkpoint").write_text(state)
    code, out, err = run("ls", f"{backup}{path}")
    assert code == 0 and "net/w" in out, err


def test_an_empty_base_name_beside_another(copied, run):
    """The hint names a file: the folder is what was passed."""
    backup = copied[1]
    for file in backup.glob("model.ckpt-5*"):
        file.rename(backup / file.name[len("model.ckpt-5") :])
    (backup / "checkpoint").write_text('model_checkpoint_path: "model.ckpt-9"\n')
    code, out, err = run("ls", backup)
    assert code == 2 and err.endswith(f"Pass {backup}/.index.\n")
    assert run("ls", backup / ".index")[0] == 0


def test_a_state_file_that_names_none_says_which_are_there(copied, run):
    _, backup = copied
    (backup / "checkpoint").write_text('model_checkpoint_path: "/elsewhere/model.ckpt-9"\n')
    code, out, err = run("ls", backup)
    assert code == 2 and err.endswith(f"Pass {backup}/model.ckpt-5.\n")


def test_in_place_never_leaves_the_folder(copied, run):
    original, backup = copied
    for path in backup.glob("model*"):
        path.unlink()
    before = files_of(original)
    code, out, err = run("ls", backup)
    assert code == 0 and "outside of" in err and str(original) in err
    words = ["--in-place", "--rule", "net/(.*)", r"new/\1"]
    code, out, err = run("rename", backup, *words)
    assert code == 2 and "outside of" in err and files_of(original) == before
    with checkpoints.open_checkpoint(backup) as ckpt:
        with pytest.raises(DestinationError, match="outside of"):
            checkpoints.plan(ckpt, drop="net/b").apply(ckpt.prefix, overwrite=True)
    assert files_of(original) == before
    assert run("rename", original / "model.ckpt-5", *words)[0] == 0  # by its prefix


# Every source -----------------------------------------------------------------


def _keras(path, prefix):
    h5py = pytest.importorskip("h5py")
    with h5py.File(str(path), "w") as file:
        group = file.create_group("layers/dense/vars")
        group.attrs["name"] = "net"
        group["0"], group["1"] = TENSORS["net/w"], TENSORS["net/b"]


def _zipped(path, prefix):
    import zipfile

    _keras(str(path) + ".h5", prefix)
    with zipfile.ZipFile(str(path), "w") as archive:
        archive.write(str(path) + ".h5", "model.weights.h5")
    os.unlink(str(path) + ".h5")


def _frozen(path, prefix):
    """As convert_variables_to_constants leaves a graph, with constants that are no weights."""
    from tensorflow.compat import v1

    with v1.Graph().as_default() as graph:
        for name, array in TENSORS.items():
            v1.identity(v1.constant(array, name=name), name=name + "/read")
        v1.constant([1.5, 2.5], name="Reshape/shape")
        v1.constant("text", name="label")
    path.write_bytes(graph.as_graph_def().SerializeToString())


SOURCES = {
    "frozen": ("a.pb", _frozen),
    "npz": ("a.npz", lambda path, prefix: np.savez(str(path), **TENSORS)),
    "npz-of-ours": ("o.npz", lambda path, prefix: checkpoints.to_npz(prefix, path)),
    "npz-called-otherwise": ("a.zip", lambda path, prefix: checkpoints.to_npz(prefix, path)),
    "safetensors": (
        "a.safetensors",
        lambda path, prefix: checkpoints.to_safetensors(prefix, path),
    ),
    "safetensors-called-otherwise": (
        "model.bin",
        lambda path, prefix: checkpoints.to_safetensors(prefix, path),
    ),
    "h5": ("a.weights.h5", _keras),
    "keras": ("a.keras", _zipped),
}
NAMES = {"h5": ("net/kernel", "net/bias"), "keras": ("net/kernel", "net/bias")}


@pytest.mark.parametrize("kind", sorted(SOURCES))
def test_every_command_reads_it(kind, written, tmp_path, run):
    prefix = written(TENSORS)
    name, make = SOURCES[kind]
    path = tmp_path / name
    make(path, prefix)
    w, b = NAMES.get(kind, ("net/w", "net/b"))
    files = files_of(tmp_path)
    code, out, err = run("ls", path)
    assert code == 0 and w in out and b in out and not err
    code, out, err = run("show", path, w)
    assert code == 0 and "[2, 3]" in out
    assert run("verify", path)[0] == 0
    there = {"net/w": w, "net/b": b}
    (tmp_path / "map.json").write_text(str(there).replace("'", '"'))
    words = ["--map", tmp_path / "map.json"]
    assert run("verify", prefix, "--against", path, *words)[0] == 0
    for i, words in enumerate(
        [
            ["rename", path, "OUT", "--rule", "(.*)", r"x/\1"],
            ["strip", path, "OUT", "--match", b],
            ["cast", path, "OUT", "--to", "float64"],
            ["partition", path, "OUT", "--into", w, "2"],
            ["split", path, "OUT", "--match", w],
            ["average", "OUT", path, path],
        ]
    ):
        (tmp_path / str(i)).mkdir()
        words = [str(tmp_path / str(i) / "m") if word == "OUT" else word for word in words]
        code, out, err = run(*words)
        assert code == 0, err
        assert run("verify", tmp_path / str(i))[0] == 0
    with checkpoints.open_checkpoint(tmp_path / "3") as ckpt:
        assert np.array_equal(ckpt[w], TENSORS["net/w"]) and len(ckpt.info(w).slices) == 2
    os.makedirs(str(tmp_path / "merged"))
    code, out, err = run("merge", tmp_path / "merged" / "m", tmp_path / "0" / "m", path)
    assert code == 0, err
    assert run("convert", path, tmp_path / "c.npz", "--to", "npz")[0] == 0
    assert np.array_equal(np.load(str(tmp_path / "c.npz"))[w], TENSORS["net/w"])
    assert run("diff", path, tmp_path / "c.npz")[0] == 0
    after = files_of(tmp_path)
    assert all(after[file] == data for file, data in files.items())  # no source was touched


def test_a_write_in_place_needs_a_checkpoint(written, tmp_path, run):
    checkpoints.to_npz(written(TENSORS), tmp_path / "a.npz")
    before = files_of(tmp_path)
    code, out, err = run("rename", tmp_path / "a.npz", "--in-place", "--rule", "(.*)", r"x/\1")
    assert code == 2 and "convert" in err and files_of(tmp_path) == before
    code, out, err = run("rename", tmp_path / "m", tmp_path / "b.npz", "--rule", "(.*)", r"x/\1")
    assert code == 2 and "ends in .npz" in err and files_of(tmp_path) == before


@pytest.mark.parametrize("kind", ["keras", "h5", "npz", "safetensors", "frozen"])
def test_a_damaged_one_is_an_error_in_one_line(kind, written, tmp_path, run):
    name, make = SOURCES[kind]
    make(tmp_path / name, written(TENSORS))
    data = (tmp_path / name).read_bytes()
    for size in (len(data) // 2, 20, 9, 0):
        (tmp_path / name).write_bytes(data[:size])
        code, out, err = run("ls", tmp_path / name)
        assert code == 2 and err.count("\n") == 1 and not out, size


# Graphs -----------------------------------------------------------------------


def test_constants_of_every_form(tmp_path, v1):
    """One stored value for all, resource variables, and graphs without any Identity."""
    with v1.Graph().as_default() as graph:
        for name, dtype in [("f", "float32"), ("h", "float16"), ("b", "bfloat16"), ("i", "int64")]:
            constant = v1.constant(0, getattr(v1, dtype), [2, 3], name=name)
            v1.identity(constant, name=f"use/{name}/ReadVariableOp")
    definition = graph.as_graph_def()
    values = {"f": 0.5, "h": 1.5, "b": -2.0, "i": -3}
    fields = {"f": "float_val", "h": "half_val", "b": "half_val", "i": "int64_val"}
    bits = {"h": int(np.float16(1.5).view(np.uint16)), "b": 0xC000}
    for node in definition.node:
        if node.op == "Const":
            tensor = node.attr["value"].tensor
            for field in ("tensor_content", "float_val", "half_val", "int64_val"):
                tensor.ClearField(field)
            getattr(tensor, fields[node.name]).append(bits.get(node.name, values[node.name]))
    path = tmp_path / "filled.pb"
    path.write_bytes(definition.SerializeToString())
    with checkpoints.open_checkpoint(path) as ckpt:
        assert sorted(ckpt) == sorted(values) and ckpt.format == "pb"
        for name, value in values.items():
            assert ckpt[name].shape == (2, 3) and (ckpt[name] == value).all()
        assert ckpt.info("b").dtype == "bfloat16"
    for node in definition.node:  # as optimize_for_inference leaves it
        if node.op == "Identity":
            node.op = "Relu"
    path.write_bytes(definition.SerializeToString())
    with checkpoints.open_checkpoint(path) as ckpt:
        assert sorted(ckpt) == ["b", "f", "h"]


@pytest.mark.parametrize("path", ["", "saved_model.pb", "tfhub_module.pb"])
def test_saved_models_and_hub_modules(path, tmp_path, run, v1):
    """Of TF 1 and of tf.hub: their variables are a checkpoint beside the graph."""
    folder = tmp_path / "module"
    with v1.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(v1.float32, [None, 2])
        w = v1.get_variable("net/w", initializer=TENSORS["net/w"])
        session.run(w.initializer)
        v1.saved_model.simple_save(session, str(folder), {"x": x}, {"y": v1.matmul(x, w)})
    (folder / "tfhub_module.pb").write_bytes(b"\x08\x03")
    code, out, err = run("ls", folder / path if path else folder)
    assert code == 0 and "net/w" in out
    assert run("convert", folder / path, tmp_path / "a.npz", "--to", "npz")[0] == 0
    assert np.array_equal(np.load(str(tmp_path / "a.npz"))["net/w"], TENSORS["net/w"])
    assert run("diff", folder, tmp_path / "a.npz")[0] == 0
    assert "[2, 3]" in run("show", folder, "net/w")[1]


def test_a_saved_model_without_variables(tmp_path, run):
    (tmp_path / "model").mkdir()
    _frozen(tmp_path / "model" / "saved_model.pb", None)
    code, out, err = run("ls", tmp_path / "model")
    assert code == 0 and "net/w" in out


# Useful answers ---------------------------------------------------------------


def test_ls_of_an_index_alone(written, tmp_path, run):
    prefix = written(TENSORS)
    os.unlink(prefix + ".data-00000-of-00001")
    code, out, err = run("ls", prefix + ".index")
    assert code == 0 and "net/w" in out and "values are not here" in err
    code, out, err = run("show", prefix, "net/w")
    assert code == 2 and "data-00000-of-00001" in err and err.count("\n") == 1


def test_ls_of_a_folder_without_checkpoints(written, tmp_path, run):
    written(TENSORS)
    cases = {
        "empty": ([], "an empty folder"),
        "other": (["notes.txt"], "none among its 1 files"),
        "archive": (["w.npz"], "Pass"),
        "shards": (["m.data-00000-of-00001"], "m.index"),
        "above": (["train/checkpoint"], "above/train"),
    }
    for name, (files, words) in cases.items():
        for file in files:
            path = tmp_path / name / file
            path.parent.mkdir(parents=True)
            path.write_bytes(b"")
        (tmp_path / name).mkdir(exist_ok=True)
        code, out, err = run("ls", tmp_path / name)
        assert code == 2 and words in err and err.count("\n") == 1, (name, err)


# The state file ---------------------------------------------------------------


def test_a_first_checkpoint_gets_a_state_file(written, tmp_path, run, tf, v1):
    """Without one, tf.train.latest_checkpoint and MonitoredTrainingSession start anew."""
    prefix = written(TENSORS)
    for name in ("m.ckpt-7", 'a "b" é-3'):
        folder = tmp_path / f"new-{len(name)}"
        folder.mkdir()
        assert run("rename", prefix, folder / name, "--rule", "(.*)", r"x/\1")[0] == 0
        assert v1.train.latest_checkpoint(str(folder)) == str(folder / name)
        state = (folder / "checkpoint").read_text()
        assert run("rename", prefix, folder / "second", "--rule", "(.*)", r"y/\1")[0] == 0
        assert (folder / "checkpoint").read_text() == state  # what is the newest is not ours to say
    assert not (tmp_path / "checkpoint").exists()  # it had a checkpoint before


# Removed while it is read -----------------------------------------------------


def test_files_that_are_removed_while_they_are_read(written, tmp_path, run):
    prefix = written(TENSORS)
    with checkpoints.open_checkpoint(prefix) as ckpt:
        for path in tmp_path.glob("m.*"):
            path.unlink()
        assert np.array_equal(ckpt["net/w"], TENSORS["net/w"])
        assert checkpoints.verify(ckpt).ok
        checkpoints.to_npz(ckpt, tmp_path / "saved.npz")
        checkpoints.plan(ckpt, rename={"net/w": "w"}).apply(tmp_path / "out")
    assert checkpoints.verify(tmp_path / "out").ok and checkpoints.verify(tmp_path / "saved.npz").ok
    assert run("verify", prefix)[0] == 2


def test_a_checkpoint_that_is_removed_while_it_is_opened(written, tmp_path, monkeypatch):
    prefix = written(TENSORS)
    real = opening.BundleStore

    def removed_first(at):
        for path in tmp_path.glob("m.*"):
            path.unlink()
        return real(at)

    monkeypatch.setattr(opening, "BundleStore", removed_first)
    with pytest.raises(SourceChangedError, match="max_to_keep"):
        checkpoints.open_checkpoint(prefix)


@pytest.mark.parametrize("words", [["npz"], ["npz", "--compress"], ["safetensors"]])
def test_a_truncated_shard_is_an_error_in_one_line(words, written, tmp_path, run):
    big = {"w": np.zeros((1000, 1000), np.float32)}
    shard = tmp_path / "m.data-00000-of-00001"
    prefix = written(big)
    for size in (100, 2500000):  # before the first block, and after some
        with open(str(shard), "r+b") as file:
            file.truncate(size)
        code, out, err = run("convert", prefix, tmp_path / "out", "--to", *words)
        assert code == 2 and err.count("\n") == 1 and "'w'" in err and "cut short" in err
        assert not (tmp_path / "out").exists()
        with open(str(shard), "r+b") as file:
            file.truncate(4000000)


def test_a_state_file_with_a_zero_byte(tmp_path, run):
    (tmp_path / "checkpoint").write_text('model_checkpoint_path: "a\\000b"\n')
    code, out, err = run("ls", tmp_path)
    assert code == 2 and err.count("\n") == 1 and "path of a checkpoint" in err
