"""Fixes that are disabled in a configuration, or in a comment of one file."""

import importlib
import json
import pathlib
import re

import pytest

from tfgraphtools import compat
from tfgraphtools.compat.engine import rows, switches
from tfgraphtools.compat.engine.options import Options, of_json
from tfgraphtools.errors import SwitchError

#: (a source, names of fixes that it does without, names that it keeps)
COMMENTS = {
    "no comment": ("x = 1", [], ["numpy.promotion"]),
    "a text that looks like one": (
        "x = '''\n# tfgraphtools: without=pandas'''",
        [],
        ["pandas.append"],
    ),
    "a fix": ("# tfgraphtools: without=numpy.promotion", ["numpy.promotion"], ["numpy.float"]),
    "after code": ("x = 1  # tfgraphtools: without=numpy.promotion", ["numpy.promotion"], []),
    "a library and a pattern": (
        "#tfgraphtools: without=pandas,numpy.*float*",
        ["pandas.append", "numpy.float"],
        ["numpy.promotion"],
    ),
    "two lines": (
        "# tfgraphtools: without=pandas\n# tfgraphtools: without=h5py.value",
        ["pandas.append", "h5py.value"],
        [],
    ),
    "libraries": (
        "# tfgraphtools: libraries=today",
        ["pandas.append", "numpy.promotion", "PIL.Image.ANTIALIAS"],
        ["tensorflow.add", "cPickle", "python2.print"],
    ),
    "Python 2": ("# tfgraphtools: without=pandas\nprint 'a'", ["pandas.append"], []),
}


@pytest.mark.parametrize("source, off, on", COMMENTS.values(), ids=COMMENTS)
@pytest.mark.quick
@pytest.mark.once
def test_a_comment(source, off, on):
    names = switches.of_file(source.encode(), "/file.py")
    assert names.issuperset(off) and names.isdisjoint(on)


MISTAKES = {
    "no such library": ("without=panda", "Did you mean 'pandas'?"),
    "no such fix": ("without=numpy.promotoin", "Did you mean 'numpy.promotion'?"),
    "no such word": ("wihout=pandas", "Did you mean 'without'?"),
    "no word": ("pandas", "without=NAME"),
    "libraries of yesterday": ("libraries=yesterday", "libraries=today"),
    "a fix of the process": ("without=sessions.fusions", "--without sessions.fusions"),
    "random numbers": ("without=seeds.split", "--without seeds.split"),
}


@pytest.mark.parametrize("words, message", MISTAKES.values(), ids=MISTAKES)
@pytest.mark.quick
@pytest.mark.once
def test_a_mistake_names_its_place(words, message):
    with pytest.raises(SwitchError, match="/file.py:2") as caught:
        switches.of_file(b"\n# tfgraphtools: " + words.encode(), "/file.py")
    assert message in str(caught.value)


#: (name of the file, its text, without, libraries, patterns)
PROJECTS = {
    "none": ("setup.cfg", "[metadata]\nname = x\n", (), None, {}),
    "setup.cfg": (
        "setup.cfg",
        "[tfgraphtools]\nwithout = pandas, numpy.promotion\nlibraries = today\n"
        "per-file-without =\n    src/a/*: numpy\n    b.py: h5py, pandas\n",
        ("pandas", "numpy.promotion"),
        "today",
        {"src/a/*": ("numpy",), "b.py": ("h5py", "pandas")},
    ),
    "pyproject.toml": (
        "pyproject.toml",
        '[tool.tfgraphtools]\nwithout = ["pandas"]\n[tool.tfgraphtools.per-file-without]\n'
        '"src/a/*" = ["numpy"]\n',
        ("pandas",),
        None,
        {"src/a/*": ("numpy",)},
    ),
    "setup.cfg with lines of other tools": (
        "setup.cfg",
        "[metadata]\nname: x\n[a]\nb = 1\nb = 2\n[tfgraphtools]\nwithout = pandas\n"
        "per-file-without =\n",
        ("pandas",),
        None,
        {},
    ),
}


def _has_toml():
    return importlib.util.find_spec("tomllib") or importlib.util.find_spec("tomli")


@pytest.mark.parametrize(
    "name, text, without, libraries, patterns", PROJECTS.values(), ids=PROJECTS
)
@pytest.mark.quick
@pytest.mark.once
def test_a_configuration(tmp_path, name, text, without, libraries, patterns):
    if name == "pyproject.toml" and not _has_toml():
        pytest.skip("this Python reads no TOML")
    (tmp_path / name).write_text(text)
    (tmp_path / "src").mkdir()
    options = switches.with_project(Options(without=("h5py",)), str(tmp_path / "src"))
    assert options.without == ("h5py", *without)
    assert options.libraries == libraries
    assert dict(options.per_file) == {str(tmp_path / k): v for k, v in patterns.items()}
    assert of_json(json.loads(json.dumps(options._asdict()))) == options


