"""What a repository says of itself, each with its place."""

import os
import platform
import sys

import pytest

from tfgraphtools import compat, revive
from tfgraphtools.compat.constraints import requirement_files
from tfgraphtools.errors import ArgumentError
from tfgraphtools.revive import declared_packages, entry_points, expected_files
from tfgraphtools.runs import tree_copies

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(compat.is_tf1(), reason="revive acts on TF 2.x"),
]


@pytest.fixture
def tree(tmp_path):
    """A function that writes {name: text} into a folder and returns the folder."""

    def write(files):
        for name, text in files.items():
            path = tmp_path / "repo" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return str(tmp_path / "repo")

    return write


#: File: its text, and "package limit line" of each requirement.
FORMS = {
    "pins": ("requirements.txt", "# old\nnumpy==1.13.3\n", ["numpy ==1.13.3 2"]),
    "an extra, a marker": ("requirements.txt", "a[b] >= 1 ; python_version<'3'\n", ["a >=1 1"]),
    "a range": ("dev-requirements.txt", "gym<0.9,>=0.8\n", ["gym <0.9,>=0.8 1"]),
    "options and URLs are none": ("requirements.txt", "-r x.txt\ngit+https://a/b\n", []),
    "conda": (
        "environment.yml",
        "dependencies:\n  - h5py=2.7.1=py36_0\n  - pip:\n    - tqdm==4.1\n",
        ["h5py ==2.7.1 2", "tqdm ==4.1 4"],
    ),
    "conda, for one device": (
        "env.cpu.yml",
        "dependencies:\n  - pip\n  - pip:\n      - tables==3.7.0\nname: x\n",
        ["pip  2", "tables ==3.7.0 4"],
    ),
    "a file of a game's environment is none of conda": (
        "envs.yml",
        "dependencies:\n  - h5py=2.7.1\n",
        [],
    ),
    "conda, a channel and libraries": (
        "environment.yml",
        "dependencies:\n  - conda-forge::gensim=3.1\n  - openssl=1.0\n  - libgcc-ng\n  - librosa\n",
        ["gensim ==3.1 2", "librosa  5"],
    ),
    "another system": (
        "requirements.txt",
        f"pywin32; sys_platform == 'win31'\nsix; sys_platform == '{sys.platform}'\n"
        f"gym; platform_system == '{platform.system()}'\n",
        ["six  2", "gym  3"],
    ),
    "names of modules": (
        "requirements.txt",
        "sklearn==0.0\nPIL\n",
        ["scikit-learn  1", "pillow  2"],
    ),
    "channels of conda are no packages": (
        "environment.yml",
        "channels:\n  - conda-forge\ndependencies:\n- six>=1  # why\n",
        ["six >=1 4"],
    ),
    "hashes of pip-compile": (
        "requirements.txt",
        "h5py==2.7 \\\n    --hash=sha256:0a1\nsix --hash=sha256:1\n",
        ["h5py ==2.7 1", "six  3"],
    ),
    "prose in requirements": ("requirements.txt", "install these first\nsix\n", ["six  2"]),
    "pyproject.toml": (
        "pyproject.toml",
        '[build-system]\nrequires = ["setuptools"]\n[project]\nname = "me"\n'
        'dependencies = [  # all\n  "six",\n  "gym[atari] >= 0.9, <1; python_version<\'3\'",\n]\n'
        '[project.optional-dependencies]\ndev = ["nose==1.0"]\n',
        ["six  6", "gym >=0.9,<1 7", "nose ==1.0 10"],
    ),
    "poetry": (
        "pyproject.toml",
        '[tool.poetry.dependencies]\npython = "^3.6"\nh5py = "^2.10"\nscipy = "~1.1.0"\n'
        'gym = {version = "0.9", extras = ["a"]}\nsix = "*"\njax = "^0.0.3"\n',
        ["python >=3.6,<4 2", "h5py >=2.10,<3 3", "scipy >=1.1.0,<1.2 4", "gym ==0.9 5", "six  6",
         "jax >=0.0.3,<0.0.4 7"],
    ),
    "a Pipfile": (
        "Pipfile",
        '[packages]\nsix = "*"\nA = "==4"\nb = {version = "==5", extras = ["c"]}\n'
        'd = {git = "https://e"}\n',
        ["six  2", "a ==4 3", "b ==5 4"],
    ),
    "setup.py": ("setup.py", "setup(install_requires=['scipy>=1.0'])\n", ["scipy >=1.0 1"]),
    "setup.py with files": (
        "setup.py",
        "NEEDS = ['six']\nsetup(install_requires=NEEDS, tests_require=['a'] + read('b.txt'))\n",
        ["six  1", "a  2"],
    ),
    "setup.py with extras": (  # their names are names of packages of others
        "setup.py",
        "setup(extras_require={'tf': ['tensorflow>=1.0'], 'mpi': ['mpi4py>=2']})\n",
        ["tensorflow >=1.0 1", "mpi4py >=2 1"],
    ),
    "setup.cfg": (
        "setup.cfg",
        "[options]\ninstall_requires =\n    joblib==0.11\nzip_safe = no\n",
        ["joblib ==0.11 3"],
    ),
    "a Dockerfile": ("Dockerfile", "RUN pip install -U gym==0.9 && echo\n", ["gym ==0.9 1"]),
    "continued lines": (
        "Dockerfile",
        "RUN apt-get update && \\\n  pip install \\\n    gym==0.9 \\\n    tqdm && \\\n  echo\n",
        ["gym ==0.9 1", "tqdm  1"],
    ),
    "a README": ("README.md", "Do `pip install sacred` first.\n", ["sacred  1"]),
    "an option with a space": ("README.md", "pip3 install -- upgrade six\n", ["six  1"]),
    "prose after pip": ("README.md", "pip install --user tqdm, then run\n", []),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_requirements(form, tree):
    name, text, expected = FORMS[form]
    requirements = declared_packages.declared(tree({name: text}), [name])
    lines = [f"{r.package} {r.limit} {r.place.partition(':')[2]}" for r in requirements]
    assert lines == expected


def test_files_of_requirements_that_others_name(tree):
    files = {
        "requirements.txt": "-r deps/base.txt\n-r ../outside.txt\nsix\n",
        "deps/base.txt": "--requirement=more.txt\ngym==0.9\n",
        "deps/more.txt": "-r base.txt\ntqdm\n",
        "notes.txt": "nltk\n",
    }
    requirements = declared_packages.declared(tree(files), sorted(files))
    places = sorted((r.package, r.place) for r in requirements)
    assert places == [
        ("gym", "deps/base.txt:2"),
        ("six", "requirements.txt:3"),
        ("tqdm", "deps/more.txt:2"),
    ]


#: A file: the requirements in it that are URLs, each with its line.
URLS = {
    "requirements.txt": (
        "# git+https://a/no\n-e git+https://a/b#egg=b\nfoo @ git+https://a/c\n"
        "https://a/d.whl\n--find-links https://a/x\n-i https://a/y\nsix  # https://a/z\n",
        ["-e git+https://a/b#egg=b 2", "foo @ git+https://a/c 3", "https://a/d.whl 4"],
    ),
    "environment.yml": (
        "channels:\n  - https://conda.a/x\ndependencies:\n  - pip:\n    - git+https://a/b\n",
        ["git+https://a/b 5"],
    ),
    "Pipfile": (
        '[[source]]\nurl = "https://pypi"\n[packages]\na = {git = "https://a/b"}\n',
        ['git = "https://a/b" 4'],
    ),
    "setup.py": ("setup(install_requires=['a @ git+https://a/b'])\n", ["git+https://a/b 1"]),
    "README.md": ("See https://a/b.\n`pip install git+https://a/b`\n", ["git+https://a/b 2"]),
    "train.py": ("URL = 'git+https://a/b'\n", []),
}  # fmt: skip


@pytest.mark.parametrize("name", URLS)
def test_requirements_that_are_urls(name, tree):
    text, expected = URLS[name]
    urls = requirement_files.urls(tree({name: text}), [name])
    assert [f"{url} {place.partition(':')[2]}" for url, place in urls] == expected


def test_sentences_of_python_2_are_no_imports():
    text = (
        "print 1\nimport a.b as c, d  # e\nfrom f import g\n"
        '"""\nimport the data first\nfrom the server\n"""\n'
    )
    assert declared_packages.modules_of(text) == [("a.b", 2), ("d", 2), ("f", 3)]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "latin-1"])
