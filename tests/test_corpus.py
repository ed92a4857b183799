"""`scripts/corpus`: its list, its rule, its data, and two scripts of our own run end to end."""

import importlib
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

pytestmark = pytest.mark.once

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEAD = "repository\tfolder\tpath\targuments\tdata\tuses\n"


@pytest.fixture(scope="module")
def part():
    """A function that imports a module of scripts/corpus_parts."""
    sys.path.insert(0, str(ROOT / "scripts"))
    yield lambda name: importlib.import_module("corpus_parts." + name)
    sys.path.remove(str(ROOT / "scripts"))


class TestList:
    def test_names_at_least_sixty_scripts_of_many_repositories(self, part):
        scripts = part("scripts").read()
        assert len(scripts) >= 60
        assert len({script.repository for script in scripts}) >= 30

    @pytest.mark.parametrize("name", ["corpus", "unseen", "unseen_papers"])
    def test_each_datum_has_a_maker(self, part, name):
        makers = part("data").MAKERS
        for script in part("scripts").read(part("scripts").LIST.with_name(name + ".tsv")):
            for word in script.data.split():
                assert word.partition(":")[0] in makers, script.name

    @pytest.mark.parametrize("needed", ["contrib.crf", "tf.estimator", "queues", "Python 2", "1.0"])
    def test_is_diverse(self, part, needed):
        assert any(needed in script.uses for script in part("scripts").read())

    @pytest.mark.parametrize(
        "text, wrong",
        [
            ("a\tb\n", "first line"),
            (HEAD + "a/b\t.\tx.py\n", ":2: 3 columns"),
            (HEAD + 2 * "a/b\t.\tx.py\t\t\tnothing\n", ":3: a/b: x.py stands twice"),
        ],
        ids=["no head", "too few columns", "twice"],
    )
    def test_a_broken_list_is_refused(self, part, tmp_path, text, wrong):
        path = tmp_path / "list.tsv"
        path.write_text(text)
        with pytest.raises(ValueError, match=wrong):
            part("scripts").read(path)


TRACEBACK = """Traceback (most recent call last):
  File "x.py", line 1, in <module>
    import absent
ModuleNotFoundError: No module named 'absent'
"""


class TestRule:
    @pytest.mark.parametrize(
        "code, output, ran, reason",
        [
            (0, "done\n", True, ""),
            (0, " \n", False, "ended in silence"),
            (1, TRACEBACK, False, "ModuleNotFoundError: No module named 'absent'"),
            (1, "step 1 loss 2\nstep 2 loss 1\n", False, "exit code 1"),
            (-6, "Aborted", False, "killed by signal 6"),
            (None, "epoch 1 loss 0.5\nepoch 2 loss 0.4\n", True, ""),
            (None, "step 1 loss 2\rstep 2 loss 1\r", True, ""),
            (None, "0.53\n[0.51, 1e-3]\n", True, ""),
            (None, "epoch 1 loss 0.5\nepoch 1 loss 0.5\n", False, "no progress within the limit"),
            (None, "D: 0.5\nG: 1\n", True, ""),
            (None, "loading\nTrain: W123 deprecated 1\n", False, "no progress within the limit"),
            (
                None,
                "Extracting train-images-idx3-ubyte.gz\nx.py:3: step\n",
                False,
                "no progress within the limit",
            ),
            (None, "", False, "no progress within the limit"),
        ],
    )
    def test_judges(self, part, code, output, ran, reason):
        outcome = part("rule").judge(code, output, 1.0)
        assert (outcome.ran, outcome.reason) == (ran, reason)