@pytest.mark.parametrize(
    "text, message",
    [
        ("wihout = pandas", "Did you mean 'without'?"),
        ("without = panda", "Did you mean 'pandas'?"),
    ],
)
@pytest.mark.quick
@pytest.mark.once
def test_a_mistake_in_a_configuration(tmp_path, text, message):
    (tmp_path / "setup.cfg").write_text("[tfgraphtools]\n" + text + "\n")
    with pytest.raises(SwitchError, match="setup.cfg") as caught:
        switches.with_project(Options(), str(tmp_path))
    assert message in str(caught.value)


#: name -> (the text of a pyproject.toml, words of the error)
BROKEN = {
    "no TOML": ("[tool.tfgraphtools]\nwithout = [", "a file of TOML"),
    "a number": ("[tool.tfgraphtools]\nwithout = 3", "without = ["),
    "a number in a list": ("[tool.tfgraphtools]\nwithout = [3]", "without = ["),
    "a truth value": ("[tool.tfgraphtools]\nlibraries = true", 'libraries = "today"'),
    "a text for a table": ('[tool.tfgraphtools]\nper-file-without = "a"', "a table"),
}


@pytest.mark.parametrize("text, message", BROKEN.values(), ids=BROKEN)
@pytest.mark.quick
@pytest.mark.once
def test_a_table_that_cannot_be_read(tmp_path, text, message):
    if not _has_toml():
        pytest.skip("this Python reads no TOML")
    (tmp_path / "pyproject.toml").write_text(text + "\n")
    with pytest.raises(SwitchError, match="pyproject.toml") as caught:
        switches.with_project(Options(), str(tmp_path))
    assert message in str(caught.value)


@pytest.mark.quick
@pytest.mark.once
def test_a_file_above_that_is_somebody_elses(tmp_path, monkeypatch):
    def refused(path, *arguments, **options):
        raise PermissionError(13, "Permission denied", path)

    (tmp_path / "pyproject.toml").write_text("[tool.tfgraphtools]\n")
    monkeypatch.setattr(switches, "open", refused, raising=False)
    assert switches.with_project(Options(), str(tmp_path)) == Options()


#: (pattern, file) pairs of files that do without
PLACES = {
    "a file": ("src/a.py", "src/a.py"),
    "a pattern": ("src/*", "src/b/a.py"),
    "a folder": ("src", "src/b/a.py"),
    "a folder with a slash": ("src/b/", "src/b/a.py"),
    "a link": ("src/a.py", "link.py"),
}


@pytest.mark.parametrize("pattern, file", PLACES.values(), ids=PLACES)
@pytest.mark.quick
@pytest.mark.once
def test_files_of_a_project_whose_folder_has_brackets(tmp_path, pattern, file):
    folder = tmp_path / "code [old]"
    (folder / "src" / "b").mkdir(parents=True)
    (folder / "src" / "a.py").write_text("")
    (folder / "link.py").symlink_to(folder / "src" / "a.py")
    (folder / "setup.cfg").write_text(
        f"[tfgraphtools]\nper-file-without = {pattern}: numpy.promotion\n"
    )
    switches.begin(switches.with_project(Options(), str(folder)))
    try:
        assert switches.of_file(b"", str(folder / file)) == {"numpy.promotion"}
        assert not switches.of_file(b"", str(folder / "src2" / "a.py"))
    finally:
        switches.begin(Options())


@pytest.mark.parametrize("language, name", [("toml", "pyproject.toml"), ("ini", "setup.cfg")])
@pytest.mark.quick
@pytest.mark.once
def test_the_tables_of_the_documentation(tmp_path, language, name):
    page = pathlib.Path(__file__).resolve().parents[3] / "docs" / "running.md"
    if language == "toml" and not _has_toml():
        pytest.skip("this Python reads no TOML")
    text = page.read_text(encoding="utf-8")
    (table,) = re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)
    (tmp_path / name).write_text(table)
    options = switches.with_project(Options(), str(tmp_path))
    assert options.without == ("pandas",)
    assert options.per_file == ((str(tmp_path / "src/loops/*"), ("numpy.promotion",)),)


@pytest.mark.quick
@pytest.mark.once
def test_a_python_without_toml_says_what_works(tmp_path, monkeypatch):
    def missing(name):
        raise ImportError(name)

    (tmp_path / "pyproject.toml").write_text("[tool.tfgraphtools]\n")
    monkeypatch.setattr(switches.importlib, "import_module", missing)
    with pytest.raises(SwitchError, match="setup.cfg"):
        switches.with_project(Options(), str(tmp_path))