def test_encodings_of_requirements(encoding, tree):
    folder = tree({"requirements.txt": ""})
    with open(os.path.join(folder, "requirements.txt"), "w", encoding=encoding) as file:
        file.write("six==1.0  # \xe9\r\ngym\r\n")
    requirements = declared_packages.declared(folder, ["requirements.txt"])
    assert [r.package + r.limit for r in requirements] == ["six==1.0", "gym"]


def test_tests_need_pytest_whatever_they_import(tree):
    files = {"net.py": "import six\n", "lib/net_test.py": "import unittest\n"}
    packages = revive.read(tree(files)).packages
    assert [(p.package, p.place, p.is_known) for p in packages] == [
        ("pytest", "lib/net_test.py", True),
        ("six", "net.py:1", True),
    ]


def test_the_repository_itself_is_no_package(tree):
    files = {
        "README.md": "pip install my-net six\n",
        "setup.py": "setup(name='my_net', install_requires=['other_net'])\n",
        "other_net/__init__.py": "",
    }
    assert [package.package for package in revive.read(tree(files)).packages] == ["six"]


@pytest.mark.skipif(sys.version_info < (3, 10), reason="Python does not list its modules")
def test_the_library_of_python_is_no_package(tree):
    files = {"requirements.txt": "logging\nnumpy\n", "a.py": "import logging, numpy\n"}
    assert [package.package for package in revive.read(tree(files)).packages] == ["numpy"]


