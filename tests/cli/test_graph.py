"""`graph show`: what is printed, without TensorFlow."""

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


#: Clicks and types as a reader does, and writes what is then open and shown into the page.
_READER = """<script>
const seen = [];
function look() {
  const scopes = [...document.querySelectorAll("[data-scope]")];
  const shown = scopes.filter(scope => scope.checkVisibility());
  seen.push(shown.map(scope => scope.dataset.scope).join(" "));
}
look();
document.querySelector("[data-scope=gradients] > summary").click();
look();
const text = document.getElementById("text");
text.value = "logits";
text.dispatchEvent(new Event("input"));
look();
document.body.dataset.seen = seen.join("|");
</script></body>"""


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no browser: chromium")
def test_the_page_in_a_browser(printed, tmp_path):
    page = tmp_path / "page.html"
    printed("--html", str(page))
    text = page.read_text(encoding="utf-8")
    assert "http" not in text  # it works offline
    page.write_text(text.replace("</body>", _READER), encoding="utf-8")
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    command += ["--user-data-dir=" + str(tmp_path / "profile"), page.as_uri()]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=120)
    seen = re.search(r'data-seen="([^"]*)"', done.stdout.decode()).group(1).split("|")
    closed, opened, filtered = (scopes.split() for scopes in seen)
    assert {"hidden", "logits", "gradients"} <= set(closed)
    assert not any("/" in scope for scope in closed)
    assert any(scope.startswith("gradients/") for scope in opened)
    assert "logits" in filtered and not {"hidden", "dropout"} & set(filtered)
    assert "dropout" in closed and any(scope.endswith("/logits") for scope in filtered)


def test_a_page_of_hostile_names(tmp_path):
    """Names are text, however they look; scopes are as deep as a file says."""
    root = Scope()
    scope = root
    for name in ["<script>alert(1)</script>"] * 64:
        scope.children[name] = scope = Scope()
    summary = graphs.show(_damaged_name(tmp_path))
    page = scope_page.page(summary, root)
    assert "alert(1)</script>" not in page and page.count("&lt;script&gt;alert") >= 64


def _damaged_name(folder):
    """The path of a GraphDef whose only node has a name of HTML."""
    name = b"<b>x</b>"
    node = b"\x0a" + bytes([len(name)]) + name + b"\x12\x0bPlaceholder"
    (folder / "g.pb").write_bytes(b"\x0a" + bytes([len(node)]) + node)
    return str(folder / "g.pb")


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
