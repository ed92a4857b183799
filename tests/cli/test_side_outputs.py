"""Files that commands write beside their results: none loses what was there, or an input.

Each side output meets each state of the path that it is to have.
"""

import ast
import json
import os
import pathlib
import resource
import shlex
import stat

import numpy as np
import pytest

from tfgraphtools import cli, compat, files

#: It is about files, which are the same under every TensorFlow.
pytestmark = pytest.mark.once

if compat.is_tf1():
    pytest.skip("doctor and upgrade act on TF 2.x", allow_module_level=True)

CODE = "import tensorflow as tf\nprint(tf.mul(2, 3))\n"
TORCH = "import torch\ndef Net():\n    return torch.nn.Sequential(torch.nn.Linear(3, 2))\n"
KERAS = """
import keras
def build():
    return keras.Sequential([keras.Input((3,)), keras.layers.Dense(2, name="dense")])
"""
CHECKPOINT = ["m.index", "m.data-00000-of-00001"]
CONVERT = "ckpt convert m --dry-run --map names.json --to"
DRAFT = "ckpt convert m --to"

#: command line, with OUT for the side output -> the files that it reads
COMMANDS = {
    "graph show m.meta --html OUT": ["m.meta", *CHECKPOINT],
    "graph show saved --html OUT": ["saved/saved_model.pb", "saved/variables/variables.index"],
    "explain m.meta --y y --x net/w --dot OUT": ["m.meta"],
    "explain m.meta --y y --x net/w --html OUT": ["m.meta"],
    "explain m.meta --y y --x net/w --html OUT --dot other.dot": ["m.meta"],
    "doctor code --html OUT": ["code/a.py"],
    "doctor m.meta --html OUT": ["m.meta"],
    "doctor code --constraints OUT": ["code/a.py"],
    "doctor code/a.py --constraints OUT --json": ["code/a.py"],
    "upgrade code --html OUT": ["code/a.py"],
    "upgrade code/a.py --check --html OUT": ["code/a.py"],
    "ckpt doctor m --graph m.meta --write-map OUT": ["m.meta", *CHECKPOINT],
    "ckpt doctor . --graph m.meta --write-map OUT": ["m.meta", "checkpoint", *CHECKPOINT],
    f"{CONVERT} object --write-map OUT": ["names.json", *CHECKPOINT],
    f"{CONVERT} tf1 --write-map OUT": ["names.json", *CHECKPOINT],
    f"{DRAFT} torch --map scopes.json --model torch_net.py:Net --write-draft OUT": [
        "torch_net.py",
        "scopes.json",
    ],
    f"{DRAFT} keras --model keras_net.py:build --write-draft OUT": ["keras_net.py", *CHECKPOINT],
    "ckpt show m net/w --png OUT": CHECKPOINT,
    "ckpt show m net/w --png OUT.svg": CHECKPOINT,
    "ckpt show m net/w --png OUT.pdf": CHECKPOINT,
}


@pytest.fixture(scope="module")
def assets(tmp_path_factory):
    """A folder with a checkpoint, its graph, a SavedModel, code and models."""
    tf = pytest.importorskip("tensorflow").compat.v1
    folder = tmp_path_factory.mktemp("assets")
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, (None, 3), name="x")
        w = tf.get_variable("net/w", initializer=np.ones((3, 2), "f"))
        b = tf.get_variable("net/b", initializer=np.ones(2, "f"))
        y = tf.identity(tf.matmul(x, w) + b, name="y")
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, str(folder / "m"))
        tf.saved_model.simple_save(session, str(folder / "saved"), {"x": x}, {"y": y})
    (folder / "code").mkdir()
    (folder / "code" / "a.py").write_text(CODE)
    (folder / "torch_net.py").write_text(TORCH)
    (folder / "keras_net.py").write_text(KERAS)
    (folder / "names.json").write_text(json.dumps({"net/w": "net/w", "net/b": "net/b"}))
    (folder / "scopes.json").write_text(json.dumps({"net": "0"}))
    return folder