def test_imports_of_others_are_packages():
    sources = {
        "train.py": "import os, cv2\nimport mynet, pyximport\nfrom PIL import Image\nprint 1\n",
        "mynet/__init__.py": "import yaml.reader\nfrom . import x\n",
    }
    requirements = declared_packages.of_imports("", sources)
    assert [(r.package, r.place, r.modules) for r in requirements] == [
        ("pillow", "train.py:3", ("PIL",)),
        ("opencv-python", "train.py:1", ("cv2",)),
        ("cython", "train.py:2", ("pyximport",)),
        ("pyyaml", "mynet/__init__.py:1", ("yaml.reader",)),
    ]


def test_a_module_that_is_named_as_its_package(tree):
    """One of a namespace: no package ``scikits``, of whatever author, is asked for."""
    files = {
        "requirements.txt": "scikits.audiolab==0.11.0\nKeras-Applications==1.0\n",
        "a.py": "import scikits.audiolab\nimport keras.applications\n",
    }
    packages = revive.read(tree(files)).packages
    assert [(p.package, p.limit, p.modules) for p in packages] == [
        ("keras-applications", "==1.0", ()),
        ("scikits-audiolab", "==0.11.0", ("scikits.audiolab",)),
    ]


#: Text of the README: the commands and whether each can run as it stands.
COMMANDS = {
    "a line of code": ("    python train.py --steps 10\n", [("python train.py --steps 10", True)]),
    "a prompt": ("$ python3 -u train.py\n", [("python3 -u train.py", True)]),
    "inside a sentence": ("run `python train.py` and", [("python train.py", True)]),
    "a variable": ("GPU=0 python train.py\n", [("GPU=0 python train.py", True)]),
    "a line that goes on": ("python train.py \\\n  --a 1\n", [("python train.py --a 1", True)]),
    "a module": ("python -m pkg.run\n", [("python -m pkg.run", True)]),
    "a script elsewhere": ("python deep.py\n", [("cd pkg && python deep.py", True)]),
    "another folder": ("cd pkg && python deep.py\n", [("cd pkg && python deep.py", True)]),
    "a file that runs": ("./train.py --x\n", [("./train.py --x", True)]),
    "a placeholder": (
        "python train.py --data <folder>\n",
        [("python train.py --data <folder>", False), ("python train.py", True)],
    ),
    "one in capitals": (
        "python train.py DATA_DIR\n",
        [("python train.py DATA_DIR", False), ("python train.py", True)],
    ),
    "a download": (
        "python download.py all\n",
        [("python download.py all", False), ("python train.py", True)],
    ),
    "an option of the program": ("python train.py -h 64\n", [("python train.py -h 64", True)]),
    "a sentence about pytest": ("pytest is needed\n", [("python train.py", True)]),
    "pytest": ("pytest pkg/run.py::a\n", [("pytest pkg/run.py::a", True)]),
    "pytest of a folder": ("pytest pkg/\npytest .\n", [("pytest pkg/", True), ("pytest .", True)]),
    "help is none": ("python train.py --help\n", [("python train.py", True)]),
    "installing is none": ("python setup.py install\n", [("python train.py", True)]),
    "no such script": ("python other.py\n", [("python train.py", True)]),
}  # fmt: skip


#: A source without a main: the line that makes it a program, or None.
SCRIPTS = {
    "a branch": ("if x:\n    pass\nelse:\n    model.fit(x)\n", 4),
    "a function": ("def f():\n    model.fit(x)\n", None),
    "Python 2": ("print 1\ns = tf.Session()\n", 2),
}


@pytest.mark.parametrize("case", SCRIPTS)
def test_a_script_that_trains(case):
    text, line = SCRIPTS[case]
    commands = entry_points.commands("", ["a.py"], {"a.py": text})
    assert [command.place for command in commands] == ([f"a.py:{line}"] if line else [])


def test_a_script_without_main_is_a_program():
    sources = {
        "execute.py": "import model\nwith tf.Session() as s:\n    s.run(1)\n",
        "model.py": "s = tf.Session()\n",
        "util.py": "def f(): pass\n",
    }
    (command,) = entry_points.commands("", list(sources), sources)
    assert (command.line, command.place) == ("python execute.py", "execute.py:2")


