"""Errors lead to their entries in the FAQ: by the table, and as TensorFlow raises them."""

import faq_pages
import numpy as np
import pytest

from tfgraphtools import cli, faq

#: Anchor: its page.
PAGE_OF = {anchor: page for page, anchor in faq_pages.anchors()}


def test_every_anchor_is_an_entry():
    for page, entries in faq.PAGES.items():
        assert {(page, anchor) for _, anchor in entries} <= set(faq_pages.anchors())
    assert {anchor for _, _, anchor in faq_pages.searches()} <= set(PAGE_OF)
    assert len(PAGE_OF) == len(faq_pages.anchors())


@pytest.mark.parametrize(
    "text, anchor", [row[1:] for row in faq_pages.searches() if row[0] == "error"]
)
def test_pasted_texts(text, anchor):
    assert faq.link_for(text) == f"docs/{PAGE_OF[anchor]}.md#{anchor}"


@pytest.mark.parametrize(
    "text",
    [
        "ValueError: invalid literal for int() with base 10: 'x'",
        "NameError: name 'los' is not defined",
        "KeyError: 'loss'",
        "FileNotFoundError: [Errno 2] No such file or directory: 'data.npz'",
        "ModuleNotFoundError: No module named 'my_models'",
        "AttributeError: 'Model' object has no attribute 'forward'",
        "AttributeError: module 'numpy' has no attribute 'arrray'",
    ],
)
def test_other_errors_have_no_entry(text):
    assert faq.link_for(text) is None


def _restore(v1, folder, damage):
    """Saves a variable, damages the files, and restores."""
    w = v1.get_variable("w", initializer=np.ones([50], np.float32))
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        path = v1.train.Saver().save(session, str(folder / "model.ckpt"))
        v1.train.Saver(damage(path, w) or [w]).restore(session, path)


def _flip_a_byte(path, w):
    with open(path + ".data-00000-of-00001", "r+b") as file:
        byte = file.read(1)
        file.seek(0)
        file.write(bytes([byte[0] ^ 255]))


def _cut_the_index(path, w):
    with open(path + ".index", "wb") as file:
        file.write(b"abc")


def _run(v1, fetch, feed=None):
    with v1.Session() as session:
        session.run(fetch, feed)


def _closed(v1):
    with v1.Session() as session:
        x = v1.constant(1.0)
    session.run(x)


def _of_another_graph(v1):
    with v1.Graph().as_default():
        x = v1.constant(1.0)
    v1.constant(1.0)
    _run(v1, x)


def _twice(v1):
    v1.get_variable("w", [2])
    v1.get_variable("w", [2])


def _in_a_reused_scope(v1):
    w = v1.get_variable("w", [2])
    with v1.variable_scope("", reuse=True):
        v1.train.AdamOptimizer().minimize(v1.reduce_sum(w))


def _finalized(v1):
    v1.get_default_graph().finalize()
    v1.constant(1.0)


def _without_gradient(v1):
    w = v1.get_variable("w", [2])
    v1.train.AdamOptimizer().minimize(v1.constant(1.0), var_list=[w])


def _as_bool(v1):
    if v1.constant(1.0) > 0:
        pass


#: What raises in TensorFlow: the words in the anchor of its entry.
RAISED = {
    "damaged data": (lambda v1, folder: _restore(v1, folder, _flip_a_byte), "checksum"),
    "cut index": (lambda v1, folder: _restore(v1, folder, _cut_the_index), "too-short"),
    "missing name": (
        lambda v1, folder: _restore(v1, folder, lambda path, w: {"u": w}),
        "key-not-found-in-checkpoint",
    ),
    "missing average": (
        lambda v1, folder: _restore(v1, folder, lambda path, w: {"w/ExponentialMovingAverage": w}),
        "key-wexponentialmovingaverage",
    ),
    "missing part": (
        lambda v1, folder: _restore(v1, folder, lambda path, w: {"w/part_0": w}),
        "key-wpart_0",
    ),
    "no checkpoint": (
        lambda v1, folder: v1.train.Saver([v1.get_variable("w", [2])]).restore(
            v1.Session(), str(folder / "none")
        ),
        "save_path-is-not-a-valid",
    ),
    "no path": (
        lambda v1, folder: v1.train.Saver([v1.get_variable("w", [2])]).restore(v1.Session(), None),
        "save_path-when-it-is-none",
    ),
    "not fed": (
        lambda v1, folder: _run(v1, v1.placeholder("float32", name="x")),
        "you-must-feed",
    ),
    "unknown key": (
        lambda v1, folder: _run(v1, v1.constant(1.0), {"none:0": 1.0}),
        "cannot-interpret",
    ),
    "uninitialized": (
        lambda v1, folder: _run(v1, v1.get_variable("w", [2], use_resource=False)),
        "uninitialized",
    ),
    "empty graph": (lambda v1, folder: _run(v1, "x:0"), "graph-is-empty"),
    "other graph": (lambda v1, folder: _of_another_graph(v1), "not-an-element"),
    "closed": (lambda v1, folder: _closed(v1), "closed-session"),
    "twice": (lambda v1, folder: _twice(v1), "already-exists"),
    "reused scope": (lambda v1, folder: _in_a_reused_scope(v1), "variable-wadam"),
    "finalized": (lambda v1, folder: _finalized(v1), "graph-is-finalized"),
    "no gradient": (lambda v1, folder: _without_gradient(v1), "no-gradients"),
    "bool": (lambda v1, folder: _as_bool(v1), "python-bool"),
    "eval": (lambda v1, folder: v1.constant(1.0).eval(), "no-default-session"),
    "NaN": (
        lambda v1, folder: _run(v1, v1.summary.histogram("h", v1.log([-1.0]))),
        "nan-loss",
    ),
}


