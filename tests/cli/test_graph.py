"""`graph show`: what is printed, without TensorFlow."""

import html
import itertools
import json
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from tfgraphtools import cli, graphs
from tfgraphtools.cli.graph import scope_page, tree
from tfgraphtools.graphs.scope_tree import Scope

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def trained(tf, tmp_path_factory):
    """The prefix of a checkpoint of a small classifier, with its graph."""
    v1, folder = tf.compat.v1, tmp_path_factory.mktemp("trained")
    with v1.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [None, 6], name="x")
        y = v1.placeholder(tf.int64, [None], name="y")
        with v1.variable_scope("hidden"):
            h = tf.matmul(x, v1.get_variable("kernel", [6, 30]))
        h = v1.nn.dropout(tf.nn.relu(h), rate=0.5)
        with v1.variable_scope("logits"):
            logits = tf.matmul(h, v1.get_variable("kernel", [30, 4]))
        tf.nn.softmax(logits, name="probabilities")
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
        v1.py_func(lambda value: value, [losses], tf.float32, name="look")
        v1.train.AdamOptimizer().minimize(tf.reduce_mean(losses, name="loss"))
        session.run(v1.global_variables_initializer())
        return v1.train.Saver().save(session, str(folder / "model.ckpt"))


@pytest.fixture
def printed(trained, capsys):
    def call(*options):
        assert cli.main(["graph", "show", trained + ".meta", *options]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        return out

    return call


@pytest.mark.parametrize(
    "line",
    [
        "x:0     float32  [?, 6]  Placeholder",
        "probabilities:0  float32  [?, 4]  Softmax",
        "hidden/kernel         float32  [6, 30]  720 B  yes                yes",
        "hidden/kernel/Adam_1  float32  [6, 30]  720 B  no         Adam_1  yes",
        "dropout and noise      1  dropout",
        "trainable_variables: 2 messages",
    ],
)
def test_a_row(line, printed):
    assert line in printed()


def test_sections(printed):
    sections = [line for line in printed().splitlines() if line and line[0] != " "][3:]
    assert sections[:4] == ["inputs", "likely outputs", "8 variables, 3.5 KiB", "collections"]
    assert sections[-3:-1] == ["only for training", "cannot leave Python or TF 1"]
    assert "\n  PyFunc  look   calls a function of the Python process" in printed()


def test_long_tables_are_cut(trained, monkeypatch, capsys):
    from tfgraphtools.cli.graph import show

    monkeypatch.setattr(show, "_MOST_ROWS", 3)
    assert cli.main(["graph", "show", trained]) == 0
    assert "... and 5 more: --all shows them" in capsys.readouterr().out
    assert cli.main(["graph", "show", trained, "--all"]) == 0
    assert "more" not in capsys.readouterr().out.partition("collections")[0]


def test_json(printed):
    summary = json.loads(printed("--json", "--tree"))
    assert summary["inputs"][0] == {
        "name": "x:0",
        "dtype": "float32",
        "shape": [None, 6],
        "op": "Placeholder",
    }
    assert summary["tree"]["scopes"]["logits"]["flops"]["per_row"] == 2 * 30 * 4
    assert "tree" not in json.loads(printed("--json"))


def test_tree(printed):
    lines = printed("--depth", "1").splitlines()
    rows = {line.split()[1]: line.split()[2:] for line in lines if line[:1] in "├└|`"}
    assert rows["hidden"][1:] == ["180", "360", "N"]
    assert rows["logits"][1:] == ["120", "240", "N"]
    assert lines[-1].startswith("N: ")
    assert tree.lines(Scope(), 2)[-1] == "The ops of 2 functions are not counted."


#: Clicks and types as a reader does, and writes what is then drawn into the page.
_READER = """<script>
const seen = [];
function look() {
  const boxes = [...document.querySelectorAll(".box")].map(box => {
    const {left, right, top, bottom} = box.querySelector("rect").getBoundingClientRect();
    return {...box.dataset, open: box.classList.contains("open"),
            chosen: box.classList.contains("chosen"), left, right, top, bottom};
  });
  const edges = [...document.querySelectorAll(".edges-part path")].map(edge => ({...edge.dataset}));
  const found = [...document.querySelectorAll("#matches button")].map(button => button.textContent);
  const details = document.getElementById("details").textContent;
  seen.push({boxes, edges, found, details});
}
function click(selector) {
  const box = document.querySelector(selector).getBoundingClientRect();
  const hit = document.elementFromPoint((box.left + box.right) / 2, box.top + 5);
  hit.dispatchEvent(new MouseEvent("click", {bubbles: true}));
  look();
}
function type(name) {
  const text = document.getElementById("text");
  text.value = name;
  text.dispatchEvent(new Event("input"));
  look();
}
look();
STEPS
document.body.dataset.seen = JSON.stringify(seen);
</script></body>"""


def _looks(page, folder, steps):
    """Returns what a browser draws at first, and after each of some steps."""
    text = page.read_text(encoding="utf-8")
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")  # it works offline
    clicked = folder / "clicked.html"
    reader = _READER.replace("STEPS", steps)
    clicked.write_text(text.replace("</body>", reader), encoding="utf-8")
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    command += ["--window-size=1400,1100", "--user-data-dir=" + str(folder / "profile")]
    command.append(clicked.as_uri())
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=120)
    return json.loads(
        html.unescape(re.search(r'data-seen="([^"]*)"', done.stdout.decode()).group(1))
    )


def _scopes(look):
    return {box["scope"] for box in look["boxes"] if "scope" in box}