class TestData:
    def test_mnist_has_the_format_of_the_original(self, part, tmp_path):
        part("data").make("mnist-raw:here", tmp_path)
        body = (tmp_path / "here" / "train-images-idx3-ubyte").read_bytes()
        assert np.frombuffer(body[:16], ">i4").tolist() == [2051, 12000, 28, 28]
        assert len(body) == 16 + 12000 * 28 * 28
        labels = (tmp_path / "here" / "t10k-labels-idx1-ubyte").read_bytes()
        assert set(labels[8:]) == set(range(10))

    @pytest.mark.parametrize("place", ["/absolute/data", "../../data"])
    def test_a_place_outside_is_moved_in_and_the_source_follows(self, part, tmp_path, place):
        data = part("data")
        (tmp_path / "x.py").write_text(f"open('{place}/f')\n")
        moved = data.make(f"text:{place}/f", tmp_path)
        data.relocate(tmp_path, moved)
        inside = str(tmp_path / place.lstrip("./") / "f")
        assert (tmp_path / "x.py").read_text() == f"open('{inside}')\n"
        assert os.path.getsize(inside) > 1000

    def test_a_loader_stands_for_the_one_of_keras(self, part, tmp_path, monkeypatch):
        data = part("data")
        (tmp_path / "x.py").write_text("train, test = mnist.load_data()\n")
        data.relocate(tmp_path, data.make("mnist-loader:mnist.load_data", tmp_path))
        monkeypatch.syspath_prepend(str(tmp_path))
        names = {}
        exec((tmp_path / "x.py").read_text(), names)
        assert names["train"][0].shape == (12000, 28, 28)

    def test_the_same_is_made_twice(self, part):
        data = part("data")
        assert data.text(100) == data.text(100)
        assert all(np.array_equal(a, b) for a, b in zip(data.digits(3), data.digits(3)))


GOOD = "import time\nfor step in range(99):\n    print('step', step)\n    time.sleep(0.5)\n"
BAD = "import absent\n"


@pytest.fixture
def corpus(tmp_path):
    """The command that runs two scripts of our own, a good and a bad one."""
    checkout = tmp_path / "me+mine"
    checkout.mkdir()
    (checkout / "good.py").write_text(GOOD)
    (checkout / "bad.py").write_text(BAD)
    rows = "me/mine\t.\tgood.py\t\t\tsteps\nme/mine\t.\tbad.py\t\t\ta module\n"
    (tmp_path / "list.tsv").write_text(HEAD + rows)
    words = [str(tmp_path), "--limit", "2", "--list", str(tmp_path / "list.tsv")]
    return [sys.executable, str(ROOT / "scripts" / "corpus")] + words


def test_two_scripts_end_to_end(corpus, tmp_path):
    command = corpus + ["--how", "alias,plain", "--results", str(tmp_path / "results")]
    for _ in ("run", "read from the results"):
        done = subprocess.run(command, capture_output=True)
        table = done.stdout.decode()
        assert done.returncode == 1, done.stderr.decode()
        assert "| TF 2.x as it is | 1 |" in table
        assert "| me/mine: bad.py | ModuleNotFoundError: No module named 'absent' |" in table
        assert "none of the others" in table
    assert not done.stderr, "nothing was to run the second time"


@pytest.fixture
def broken_python(tmp_path):
    """An interpreter that runs nothing."""
    path = tmp_path / "python"
    path.write_text("#!/bin/sh\nexit 1\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    "pythons, older, others",
    [
        (["broken", "good"], "1 of 1", "0 of 1"),
        (["broken"], "0 of 0", "1 of 2"),
    ],
    ids=["one of two runs it", "none does"],
)
def test_the_first_old_interpreter_that_runs_a_script_counts(
    corpus, broken_python, pythons, older, others
):
    paths = {"broken": broken_python, "good": sys.executable}
    named = os.pathsep.join(paths[python] for python in pythons)
    done = subprocess.run(
        corpus + ["--how", "older,plain"],
        env=dict(os.environ, TFGRAPHTOOLS_OLDER_PYTHONS=named),
        capture_output=True,
    )
    table = done.stdout.decode()
    assert f"| TF 2.x as it is, of those that an old TensorFlow runs | {older} |" in table
    assert f"| TF 2.x as it is, of those that none runs | {others} |" in table


def test_a_way_without_its_interpreter_is_refused(corpus):
    environment = {k: v for k, v in os.environ.items() if k != "TFGRAPHTOOLS_OLDER_PYTHONS"}
    done = subprocess.run(corpus + ["--how", "older"], env=environment, capture_output=True)
    assert done.returncode == 2
    assert "the way older needs TFGRAPHTOOLS_OLDER_PYTHONS" in done.stderr.decode()