@pytest.mark.parametrize("name", RAISED)
def test_errors_of_tensorflow(name, graph, v1, tmp_path):
    raises, words = RAISED[name]
    with pytest.raises(Exception) as caught:  # noqa: B017 (the entry is under test)
        raises(v1, tmp_path)
    link = faq.link_for(f"{caught.type.__name__}: {caught.value}")
    assert link is not None and words in link, caught.value


@pytest.mark.once  # run acts on TF 2
def test_run_names_the_entry(compat_server, tmp_path):
    (tmp_path / "closed.py").write_text(
        "import tensorflow as tf\nwith tf.Session() as s:\n    x = tf.constant(1)\ns.run(x)\n"
    )
    (tmp_path / "other.py").write_text("raise ValueError('a mistake of this script')\n")
    command = ["-m", "tfgraphtools", "run"]
    _, _, messages = compat_server.run_python(tmp_path, *command, "closed.py")
    line = "tfgraphtools: see docs/faq.md#attempted-to-use-a-closed-session"
    assert messages.splitlines()[-1] == line
    (tmp_path / "restore.py").write_text(
        "import tensorflow as tf\nw = tf.get_variable('w', [2])\nwith tf.Session() as s:\n"
        "    s.run(w.initializer)\n    path = tf.train.Saver().save(s, './model.ckpt')\n"
        "    tf.train.Saver({'u': w}).restore(s, path)\n"
    )
    _, _, messages = compat_server.run_python(tmp_path, *command, "restore.py")
    link, advice = messages.splitlines()[-2:]
    assert "docs/faq_checkpoints.md#key-not-found-in-checkpoint" in link and "ckpt ls" in advice
    _, _, messages = compat_server.run_python(tmp_path, *command, "other.py")
    assert "faq" not in messages and "a mistake of this script" in messages


def test_explain_names_the_entry(v1, tmp_path, capsys):
    definition = v1.GraphDef()
    definition.node.add(name="x", op="NoSuchOp")
    (tmp_path / "graph.pb").write_bytes(definition.SerializeToString())
    assert cli.main(["explain", str(tmp_path / "graph.pb"), "--y", "x", "--x", "x"]) == 2
    message = capsys.readouterr().err
    assert message.count("\n") == 1 and "docs/faq.md#op-type-not-registered" in message


def test_the_site_of_the_installation(monkeypatch):
    metadata = pytest.importorskip("importlib.metadata")
    lines = "Metadata-Version: 2.1\nName: tfgraphtools\n"
    lines += "Project-URL: Documentation, https://docs.example/tfgraphtools/\n"
    import email

    monkeypatch.setattr(metadata, "metadata", lambda name: email.message_from_string(lines))
    link = faq.link_for("RuntimeError: Graph is finalized and cannot be modified.")
    page = "https://docs.example/tfgraphtools/faq.html"
    assert link == f"{page}#graph-is-finalized-and-cannot-be-modified"


@pytest.mark.parametrize(
    "recipe, names",
    {
        "h1_gan": ["GAN", "two optimizers", "reuse", "UPDATE_OPS"],
        "h2_grad_cam_and_saliency": ["Grad-CAM", "saliency", "guided backpropagation"],
        "h3_lottery_tickets": ["pruning", "lottery ticket"],
        "h4_maml": ["MAML"],
        "h5_sharpness_aware": ["SAM"],
        "h6_domain_adversarial": ["DANN", "gradient reversal", "schedule"],
        "h7_mixed_precision": ["mixed precision", "loss scale", "float16"],
        "h8_lbfgs": ["L-BFGS", "ScipyOptimizerInterface"],
        "h9_hogwild": ["Hogwild", "A3C", "threads"],
        "a4_embedding_rows": ["embedding rows"],
    }.items(),
)
def test_questions_lead_to_the_recipes(recipe, names):
    """The question that links a recipe has the names that people type in its heading."""
    (entry,) = [entry for entry in faq_pages.questions() if f"(gallery/{recipe}.md)" in entry]
    heading = entry.partition("\n")[0]
    assert [name for name in names if name.lower() not in heading.lower()] == []
    assert (faq_pages.ROOT / "scripts" / "recipes" / f"{recipe}.py").exists()