def _overlapping(look):
    """Returns the pairs of closed boxes that are drawn one over the other."""
    closed = [box for box in look["boxes"] if not box["open"]]
    return [
        (one, other)
        for one, other in itertools.combinations(closed, 2)
        if min(one["right"], other["right"]) > max(one["left"], other["left"])
        and min(one["bottom"], other["bottom"]) > max(one["top"], other["top"])
    ]


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no browser: chromium")
def test_the_page_in_a_browser(printed, tmp_path):
    printed("--html", str(tmp_path / "page.html"))
    steps = """click("[data-scope=gradients]"); click("[data-scope=hidden]"); click("[data-op=x]");
      type("HIDDEN/MatMul"); click("#matches button"); click("#close");"""
    looks = _looks(tmp_path / "page.html", tmp_path, steps)
    closed, opened, both, described, found, shown, last = looks
    assert {"hidden", "logits", "gradients"} <= _scopes(closed)
    assert not any("/" in scope for scope in _scopes(closed))
    for source, target, text in [
        ("x", "hidden", "[?, 6]"),
        ("hidden", "Relu", "[?, 30]"),
        ("Relu", "gradients", "[?, 30]"),  # three ops read the same tensor
        ("Relu", "dropout", "[?, 30]"),
        ("hidden", "init", ""),  # it awaits ops
    ]:
        assert {"from": source, "to": target, "text": text} in closed["edges"]
    assert any(scope.startswith("gradients/") for scope in _scopes(opened))
    assert "hidden/kernel" in _scopes(both) - _scopes(opened)
    inside = [edge["to"] for edge in both["edges"] if edge["from"] in ("", "hidden/kernel")]
    assert "hidden/MatMul" in inside
    assert "x: Placeholder" in described["details"] and "hidden/MatMul" in described["details"]
    assert found["found"][0] == "hidden/MatMul" and len(found["found"]) > 1
    assert [box["op"] for box in shown["boxes"] if box["chosen"]] == ["hidden/MatMul"]
    assert _scopes(last) == _scopes(closed)
    assert not any(_overlapping(look) for look in looks)
    tops = {box.get("op", box.get("scope")): box["top"] for box in closed["boxes"]}
    assert tops["x"] < tops["hidden"] < tops["Relu"] < tops["logits"] < tops["probabilities"]


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no browser: chromium")
def test_a_page_of_a_flat_graph_and_a_loop(tmp_path, capsys):
    """Many boxes side by side are grouped; a cycle is drawn as any edge is."""
    chain = [_node(f"n{i}", "Neg", f"n{i - 1 if i else 899}", "absent:1") for i in range(900)]
    (tmp_path / "g.pb").write_bytes(b"".join(chain))
    page = tmp_path / "page.html"
    assert cli.main(["graph", "show", str(tmp_path / "g.pb"), "--html", str(page)]) == 0
    capsys.readouterr()
    looks = _looks(page, tmp_path, 'click(".scope"); type("n777"); click("#matches button");')
    closed, opened, _, shown = looks
    assert len(closed["boxes"]) == 30 and len(closed["edges"]) == 30
    assert {box["op"] for box in opened["boxes"] if "op" in box} == {f"n{i}" for i in range(30)}
    assert [box["op"] for box in shown["boxes"] if box["chosen"]] == ["n777"]
    assert not any(_overlapping(look) for look in looks)


def test_a_page_of_hostile_names(tmp_path):
    """Names are text, however they look; scopes are as deep as a file says."""
    name = "/".join(["<b>x</b>", "<script>alert(1)</script>", "<!--", "__proto__"] * 60)
    (tmp_path / "g.pb").write_bytes(_node(name, "Neg"))
    text = scope_page.page(graphs.show(str(tmp_path / "g.pb")))
    assert text.count("<script") == text.count("</script>") == 2
    assert not any(tag in text for tag in ("<b>", "<!--"))


def _node(name, op, *inputs):
    """Returns the bytes of a node of a GraphDef."""

    def field(number, data):
        size = len(data)
        head = bytes([size]) if size < 128 else bytes([size & 127 | 128, size >> 7])
        return bytes([number << 3 | 2]) + head + data

    fields = [field(1, name.encode()), field(2, op.encode())]
    return field(1, b"".join(fields + [field(3, tensor.encode()) for tensor in inputs]))


@pytest.mark.parametrize(
    "count, text",
    [
        (0, "0"),
        (999, "999"),
        (1000, "1k"),
        (27_744_000, "27.7M"),
        (999_600, "1M"),
        (10**16, "1e+04T"),
    ],
)
def test_numbers_are_short(count, text):
    assert tree.short(count) == text


@pytest.mark.parametrize(
    "options, message",
    [
        (["--depth", "-1"], "--depth: expected 0 or more, got -1"),
        (["--checkpoint", "absent"], "absent"),
        (["--checkpoint", __file__], "expected a checkpoint"),
    ],
)
def test_mistakes(options, message, trained, capsys):
    assert cli.main(["graph", "show", trained + ".meta", *options]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and message in err


def test_a_damaged_checkpoint_beside_the_graph_is_a_note(trained, tmp_path, capsys):
    graph = tmp_path / "model.ckpt.meta"
    graph.write_bytes(pathlib.Path(trained + ".meta").read_bytes())
    (tmp_path / "model.ckpt.index").write_bytes(b"damaged")
    assert cli.main(["graph", "show", str(graph)]) == 0
    out, err = capsys.readouterr()
    assert err.startswith("note: the checkpoint was not read") and "in checkpoint" not in out


def test_it_needs_no_tensorflow(trained):
    code = "import sys; sys.modules['tensorflow'] = None; from tfgraphtools import cli; "
    code += "sys.exit(cli.main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "graph", "show", trained, "--tree"]
    done = subprocess.run(command, cwd=str(ROOT), stdout=subprocess.PIPE)
    assert done.returncode == 0 and b"hidden" in done.stdout
