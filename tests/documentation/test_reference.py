"""The reference documents every public name and every option; type checkers see the names."""

import ast
import importlib
import inspect
import pathlib
import subprocess
import sys

import pytest
from public_modules import PARTS

from tfgraphtools import cli

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def reference():
    sys.path.insert(0, str(ROOT / "scripts" / "site"))
    yield importlib.import_module("reference")
    sys.path.remove(str(ROOT / "scripts" / "site"))


@pytest.fixture(scope="module")
def members(reference):
    """The lists of public and of internal attributes."""
    return importlib.import_module("members")


def test_every_public_module_has_a_page(reference):
    documented = {module for modules in reference.PAGES.values() for module in modules}
    assert documented == {"tfgraphtools." + part for part in PARTS}
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert all(f"reference/{page}.md" in nav for page in reference.PAGES)


@pytest.mark.parametrize("part", PARTS)
def test_every_public_name_has_an_entry(reference, part, tf):
    name = "tfgraphtools." + part
    module = importlib.import_module(name)
    if hasattr(module, "__all__"):
        public = set(module.__all__)
    else:
        public = {
            key
            for key, value in vars(module).items()
            if getattr(value, "__module__", None) == name and not key.startswith("_")
        }
    (page,) = [page for page, modules in reference.PAGES.items() if name in modules]
    entries = {
        line[4 + len(name) + 1 :]
        for line in reference.api_page(page).splitlines()
        if line.startswith(f"::: {name}.")
    }
    tasks = reference.TASKS.get(page, {})
    assert sum(map(len, tasks.values())) in (0, len(entries)), "a name stands under two tasks"
    assert entries == {key for key in public if f"{name}.{key}" not in reference.MODULES}
    assert all(getattr(module, key).__doc__ for key in public if callable(getattr(module, key)))


@pytest.mark.parametrize("part", PARTS)
def test_a_class_shows_what_users_call(reference, members, part, tf):
    """Whatever a public class has is listed as public, is TensorFlow's, or is internal."""
    module = importlib.import_module("tfgraphtools." + part)
    internal = set(members.INTERNAL.get("tfgraphtools." + part, "").split())
    for name in reference.public_names("tfgraphtools." + part):
        cls = getattr(module, name)
        if not inspect.isclass(cls):
            continue
        shown = set(members.MEMBERS.get(f"tfgraphtools.{part}.{name}", "").split())
        own, foreign = set(getattr(cls, "_fields", ())), {name for name in dir(object)}
        attributes = set()
        for base in cls.__mro__:
            is_ours = base.__module__.startswith("tfgraphtools")
            (attributes if is_ours else foreign).update(n for n in vars(base) if n[0] != "_")
        assert attributes - foreign - own - internal == shown - internal, name
        assert shown <= attributes, name
        assert all(inspect.getdoc(getattr(cls, attribute)) for attribute in shown), name


def test_classes_of_the_list_are_public(reference, members):
    pages = {
        module: reference.api_page(page) for page, of in reference.PAGES.items() for module in of
    }
    for name, shown in members.MEMBERS.items():
        entry = f"::: {name}\n    options:\n      members: [{', '.join(shown.split())}]\n"
        assert entry in pages[name.rpartition(".")[0]]
    assert "plan_step" not in "".join(pages.values())


def test_every_option_is_in_the_reference(reference):
    page = reference.cli_page()
    for name, parser in cli.subcommands():
        if name == "tfgraphtools":
            continue
        _, _, section = page.partition(f"# {name}\n")
        section = section.partition("\n##")[0]
        for action in parser._actions:
            for option in set(action.option_strings) - {"-h", "--help"}:
                assert option in section, (name, option)
        assert all(text for _, text in reference.options(parser)), f"{name}: an option has no help"


def test_lazy_names_of_checkpoints_are_those_that_type_checkers_see():
    checkpoints = importlib.import_module("tfgraphtools.checkpoints")
    tree = ast.parse(pathlib.Path(checkpoints.__file__).read_text(encoding="utf-8"))
    guarded = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {alias.name: node.module for node in guarded.body for alias in node.names}
    lazy = {
        name: f"tfgraphtools.checkpoints.{module}"
        for name, module in checkpoints._MODULE_OF.items()
    }
    assert seen == lazy and sorted(seen) == sorted(checkpoints.__all__)


USER_SCRIPT = """\
import tfgraphtools
from tfgraphtools import checkpoints, training

tfgraphtools.training.FreezeOptimizer
checkpoints.open_checkpoint("model.ckpt")
checkpoints.open_checkpiont("model.ckpt")
training.LRMultiplierOptimiser
tfgraphtools.gradients.flor
tfgraphtools.trainig
"""


@pytest.mark.slow
def test_mypy_finds_a_typo(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "user.py").write_text(USER_SCRIPT, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--follow-imports=silent", "--ignore-missing-imports"]
        + ["--cache-dir", str(tmp_path / "cache"), "user.py"],
        cwd=str(tmp_path),
        env={"PYTHONPATH": str(ROOT), "MYPYPATH": str(ROOT), "PATH": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    lines = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert [line.split(":")[1] for line in lines] == ["6", "7", "8", "9"], done.stdout