@pytest.mark.quick
@pytest.mark.once
def test_libraries_today_leaves_tensorflow_keras_and_python():
    rows.begin((), "today")
    off = rows.switched_off()
    rows.begin()
    roots = {name.partition(".")[0] for name in off}
    assert roots.issuperset("numpy pandas scipy sklearn librosa PIL matplotlib h5py".split())
    assert roots.isdisjoint("tensorflow keras python2 cPickle collections sessions".split())


# What the code of files does ------------------------------------------------

#: What each module computes: the text of a value in user code with all fixes, and without some.
BODY = """
import ast
import collections
import gettext
import numpy as np
import pandas as pd
from pandas import DataFrame


import builtins
builtins.put_there = True
gettext.install("a")


def values():
    assert put_there and _("a") == "a"  # what user code puts among the builtins
    frame = DataFrame({{"a": [1]}})
    yield "arithmetic", int(np.uint8(200) + 100)
    yield "in eval", int(eval("np.uint8(200) + 100"))
    tree = ast.parse("np.uint8(200) + 100", mode="eval")
    yield "in a tree", int(eval(compile(tree, "<tree>", "eval")))
    yield "a name", hasattr(np, "float")
    yield "printing", "%s" % [np.float32(0.5)]
    try:
        frame.append(frame)
        yield "an attribute", True
    except AttributeError:
        yield "an attribute", False
    try:
        frame.drop("a", 1)
        yield "an argument", True
    except TypeError:
        yield "an argument", False
    yield "of Python", hasattr(collections, "Iterable")


RESULT = dict(values())
"""

#: With all fixes on.
ALL = {
    "arithmetic": 300,
    "in eval": 300,
    "in a tree": 300,
    "a name": True,
    "printing": "[0.5]",
    "an attribute": True,
    "an argument": True,
    "of Python": True,
}
NUMPY = {
    "arithmetic": 44,
    "in eval": 44,
    "in a tree": 44,
    "a name": False,
    "printing": "[np.float32(0.5)]",
}
PANDAS = {"an attribute": False, "an argument": False}

#: module -> (its first line, what differs from `ALL`)
MODULES = {
    "all": ("", {}),
    "no_name": ("# tfgraphtools: without=numpy.float", {"a name": False}),
    "no_pandas": ("# tfgraphtools: without=pandas", PANDAS),
    "no_numpy": ("# tfgraphtools: without=numpy", NUMPY),
    "today": ("# tfgraphtools: libraries=today", dict(NUMPY, **PANDAS)),
    "no_python": ("# tfgraphtools: without=collections", {"of Python": False}),
    "fast.one": ("", NUMPY),
}

#: A file of which a script compiles the tree.
PARSED = (
    "# tfgraphtools: without=numpy.promotion\nimport numpy\nRESULT = int(numpy.uint8(200) + 100)"
)

SCRIPT = """
import ast, json, sys
results = {{}}
for name in {names!r}:
    __import__(name)
    results[name] = sys.modules[name].RESULT
namespace = {{}}
exec(compile(ast.parse(open("parsed.py").read()), "parsed.py", "exec"), namespace)
results["parsed"] = namespace["RESULT"]
print(json.dumps(results))
"""


@pytest.fixture(scope="module", params=["run", "activate"])
def results(request, compat_server, tmp_path_factory):
    if compat.is_tf1():
        pytest.skip("compat acts on TF 2.x")
    folder = tmp_path_factory.mktemp("switches")
    for name, (line, _) in MODULES.items():
        path = folder.joinpath(*name.split(".")).with_suffix(".py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(line + "\n" + BODY.format())
    (folder / "parsed.py").write_text(PARSED)
    (folder / "setup.cfg").write_text("[tfgraphtools]\nper-file-without = fast/*: numpy\n")
    script = SCRIPT.format(names=list(MODULES))
    if request.param == "activate":
        script = "from tfgraphtools import compat\ncompat.activate()\n" + script
    (folder / "script.py").write_text(script)
    run = compat_server.run if request.param == "run" else compat_server.run_python
    done = run(folder, "script.py")
    assert done.code == 0, done.err[-3000:]
    return json.loads(done.out.splitlines()[-1])


@pytest.mark.parametrize("name", MODULES)
def test_each_file_does_without_its_own(results, name):
    assert results[name] == dict(ALL, **MODULES[name][1])


def test_a_tree_does_without_what_its_file_does_without(results):
    assert results["parsed"] == 44