@pytest.fixture
def folder(assets, tmp_path, monkeypatch):
    """A copy of the assets, which is the current folder."""
    for path in sorted(assets.rglob("*")):
        copied = tmp_path / path.relative_to(assets)
        copied.mkdir() if path.is_dir() else copied.write_bytes(path.read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def contents(folder):
    """{path: (bytes, or where a link leads, or None; mode)} of all that is below a folder."""
    found = {}
    for path in sorted(folder.rglob("*")):
        mode = stat.S_IMODE(os.lstat(path).st_mode)
        held = os.readlink(path) if path.is_symlink() else path.is_file() and path.read_bytes()
        found[str(path)] = held, mode
    return found


@pytest.fixture
def call(folder, capsys):
    """Runs a command of the table with a path for OUT; returns (exit code, stderr)."""

    def run(command, path, *more):
        if "torch_net" in command:
            pytest.importorskip("torch")
        if "--png" in command:
            pytest.importorskip("matplotlib")
        if "keras_net" in command:
            pytest.importorskip("keras", "3")
        words = [word.replace("OUT", str(path)) for word in shlex.split(command)]
        code = cli.main([*words, *more])
        return code, capsys.readouterr().err

    return run


def output_of(command, path="out"):
    """The path of a side output, whose command may add an ending."""
    return pathlib.Path(
        next(w for w in shlex.split(command) if w.startswith("OUT")).replace("OUT", path)
    )


def refuses(call, folder, command, path, *more):
    """Checks that a command changes nothing, and says why in one line."""
    before = contents(folder)
    code, err = call(command, path, *more)
    last = err.splitlines()[-1]
    assert code == 2 and "Traceback" not in err, err
    assert last.startswith("tfgraphtools: ") and ": expected " in last, err
    assert contents(folder) == before
    return last


@pytest.mark.parametrize("command", COMMANDS)
def test_absent_and_then_ours(command, call, folder):
    written = output_of(command)
    code, err = call(command, "out")
    assert code in (0, 1), err
    assert files.is_own(written.read_bytes())
    written.chmod(0o640)
    assert call(command, "out")[0] == code
    assert files.is_own(written.read_bytes()) and stat.S_IMODE(written.stat().st_mode) == 0o640
    assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_ours_that_somebody_changed(command, call, folder):
    call(command, "out")
    written = output_of(command)
    data = written.read_bytes()
    written.write_bytes(data[:20] + b" " + data[20:])
    message = refuses(call, folder, command, "out")
    assert "which was changed since it was written" in message and "--force" in message


@pytest.mark.parametrize("held", [b"mine\n", b"\xff\xfe\x00"], ids=["text", "not UTF-8"])
@pytest.mark.parametrize("command", COMMANDS)
def test_not_ours(command, held, call, folder):
    written = output_of(command)
    written.write_bytes(held)
    assert "another file. Nothing was written" in refuses(call, folder, command, "out")
    if not command.startswith("ckpt convert"):  # there, --force is about the destination, too
        assert call(command, "out", "--force")[0] in (0, 1)
        assert files.is_own(written.read_bytes())


@pytest.mark.parametrize("command", [name for name in COMMANDS if "OUT." not in name])
def test_an_input(command, call, folder):
    """Also by another name, and with --force."""
    for name in COMMANDS[command]:
        refuses(call, folder, command, name, "--force")
        os.symlink(name, "linked")
        os.link(name, "hard")
        refuses(call, folder, command, "linked", "--force")
        refuses(call, folder, command, "hard", "--force")
        refuses(call, folder, command, os.path.join("code", "..", name), "--force")
        os.unlink("linked")
        os.unlink("hard")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder(command, call, folder):
    output_of(command).mkdir()
    refuses(call, folder, command, "out", "--force")


@pytest.mark.parametrize("command", COMMANDS)
def test_read_only(command, call, folder):
    call(command, "out")
    output_of(command).chmod(0o444)
    assert "permission denied" in refuses(call, folder, command, "out", "--force")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk(command, call, folder):
    """Simulated by a limit of the size of files, which holds for the superuser, too."""
    call(command, "out")
    before = contents(folder)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8, hard))
    try:
        code, err = call(command, "out")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert code == 2 and err.splitlines()[-1].startswith("tfgraphtools: "), err
    assert contents(folder) == before


