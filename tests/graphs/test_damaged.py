"""Files that are damaged, hostile or something else: one error of ours, or an honest summary."""

import io
import os
import random
import struct
import tracemalloc

import numpy as np
import pytest
from call_counts import counted_calls

from tfgraphtools import cli, graphs
from tfgraphtools.checkpoints.format.wire import bytes_field, number_field
from tfgraphtools.errors import TfgraphtoolsError

pytestmark = pytest.mark.once

FUZZ, SEED = (
    int(os.environ.get("TFGRAPHTOOLS_FUZZ", 210)),
    os.environ.get("TFGRAPHTOOLS_FUZZ_SEED", 0),
)


def node(name, op="NoOp", *inputs, attrs=b""):
    fields = bytes_field(1, name.encode()) + bytes_field(2, op.encode())
    return bytes_field(1, fields + b"".join(bytes_field(3, i.encode()) for i in inputs) + attrs)


def function(name, *body):
    signature = bytes_field(1, bytes_field(1, name.encode()))
    return bytes_field(1, signature + b"".join(bytes_field(3, call) for call in body))


def call(op):
    return bytes_field(1, b"call") + bytes_field(2, op.encode())


DEEP = b"node {" * 5000
HUGE = b"\xff" * 9 + b"\x01"
SHAPE = bytes_field(7, bytes_field(2, number_field(1, 1 << 62)) * 3)

#: Id: (content, part of the error).
REFUSED = {
    "empty": (b"", "got an empty file"),
    "zeros": (b"\0" * 100, "got a field with the number 0"),
    "text": (b"hello world\n", "well-formed data"),
    "huge-length": (b"\x0a" + HUGE + b"abc", "past the end"),
    "node-that-runs-out": (node("a") + b"\x0a\x10\x0a\x7f", "past the end"),
    "long-varint": (b"\x0a" + b"\xff" * 20, "a varint of more than"),
    "number-for-a-node": (node("a") + b"\x08\x01\x0b", "wire type 3"),
    "no-op": (bytes_field(1, bytes_field(1, b"x")), "data that is no graph"),
    "descriptors-of-messages": (
        bytes_field(1, bytes_field(1, b"a.proto") + bytes_field(2, b"a.b") + bytes_field(12, b"3")),
        "data that is no graph",
    ),
    "deep-text": (DEEP, "nested in more than 100 levels"),
    "deep-lists": (b"node { attr { value { list {" * 300, "more than 100 levels"),
    "open-string": (b'node { name: "abc', "near line 1"),
    "text-cut-short": (b"node {\n name: 'a'\n", "cut short"),
    "text-of-another-kind": (b"node: 5", "'5' in place of the message"),
    "number-in-text": (b"versions { producer: 1e5x }", "'1e5' in place of a number"),
    "not-a-number": (b"versions { producer: abc }", "'abc' in place of a number"),
    "saved-model-without-graphs": (number_field(1, 1), "a SavedModel without a graph"),
}

#: Id: content that is read.
READ = {
    "node-cycle": node("a", "Identity", "b") + node("b", "Identity", "a"),
    "function-cycle": node("a", "f")
    + bytes_field(2, function("f", call("g")) + function("g", call("f"))),
    "same-name-twice": node("a") + node("a", "Identity", "a"),
    "input-of-nothing": node("a", "Identity", "", ":", "^", "::1"),
    "huge-shape": node(
        "x", "Placeholder", attrs=bytes_field(5, bytes_field(1, b"shape") + bytes_field(2, SHAPE))
    ),
    "deep-scopes": node("a/" * 100000 + "b"),
    "unknown-fields": node("a") + bytes_field(1000, b"?" * 50) + number_field(77, 3),
    "binary-names": node("a")
    + bytes_field(1, bytes_field(1, b"\xff\xfe\x1b[2J") + bytes_field(2, b"Op")),
    "text-with-comments": b"# graph\nnode < name: 'a' 'b', op: \"NoOp\"; [x.y/z.W] { q: 1 } "
    b"unknown: [1, {}] >\n",
}


