"""One file reads the environment variables of this library, and its table has all of them."""

import ast
import pathlib
import re

import pytest
from places import ROOT

import tfgraphtools
from tfgraphtools import environment_variables

pytestmark = [pytest.mark.quick, pytest.mark.once]

PACKAGE = pathlib.Path(tfgraphtools.__file__).resolve().parent
NAMES = {row.name for row in environment_variables.OWN + environment_variables.OTHERS}

#: The files that read a variable themselves, and why.
READERS = {
    "environment_variables.py": "the one that does",
    "runner/startup/sitecustomize.py": "it runs in processes that may have no tfgraphtools",
    "graphs/source_code/gradient_comparisons.py": "a question about TensorFlow's own state",
    "graphs/comparing/output_differences.py": "a question about TensorFlow's own state",
}


def _reads(tree):
    """Yields the constant names that ``os.environ`` and ``os.getenv`` are asked for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            is_read = ast.unparse(node.func) in ("os.environ.get", "os.getenv")
            asked = node.args[0] if is_read else None
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            asked = node.slice if ast.unparse(node.value) == "os.environ" else None
        elif isinstance(node, ast.Compare) and ast.unparse(node.comparators[0]) == "os.environ":
            asked = node.left
        else:
            continue
        if isinstance(asked, ast.Constant):
            yield asked.value


def _reads_of_files():
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        for variable in _reads(ast.parse(path.read_text(encoding="utf-8"))):
            yield name, variable


def test_a_read_is_seen():
    text = "os.environ.get('A'); os.getenv('B'); os.environ['C']; 'D' in os.environ"
    assert set(_reads(ast.parse(text))) == {"A", "B", "C", "D"}


def test_one_file_reads_the_variables_of_the_table():
    """An f-string or a name of the table elsewhere is a second reader."""
    readers = {name for name, variable in _reads_of_files() if variable in NAMES}
    assert readers - set(READERS) == set()


def test_the_table_has_every_variable_of_the_package():
    texts = [path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")]
    mentioned = set(re.findall(r"\bTFGRAPHTOOLS_[A-Z_]+\b", "\n".join(texts)))
    assert mentioned == {row.name for row in environment_variables.OWN}


def test_pages_name_variables_of_the_table_and_of_the_tests_only():
    """Variables of the tests are in CONTRIBUTING.md; those of a package stand in the table."""
    pages = [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
    mentioned = {
        name
        for page in pages
        for name in re.findall(r"\bTFGRAPHTOOLS_[A-Z0-9_]+\b", page.read_text(encoding="utf-8"))
    }
    of_tests = {"TFGRAPHTOOLS_CLUSTER_KILLS", "TFGRAPHTOOLS_HOROVOD", "TFGRAPHTOOLS_SLIM"}
    assert mentioned - NAMES - of_tests == {"TFGRAPHTOOLS_TF1_PYTHON"}


def test_an_unknown_name_is_a_defect_of_ours():
    with pytest.raises(AssertionError):
        environment_variables.value_of("TFGRAPHTOOLS_ABSENT")