@pytest.mark.parametrize("command", COMMANDS)
def test_a_link_stays_a_link(command, call, folder):
    written = output_of(command)
    (folder / "elsewhere").mkdir()
    os.symlink(os.path.join("elsewhere", "real"), written)
    assert call(command, "out")[0] in (0, 1)
    assert os.readlink(written) == os.path.join("elsewhere", "real")
    assert files.is_own((folder / "elsewhere" / "real").read_bytes())


@pytest.mark.parametrize("command", [name for name in COMMANDS if " code" in name])
def test_names_that_are_not_utf8(command, call, folder):
    """A file name of another encoding, in the tree and as the side output."""
    name = os.fsdecode(b"caf\xe9")
    (folder / "code" / (name + ".py")).write_text(CODE)
    assert call(command, "out")[0] in (0, 1)
    assert files.is_own((folder / "out").read_bytes())
    assert call(command, name)[0] in (0, 1)
    assert files.is_own((folder / name).read_bytes())
    if "code/a.py" not in command:
        refuses(call, folder, command, f"code/{name}.py", "--force")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_pipe_is_written_to(command, call, folder, tmp_path):
    written = output_of(command)
    os.mkfifo(written)
    reader = os.open(written, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert call(command, "out")[0] in (0, 1)
        assert os.read(reader, 4) and stat.S_ISFIFO(written.stat().st_mode)
    finally:
        os.close(reader)


def test_one_file_for_two_outputs(call, folder):
    words = "explain m.meta --y y --x net/w --html OUT --dot ./out"
    refuses(call, folder, words, "out", "--force")
    refuses(call, folder, "doctor code --html OUT --constraints out", "out", "--force")


@pytest.mark.parametrize("name", ["d", "d.index", "d.data-00000-of-00001"])
def test_the_destination(call, folder, name):
    """It is there only afterwards."""
    refuses(call, folder, "ckpt convert m d --to tf1 --write-map OUT", name, "--force")


#: command line, with OUT for what it makes -> the files that it reads
RESULTS = {
    "ckpt convert m.npz OUT --to npz --drop net/w": ["m.npz"],
    "ckpt convert m OUT --to npz --map names.json": ["names.json", *CHECKPOINT],
    "ckpt convert m OUT --to safetensors --map names.json": ["names.json"],
    "ckpt convert m OUT --to frozen --meta m.meta --outputs y": ["m.meta"],
    "graph extract m.meta --out OUT --outputs y": ["m.meta", *CHECKPOINT],
    "graph source m.meta --out OUT --outputs y": ["m.meta", *CHECKPOINT],
    "graph convert m.meta --to tflite --out OUT --outputs y --samples m.npz": ["m.npz", "m.meta"],
}


@pytest.mark.parametrize("command", RESULTS)
def test_the_result_itself(command, call, folder):
    """It is no side output, and is not written over an input either."""
    np.savez("m.npz", **{"net/w": np.ones((3, 2), "f"), "net/b": np.ones(2, "f")})
    for name in RESULTS[command]:
        refuses(call, folder, command, name, "--force")


def test_a_map_that_was_corrected_stays(call, folder):
    """The message told the user to correct it."""
    pytest.importorskip("torch")
    command = f"{DRAFT} torch --model torch_net.py:Net --write-draft OUT"
    call(command, "map.json")
    drafted = json.loads((folder / "map.json").read_text())
    drafted["pairs"][0]["to"] = None
    (folder / "map.json").write_text(json.dumps(drafted, indent=2) + "\n")
    refuses(call, folder, command, "map.json")


def test_the_old_name_of_write_map(call, folder):
    """`--map` reads everywhere."""
    message = refuses_as_usage(call, folder, "ckpt doctor m --graph m.meta --map OUT", "m.index")
    assert "Write: --write-map m.index" in message


def refuses_as_usage(call, folder, command, path):
    before = contents(folder)
    code, err = call(command, path)
    assert code == 2 and len(err.splitlines()) == 1 and contents(folder) == before
    return err


def test_written_maps_are_read(call, folder, capsys):
    (folder / "names.json").write_text(json.dumps({"net/w": "other/w", "net/b": "other/b"}))
    assert cli.main(["ckpt", "convert", "m", "n", "--to", "tf1", "--map", "names.json"]) == 0
    assert call("ckpt doctor n --graph m.meta --write-map OUT", "map.json")[0] == 1
    assert cli.main("ckpt rename n fixed --map map.json".split()) == 0
    assert cli.main("ckpt diff m fixed".split()) == 0
    words = "ckpt convert m o --to tf1 --map names.json --write-map pairs.json"
    assert cli.main(words.split()) == 0
    assert cli.main("ckpt verify m --against o --map pairs.json".split()) == 0


def test_an_optimizer_is_not_written_over_an_input(call, folder):
    pytest.importorskip("torch")
    command = "ckpt convert m w.pt --to torch --model torch_net.py:Net --write-optimizer OUT"
    for name in ("w.pt", "torch_net.py", "m.index"):
        refuses(call, folder, command, name, "--force")


@pytest.mark.parametrize("as_json", [False, True])
def test_the_report_of_a_run(as_json, compat_server, tmp_path):
    (tmp_path / "a.py").write_text(CODE + "import os\nos.chdir('/')\n")
    words = ["--json"] * as_json + ["--report-to", "used", "a.py"]
    for _ in range(2):
        done = compat_server.run(tmp_path, *words)
        assert done.code == 0, done.err
        assert files.is_own((tmp_path / "used").read_bytes())
    (tmp_path / "used").write_text("mine")
    done = compat_server.run(tmp_path, *words)
    assert done.code == 2 and (tmp_path / "used").read_text() == "mine"
    assert compat_server.run(tmp_path, "--force", *words).code == 0
    done = compat_server.run(tmp_path, "--force", "--report-to", "a.py", "a.py")
    assert done.code == 2 and (tmp_path / "a.py").read_text().startswith(CODE)


def test_a_report_that_the_script_wrote_itself(compat_server, tmp_path):
    (tmp_path / "a.py").write_text(CODE + "open('used', 'w').write('mine')\n")
    done = compat_server.run(tmp_path, "--report-to", "used", "a.py")
    assert done.code == 0 and (tmp_path / "used").read_text() == "mine"
    assert "--report-to: expected a new file" in done.err and "Traceback" not in done.err


def test_a_link_that_leads_to_itself(call, folder):
    os.symlink("out", "out")
    refuses(call, folder, "ckpt doctor m --graph m.meta --write-map OUT", "out", "--force")


def test_no_folder_for_a_link(call, folder):
    os.symlink(os.path.join("nowhere", "x"), "out")
    refuses(call, folder, "ckpt doctor m --graph m.meta --write-map OUT", "out", "--force")


@pytest.mark.parametrize("name", ["/dev/full", "/dev/null"])
def test_a_device(name, call, folder):
    if not os.path.exists(name):
        pytest.skip(f"no {name} here")
    before = contents(folder)
    code, err = call("ckpt doctor m --graph m.meta --write-map OUT", name)
    assert code == (2 if name.endswith("full") else 0), err
    assert contents(folder) == before and stat.S_ISCHR(os.stat(name).st_mode)


WRITERS = {"write_text", "write_bytes", "savefig", "savetxt", "mkstemp", "NamedTemporaryFile"}


def writes(tree):
    """Lines of calls that write a file where `files.replace_file` would."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            options = [word.value for word in node.keywords if word.arg == "mode"]
            modes = [str(getattr(word, "value", "")) for word in (*node.args[1:2], *options)]
            is_open = getattr(node.func, "id", "") == "open" and set("wax+") & set("".join(modes))
            if is_open or name in WRITERS and "picture" not in ast.dump(node):
                yield node.lineno


def test_commands_write_through_one_door():
    found = [
        f"{path}:{line}"
        for path in pathlib.Path(cli.__file__).parent.rglob("*.py")
        for line in writes(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == []
    text = "open(p, 'w'); open(p, mode='ab'); p.write_text(x); open(p, 'rb'); figure.savefig(p)"
    assert list(writes(ast.parse(text))) == [1] * 4