@pytest.mark.parametrize("content, message", REFUSED.values(), ids=list(REFUSED))
def test_refused(content, message, tmp_path, capsys):
    (tmp_path / "graph.bin").write_bytes(content)
    assert cli.main(["graph", "show", str(tmp_path / "graph.bin")]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and message in err, err


@pytest.mark.parametrize("content", READ.values(), ids=list(READ))
def test_read(content, tmp_path, capsys):
    (tmp_path / "graph.bin").write_bytes(content)
    for options in ([], ["--tree"], ["--json"], ["--all"]):
        assert cli.main(["graph", "show", str(tmp_path / "graph.bin"), *options]) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_a_graph_in_text_is_parsed(tmp_path):
    (tmp_path / "g").write_bytes(READ["text-with-comments"])
    assert graphs.show(tmp_path / "g").ops == {"NoOp": 1}


@pytest.mark.parametrize("change", ["length", "graph", "cut"])
def test_an_event_file(change, training_graph, tmp_path):
    with open(training_graph.files["event file"], "rb") as file:
        data = bytearray(file.read())
    (first,) = struct.unpack("<Q", data[:8])
    second = 12 + first + 4
    place = {"length": second, "graph": second + 1000, "cut": 0}[change]
    data[place] ^= change != "cut"
    (tmp_path / "events").write_bytes(data if change != "cut" else data + b"\x01\x02\x03")
    if change == "cut":  # a killed job leaves a record that is not whole
        assert graphs.show(tmp_path / "events").kind == "event file"
        return
    with pytest.raises(TfgraphtoolsError, match="contradicts its checksum"):
        graphs.show(tmp_path / "events")


def test_other_files(training_graph, tmp_path):
    np.savez(str(tmp_path / "a.npz"), a=np.zeros(3))
    for path in (training_graph.prefix + ".index", tmp_path / "a.npz", __file__, tmp_path):
        with pytest.raises(TfgraphtoolsError):
            graphs.show(path)
    with pytest.raises(FileNotFoundError):
        graphs.show(tmp_path / "absent.pb")


def _damaged(data, draw):
    """A few bytes changed, removed or doubled, or the end removed."""
    data = bytearray(data)
    for _ in range(draw.choice([1, 1, 3, 20])):
        place = draw.randrange(len(data))
        kind = draw.randrange(4)
        if kind == 0:
            data[place] = draw.randrange(256)
        elif kind == 1:
            del data[place : place + draw.choice([1, 4, 100])]
        elif kind == 2:
            data[place:place] = data[place : place + draw.choice([1, 4, 100])]
        else:
            data[place] ^= 1 << draw.randrange(8)
    return bytes(data[: draw.randrange(1, len(data))] if draw.random() < 0.1 else data)


@pytest.mark.parametrize("kind", ["MetaGraphDef", "MetaGraphDef as text", "SavedModel"])
def test_fuzz(kind, small_files, tmp_path, monkeypatch):
    draw = random.Random(f"{SEED} {kind}")
    data = small_files[kind]
    outcomes = {"read": 0, "refused": 0}
    for number in range(FUZZ // 3):
        (tmp_path / "g").write_bytes(_damaged(data, draw))
        try:
            summary = graphs.show(tmp_path / "g")
            summary.as_dict(), summary.tree(3)
            outcomes["read"] += 1
        except TfgraphtoolsError:
            outcomes["refused"] += 1
        except Exception as error:
            raise AssertionError(f"input {number} of seed {SEED}") from error
    assert min(outcomes.values()) > 0, outcomes


@pytest.fixture(scope="module")
def small_files(tf, tmp_path_factory):
    """{kind: content} of a small graph."""
    v1, folder = tf.compat.v1, tmp_path_factory.mktemp("small")
    with v1.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [None, 3], name="x")
        y = tf.matmul(x, v1.get_variable("w", [3, 2]), name="y")
        v1.train.MomentumOptimizer(0.1, 0.9).minimize(tf.reduce_sum(v1.nn.dropout(y, rate=0.1)))
        session.run(v1.global_variables_initializer())
        v1.train.Saver()
        v1.train.export_meta_graph(str(folder / "g.meta"))
        v1.train.export_meta_graph(str(folder / "g.txt"), as_text=True)
        v1.saved_model.simple_save(session, str(folder / "saved"), {"x": x}, {"y": y})
    files = {
        "MetaGraphDef": "g.meta",
        "MetaGraphDef as text": "g.txt",
        "SavedModel": "saved/saved_model.pb",
    }
    return {kind: (folder / name).read_bytes() for kind, name in files.items()}


def _synthetic(count):
    """A GraphDef of that many nodes with the attributes that TensorFlow writes."""
    shape = bytes_field(1, bytes_field(7, bytes_field(2, number_field(1, 128)) * 2))
    shapes = bytes_field(5, bytes_field(1, b"_output_shapes") + bytes_field(2, shape))
    types = bytes_field(5, bytes_field(1, b"T") + bytes_field(2, number_field(6, 1)))
    classes = bytes_field(
        5,
        bytes_field(1, b"_class") + bytes_field(2, bytes_field(1, bytes_field(2, b"loc:@scope/w"))),
    )
    out = io.BytesIO()
    for i in range(count):
        name = f"scope_{i % 100}/layer_{i % 10}/op_{i}"
        before = f"scope_{(i - 1) % 100}/layer_{(i - 1) % 10}/op_{i - 1}" if i else "^first"
        out.write(node(name, "MatMul", before, before, attrs=types + shapes + classes))
    return out.getvalue()


def test_ten_times_the_nodes_cost_ten_times_the_calls(tmp_path):
    """What 100,000 nodes take in seconds, `scripts/bench/startup.py` prints."""
    calls_of = {}
    for count in (2000, 20000):
        (tmp_path / "g.pb").write_bytes(_synthetic(count))
        with counted_calls() as calls:
            assert graphs.show(tmp_path / "g.pb").nodes == count
        calls_of[count] = calls[0]
    assert calls_of[20000] < 11 * calls_of[2000]


@pytest.mark.slow
def test_the_memory_of_a_hundred_thousand_nodes(tmp_path):
    """Less than 6 times the file."""
    (tmp_path / "g.pb").write_bytes(_synthetic(100000))
    tracemalloc.start()
    graphs.show(tmp_path / "g.pb")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 6 * (tmp_path / "g.pb").stat().st_size
