"""URLs: one table of questions over memory://, a real HTTP server with ranges, and a real S3.

The HTTP server also drops connections, sends too little and answers 503: the result is right, or
one clear error, and never other bytes.
"""

import http.server
import os
import re
import shutil
import threading

import numpy as np
import pytest

from tfgraphtools import checkpoints
from tfgraphtools.checkpoints.format import wire
from tfgraphtools.checkpoints.read.remote import requests, urls
from tfgraphtools.cli import main
from tfgraphtools.errors import (
    CheckpointNotFoundError,
    DamagedCheckpointError,
    MissingExtraError,
    RemoteError,
    SourceChangedError,
)

fsspec = pytest.importorskip("fsspec")

ARRAYS = {
    "dense/kernel": np.random.RandomState(0).randn(1000, 300).astype(np.float32),
    "dense/bias": np.arange(300, dtype=np.float32),
    "global_step": np.int64(7),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A checkpoint of 1.2 MB, a checkpoint file that names it, and the same as archives."""
    path = tmp_path_factory.mktemp("remote")
    np.savez(str(path / "model.npz"), **ARRAYS)
    checkpoints.from_npz(str(path / "model.npz"), str(path / "model.ckpt-7"))
    checkpoints.to_safetensors(str(path / "model.ckpt-7"), str(path / "model.safetensors"))
    (path / "checkpoint").write_text('model_checkpoint_path: "model.ckpt-7"\n')
    (path / "frozen.pb").write_bytes(frozen())
    variables = path / "module" / "variables"
    variables.mkdir(parents=True)
    for ending in (".index", ".data-00000-of-00001"):
        shutil.copy(str(path / ("model.ckpt-7" + ending)), str(variables / ("variables" + ending)))
    (path / "unnamed").mkdir()
    (path / "unnamed" / "checkpoint").write_text('model_checkpoint_path: "."\n')
    for ending in (".index", ".data-00000-of-00001"):
        shutil.copy(str(path / ("model.ckpt-7" + ending)), str(path / "unnamed" / ending))
    for name in ("saved_model.pb", "tfhub_module.pb"):
        (path / "module" / name).write_bytes(b"\x08\x03")
    return path


def frozen():
    """A GraphDef of constants, each read by an Identity."""
    graph = b""
    for name, array in ARRAYS.items():
        array, key = np.asarray(array), name.encode()
        shape = b"".join(wire.bytes_field(2, wire.number_field(1, n)) for n in array.shape)
        tensor = wire.number_field(1, 9 if array.dtype == np.int64 else 1)
        tensor += wire.bytes_field(2, shape) + wire.bytes_field(4, array.tobytes())
        value = wire.bytes_field(1, b"value") + wire.bytes_field(2, wire.bytes_field(8, tensor))
        node = wire.bytes_field(1, key) + wire.bytes_field(2, b"Const")
        graph += wire.bytes_field(1, node + wire.bytes_field(5, value))
        read = wire.bytes_field(1, key + b"/read") + wire.bytes_field(2, b"Identity")
        graph += wire.bytes_field(1, read + wire.bytes_field(3, key))
    return graph


def files_of(folder):
    """{path below the folder: path} of all its files."""
    return {
        os.path.relpath(os.path.join(at, name), str(folder)): os.path.join(at, name)
        for at, _, names in os.walk(str(folder))
        for name in names
    }


class Handler(http.server.BaseHTTPRequestHandler):
    """Files with ranges; ``faults`` are taken from the front, one for each GET."""

    protocol_version = "HTTP/1.1"
    folder, faults, sent = None, [], 0

    def log_message(self, *unused):
        pass

    def do_HEAD(self):
        self._answer(False)

    def do_GET(self):
        self._answer(True)

    def _answer(self, with_body):
        path = os.path.join(self.folder, self.path.lstrip("/"))
        if self.path.startswith("/moved/"):
            self.send_response(302)
            self.send_header("Location", self.path[len("/moved") :])
            self.send_header("Content-Length", "0")
            return self.end_headers()
        fault = Handler.faults.pop(0) if with_body and Handler.faults else None
        if not os.path.isfile(path):
            return self._only(404)
        if fault == "503":
            return self._only(503)
        asked = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        status, whole = 200, os.path.getsize(path)
        start, stop = 0, whole
        if asked and fault != "no ranges":
            start, stop, status = int(asked.group(1)), int(asked.group(2)) + 1, 206
            if fault == "another range" and start:
                start, stop = start - 1, stop - 1
        self.send_response(status)
        if status == 206:
            length = whole + (fault == "another length")
            self.send_header("Content-Range", f"bytes {start}-{stop - 1}/{length}")
        if fault == "packed":
            self.send_header("Content-Encoding", "gzip")
        self.send_header("ETag", '"2"' if fault == "another version" else '"1"')
        self.send_header("Accept-Ranges", "bytes")
        size = (stop - start) // 2 if fault == "short" else stop - start
        self.send_header("Content-Length", str(size))
        self.end_headers()
        if with_body:
            with open(path, "rb") as file:
                file.seek(start)
                data = file.read(size)
            data = data[: len(data) // 2] if fault == "drop" else data
            Handler.sent += len(data)
            self.wfile.write(data)
            if fault == "drop":
                self.close_connection = True

    def _only(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()


@pytest.fixture
def http_url(folder):
    pytest.importorskip("aiohttp")
    Handler.folder, Handler.faults, Handler.sent = str(folder), [], 0
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *unused: None  # a client that hangs up
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def memory_url(folder):
    system = fsspec.filesystem("memory")
    for name, path in files_of(folder).items():
        with system.open("/models/" + name, "wb") as file, open(path, "rb") as own:
            file.write(own.read())
    yield "memory://models"
    system.rm("/models", recursive=True)


@pytest.fixture(scope="module")
def s3_url(folder):
    pytest.importorskip("s3fs")
    moto = pytest.importorskip("moto.server")
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    environment = pytest.MonkeyPatch()
    environment.setenv("AWS_ACCESS_KEY_ID", "x")
    environment.setenv("AWS_SECRET_ACCESS_KEY", "x")
    environment.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    system = fsspec.filesystem("s3", skip_instance_cache=True)
    system.mkdir("models")
    for name, path in files_of(folder).items():
        system.put_file(path, "models/" + name)
    yield "s3://models"
    server.stop()
    environment.undo()


@pytest.fixture(params=["memory", "http", "s3"])
def url(request):
    return request.getfixturevalue(request.param + "_url")


NAMES = ["model.ckpt-7", "model.ckpt-7.index", "checkpoint", "model.npz", "model.safetensors", ""]
NAMES += ["frozen.pb", "module", "module/saved_model.pb", "module/tfhub_module.pb"]
NAMES += ["unnamed/checkpoint", "unnamed/.index"]


@pytest.mark.parametrize("name", NAMES)
def test_read(url, name):
    with checkpoints.open_checkpoint(f"{url}/{name}") as ckpt:
        assert sorted(ckpt) == sorted(ARRAYS)
        for key, array in ARRAYS.items():
            assert np.array_equal(ckpt[key], array), key
        rows = ckpt.read("dense/kernel", np.s_[500:502])
        assert np.array_equal(rows, ARRAYS["dense/kernel"][500:502])
        ckpt.check_unchanged()


def test_commands(url, folder, tmp_path, capsys):
    remote_one, local = f"{url}/model.ckpt-7", str(folder / "model.ckpt-7")
    assert main(["ckpt", "ls", remote_one]) == 0
    assert "dense/kernel" in capsys.readouterr().out
    assert main(["ckpt", "verify", remote_one]) == 0
    assert main(["ckpt", "diff", remote_one, local]) == 0
    assert (
        main(["ckpt", "rename", remote_one, str(tmp_path / "new"), "--rule", "dense/(.*)", r"d/\1"])
        == 0
    )
    with checkpoints.open_checkpoint(str(tmp_path / "new")) as renamed:
        assert np.array_equal(renamed["d/kernel"], ARRAYS["dense/kernel"])
    assert main(["ckpt", "convert", remote_one, str(tmp_path / "x.npz"), "--to", "npz"]) == 0
    capsys.readouterr()


def test_ls_reads_the_index_alone(http_url, folder, tmp_path, capsys):
    """A sparse file of 1 GiB: the index and a few requests, not its data."""
    for ending in (".index", ".data-00000-of-00001"):
        source = folder / ("model.ckpt-7" + ending)
        (tmp_path / ("big" + ending)).write_bytes(source.read_bytes())
    os.truncate(str(tmp_path / "big.data-00000-of-00001"), 1 << 30)
    Handler.folder = str(tmp_path)
    assert main(["ckpt", "ls", http_url + "/big"]) == 0
    assert "dense/kernel" in capsys.readouterr().out and Handler.sent < 1 << 20


@pytest.mark.parametrize("fault", ["503", "drop", "short"])
def test_faults_that_pass(http_url, monkeypatch, fault):
    monkeypatch.setattr(requests, "PAUSE", 0.001)
    Handler.faults = [fault] * 3
    with checkpoints.open_checkpoint(http_url + "/model.ckpt-7") as ckpt:
        Handler.faults = [fault, None, fault]
        assert np.array_equal(ckpt["dense/kernel"], ARRAYS["dense/kernel"])


@pytest.mark.parametrize("fault", ["503", "drop", "short"])
def test_faults_that_stay(http_url, monkeypatch, capsys, fault):
    monkeypatch.setattr(requests, "PAUSE", 0.001)
    with checkpoints.open_checkpoint(http_url + "/model.ckpt-7") as ckpt:
        Handler.faults = [fault] * 100
        with pytest.raises(RemoteError, match="after 5 requests"):
            ckpt["dense/kernel"]
    Handler.faults = [fault] * 100
    assert main(["ckpt", "ls", http_url + "/model.ckpt-7"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    "fault, error, message",
    [
        ("another range", RemoteError, "were asked for, after 5 requests"),
        ("packed", RemoteError, "packed by gzip|gzip"),
        ("another length", SourceChangedError, "written or removed"),
        ("another version", SourceChangedError, "written or removed"),
    ],
)
def test_other_bytes_than_were_asked_for(http_url, monkeypatch, fault, error, message):
    """Of files without checksums as well: nobody else would notice."""
    monkeypatch.setattr(requests, "PAUSE", 0.001)
    with checkpoints.open_archive(http_url + "/model.safetensors") as ckpt:
        Handler.faults = [fault] * 100
        with pytest.raises(error, match=message):
            ckpt.read("dense/kernel", np.s_[500:900])
    Handler.faults = [None] * 4 + [fault] * (error is RemoteError)  # what passes does no harm
    with checkpoints.open_archive(http_url + "/model.safetensors") as ckpt:
        assert np.array_equal(ckpt["dense/kernel"], ARRAYS["dense/kernel"])


def test_a_server_that_sends_elsewhere(http_url):
    with checkpoints.open_checkpoint(http_url + "/moved/model.ckpt-7") as ckpt:
        assert np.array_equal(ckpt["dense/kernel"], ARRAYS["dense/kernel"])


def test_a_server_without_ranges(http_url, tmp_path):
    with checkpoints.open_checkpoint(http_url + "/model.ckpt-7") as ckpt:
        Handler.faults = ["no ranges"] * 100
        with pytest.raises(RemoteError, match="answers requests for ranges"):
            ckpt.read("dense/kernel", np.s_[5:7])
    assert Handler.sent < 2 << 20  # not the whole file for every block


def test_other_bytes_are_damage(memory_url):
    system = fsspec.filesystem("memory")
    name = "/models/model.ckpt-7.data-00000-of-00001"
    data = bytearray(system.cat_file(name))
    data[len(data) // 2] ^= 1
    with system.open(name, "wb") as file:
        file.write(bytes(data))
    with checkpoints.open_checkpoint(memory_url + "/model.ckpt-7") as ckpt:
        with pytest.raises(DamagedCheckpointError, match="dense/kernel"):
            ckpt["dense/kernel"]


def test_mistakes(memory_url, monkeypatch):
    with pytest.raises(CheckpointNotFoundError, match="got none"):
        checkpoints.open_checkpoint(memory_url + "/other")
    with pytest.raises(RemoteError, match="a URL that fsspec knows"):
        checkpoints.open_checkpoint("nothing://models/x")
    monkeypatch.setitem(__import__("sys").modules, "fsspec.core", None)
    with pytest.raises(MissingExtraError, match=r"pip install fsspec aiohttp"):
        checkpoints.open_checkpoint(memory_url + "/model.ckpt-7")


def test_upload(memory_url, folder, capsys):
    source, there = str(folder / "model.ckpt-7"), memory_url + "/new"
    for path, to in ((there + ".npz", "npz"), (there + ".safetensors", "safetensors")):
        command = ["ckpt", "convert", source, path, "--to", to]
        assert main(command) == 0
        with checkpoints.open_checkpoint(path) as ckpt:
            assert np.array_equal(ckpt["dense/bias"], ARRAYS["dense/bias"])
        capsys.readouterr()
        assert main(command) == 2 and "--force" in capsys.readouterr().err
        assert main([*command, "--force"]) == 0
    assert checkpoints.upload(source, there)[-1] == there + ".index"
    with checkpoints.open_checkpoint(there) as ckpt:
        assert np.array_equal(ckpt["dense/bias"], ARRAYS["dense/bias"])
    assert checkpoints.upload(source, there + "-2/")[-1] == there + "-2.index"
    assert main(["ckpt", "convert", source, there + "-3.npz/", "--to", "npz"]) == 0
    assert checkpoints.open_checkpoint(there + "-3.npz").keys() == ARRAYS.keys()


def test_an_interrupted_upload_keeps_the_old_checkpoint(memory_url, folder, monkeypatch):
    """The second file does not arrive: the first one has replaced nothing."""
    source, there = str(folder / "model.ckpt-7"), memory_url + "/kept"
    checkpoints.upload(source, there)
    with checkpoints.open_checkpoint(source) as ckpt:
        other = {name: -np.asarray(ckpt[name]) for name in ["dense/bias"]}
        checkpoints.plan(ckpt, drop="dense/bias", add=other).apply(str(folder / "other"), True)
    put, calls = urls.upload, []

    def interrupted(path, url):
        calls.append(url)
        if len(calls) == 2:
            raise KeyboardInterrupt
        put(path, url)

    monkeypatch.setattr(urls, "upload", interrupted)
    with pytest.raises(KeyboardInterrupt):
        checkpoints.upload(str(folder / "other"), there, overwrite=True)
    assert checkpoints.verify(there).ok
    with checkpoints.open_checkpoint(there) as ckpt:
        assert np.array_equal(ckpt["dense/bias"], ARRAYS["dense/bias"])
    assert not any(name.endswith(".partial") for name in urls.folder_names(memory_url))
    monkeypatch.setattr(urls, "upload", put)
    checkpoints.upload(str(folder / "other"), there, overwrite=True)
    with checkpoints.open_checkpoint(there) as ckpt:
        assert np.array_equal(ckpt["dense/bias"], -ARRAYS["dense/bias"])
    assert not any(name.endswith(".partial") for name in urls.folder_names(memory_url))
