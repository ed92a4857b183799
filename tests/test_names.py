"""Names say what they hold, and functions' docstrings say what they do.

A binding is a name that the code itself gives: of a function, class, parameter, variable,
attribute, import or exception. Files are named by their subject, so that a name leads to one file.
"""

import ast
import collections
import functools
import pathlib
import re

import pytest
from places import PACKAGE

#: It reads source, which is the same under every TensorFlow.
pytestmark = pytest.mark.once

#: Names that say nothing of what they hold.
VAGUE = set(
    "both found given gone it made mine one plain rest said same some stuff that these thing "
    "things this those what which".split()
)

#: The most vague names (%) of a package.
MOST = 0.5

#: The most docstrings (%) of functions of a package that begin with another word than a verb.
MOST_NOUNS = 0.5

#: How a function's docstring begins: with a verb in the third person.
VERB = re.compile(r"[A-Z][a-z]+s\b")
NO_VERB = set(
    "Args As Blockers Bounds Boxes Counters Derivatives Files Has Identities Is Its Kernels Keras "
    "Names Ops Optimizers Ours Pieces Rows Slots Targets Tensors Texts This Those Values Variables "
    "Weights".split()
)

#: The share of files (%) whose name no other file has.
UNIQUE = 95.0

#: Folders of tests that are counted, too.
TESTS = ("checkpoints", "cli", "gradients", "runner", "training")


@functools.lru_cache(maxsize=None)
def _modules():
    """Returns {path: tree} of the package."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")}


PACKAGES = sorted(path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists())


def _part_of(path):
    """Returns the package of `tfgraphtools` in which a file is; "" for its own modules."""
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


@functools.lru_cache(maxsize=None)
def _bindings(tree):
    """Returns [(line, name)] of what a module's code names."""
    return list(_named(tree))


def _named(tree):
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield line, node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield line, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield line, node.attr
        elif isinstance(node, ast.arg):
            yield line, node.arg
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield line, node.name
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                yield line, alias.asname or alias.name.rpartition(".")[2]


def _vague(tree):
    return [(line, name) for line, name in _bindings(tree) if name.strip("_").lower() in VAGUE]


def _documented_functions(tree):
    """Yields (function, its docstring), of those that are no properties."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node):
            decorators = [ast.dump(decorator) for decorator in node.decorator_list]
            if not any("property" in decorator for decorator in decorators):
                yield node, ast.get_docstring(node)


def _begins_with_verb(docstring):
    match = VERB.match(docstring)
    return match is not None and match.group() not in NO_VERB


def _check_share(trees, title, most):
    """Raises if more than `most` percent of the names in modules are vague; prints the share."""
    total = sum(len(_bindings(tree)) for tree in trees.values())
    vague = [
        f"{path}:{line}: {name}" for path in sorted(trees) for line, name in _vague(trees[path])
    ]
    share = 100 * len(vague) / total
    print(f"{title}: {len(vague)} of {total} names, {share:.2f}%")
    assert share <= most, "\n".join(vague[:40])


@pytest.mark.parametrize("package", ["", *PACKAGES])
def test_names_say_what_they_hold(package):
    trees = {path: tree for path, tree in _modules().items() if _part_of(path) == package}
    _check_share(trees, package or "root", MOST)


@pytest.mark.parametrize("folder", TESTS)
def test_names_of_tests_say_what_they_hold(folder):
    paths = pathlib.Path(__file__).resolve().parent.joinpath(folder).rglob("*.py")
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths}
    _check_share(trees, folder, MOST)


def test_a_vague_name_counts():
    source = "import a as found\ndef one(given):\n    self.made = [it for it in given]\n"
    vague = sorted(name for _, name in _vague(ast.parse(source)))
    assert vague == ["found", "given", "it", "made", "one"]


@pytest.mark.parametrize("package", PACKAGES)
def test_docstrings_of_functions_begin_with_a_verb(package):
    documented = [
        (path, node, docstring)
        for path, tree in sorted(_modules().items())
        if _part_of(path) == package
        for node, docstring in _documented_functions(tree)
    ]
    nouns = [
        f"{path}:{node.lineno}: {docstring.splitlines()[0]}"
        for path, node, docstring in documented
        if not _begins_with_verb(docstring)
    ]
    share = 100 * len(nouns) / len(documented)
    print(f"{package}: {len(nouns)} of {len(documented)} docstrings, {share:.1f}%")
    assert share <= MOST_NOUNS, "\n".join(nouns[:40])


@pytest.mark.parametrize("text", ["Whether it is", "What it has", "The names", "Has it done"])
def test_no_verb_is_found(text):
    assert not _begins_with_verb(text) and _begins_with_verb("Returns it")


def _share_of_unique_names(paths):
    """Returns (the share of files (%) whose name no other has, the names that several have)."""
    counts = collections.Counter(path.name for path in paths if path.name != "__init__.py")
    unique = sum(1 for count in counts.values() if count == 1)
    return 100 * unique / sum(counts.values()), sorted(n for n in counts if counts[n] > 1)


def test_file_names_are_unique():
    share, several = _share_of_unique_names(_modules())
    print(f"{share:.1f}% of the file names are unique")
    assert share >= UNIQUE, several


#: The most module docstrings (%) that begin with a question word.
MOST_QUESTIONS = 1.0


def test_a_module_docstring_begins_with_a_noun():
    """A question word leaves the subject of a module to be guessed."""
    docstrings = {path: ast.get_docstring(tree) or "" for path, tree in _modules().items()}
    words = ("What", "Whether", "How", "Which", "Where", "Who", "Why")
    questions = {
        path.relative_to(PACKAGE).as_posix(): text.partition("\n")[0]
        for path, text in docstrings.items()
        if text.split(" ")[0] in words
    }
    assert 100 * len(questions) <= MOST_QUESTIONS * len(docstrings), questions