@pytest.mark.parametrize("case", COMMANDS)
def test_commands(case, tree):
    text, expected = COMMANDS[case]
    sources = {
        "train.py": "if __name__ == '__main__':\n    pass\n",
        "download.py": "", "setup.py": "", "pkg/run.py": "", "pkg/deep.py": "",
    }  # fmt: skip
    folder = tree(dict(sources, **{"README.md": text}))
    commands = entry_points.commands(folder, [*sources, "README.md"], sources)
    assert [(c.line, not c.obstacle) for c in commands] == expected


#: A source: the files that it reads, and whether they are there.
READS = {
    "open": ("open('data/a.txt')", [("data/a.txt", True)]),
    "not there": ("np.load('data/b.npy')", [("data/b.npy", False)]),
    "written": ("open('out.txt', 'w')", []),
    "an option": ("p.add_argument('--d', default='c.csv')", [("c.csv", False)]),
    "a flag": ("flags.DEFINE_string('ckpt', 'm.ckpt', 'help')", [("m.ckpt", False)]),
    "Python 2": ("print 1\nx = open('data/a.txt')", [("data/a.txt", True)]),
    "a message": ("print('see a.txt')", []),
    "an output": ("p.add_argument('--output_filename', default='c.csv')", []),
    "an output, by another name": ("flags.DEFINE_string('log_file', 'm.txt', 'help')", []),
    "a short option": ("p.add_argument('-o', '--out', default='c.csv')", []),
    "no output": ("p.add_argument('--layout', default='c.csv')", [("c.csv", False)]),
}


@pytest.mark.parametrize("case", READS)
def test_files_that_are_read(case, tree):
    text, expected = READS[case]
    folder = tree({"train.py": text, "data/a.txt": "1"})
    files = expected_files.expected(folder, {"train.py": text})
    assert [(file.path, file.is_here) for file in files] == expected


def test_the_plan(tree):
    folder = tree(
        {
            "README.md": "Needs TensorFlow 1.4.\n\n    python train.py\n",
            "train.py": "import tensorflow as tf\nprint tf.mul(2, 3)\n",
            "test_train.py": "",
        }
    )
    before = tree_copies.digests(folder)
    plan = revive.read(folder)
    assert plan.is_of_tf1 and plan.tests == ("test_train.py",)
    assert plan.python[0] == "Python 2" and plan.python[1].startswith("train.py:2")
    text = "\n".join(plan.lines())
    assert "TensorFlow 1.4 (README.md:1)" in text
    assert "python train.py  README.md:3" in text
    assert tree_copies.digests(folder) == before


@pytest.mark.parametrize(
    "limit, expected",
    [("==1.4.1", "1.4"), (">=1.7,<2", "1.7"), ("<2", "<2"), ("<2.0", "<2.0"), ("<=1.15", "<=1.15")],
)
def test_the_tensorflow_of_a_pin(limit, expected, tree):
    folder = tree({"requirements.txt": "tensorflow" + limit, "a.py": ""})
    assert revive.read(folder).tensorflow == (expected, "requirements.txt:1")


@pytest.mark.parametrize("name, expected", [("bin/train", None), ("bin/notes", False)])
def test_a_script_without_a_suffix_is_not_read(name, expected, tree):
    first = "#!/usr/bin/env python" if name == "bin/train" else "#!/bin/sh"
    files = {"a.py": "x = 1\n", name: first + "\nimport tensorflow as tf\ntf.Session()\n"}
    assert revive.read(tree(files)).is_of_tf1 is expected


@pytest.mark.parametrize("file, expected", [("m.py", None), ("data.txt", False)])
def test_code_behind_a_link_is_not_read(file, expected, tree, tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / file).write_text("import tensorflow as tf\ntf.Session()\n")
    folder = tree({"a.py": "x = 1\n", "lib/b.py": "x = 1\n"})
    os.symlink(str(tmp_path / "outside"), os.path.join(folder, "link"))
    os.symlink("lib", os.path.join(folder, "inside"))
    assert revive.read(folder).is_of_tf1 is expected


def test_code_of_tf2_has_nothing_to_do(tree):
    folder = tree({"train.py": "import tensorflow as tf\nprint(tf.multiply(2, 3).numpy())\n"})
    assert revive.read(folder).is_of_tf1 is False


@pytest.mark.parametrize("name, got", [("nowhere", "no such folder"), ("", "no Python file")])
def test_no_repository(name, got, tmp_path):
    with pytest.raises(ArgumentError, match=got):
        revive.read(str(tmp_path / name))
