"""Files that sources name and expect to be there: data and checkpoints."""

import ast
import os
import re
from typing import NamedTuple

from tfgraphtools.analysis import scopes

_FILE = re.compile(
    r"[\w./~-]*\w\.(txt|csv|tsv|npy|npz|pkl|pickle|p|h5|hdf5|tfrecords?|json|mat|jpg|jpeg|png|zip|"
    r"gz|tgz|tar|bin|dat|data|yml|yaml|wav|mp3|mp4|ckpt|ckpt-\d+|meta|pb|index|model)"
)
_CHECKPOINT = re.compile(r"\.(ckpt|ckpt-\d+|meta|pb|index)$")

#: Names of options for files that a program writes.
_OUTPUT = re.compile(r"(?i)(?<![a-z])(out|output|save|log|dest|result|export)s?(?![a-z])")

#: Functions whose argument is a file that is read.
_READERS = {
    "open", "load", "loadtxt", "genfromtxt", "read_csv", "read_table", "loadmat", "imread",
    "restore", "import_meta_graph", "load_weights", "load_model", "ZipFile", "GFile", "Open",
    "File", "fromfile", "listdir", "glob", "read_data_sets", "FastGFile", "TextLineReader",
}  # fmt: skip


class ExpectedFile(NamedTuple):
    """A file that a source names.

    Fields:
      path: as the source says it.
      place: where, "FILE:LINE".
      is_here: whether the repository has it.
      is_checkpoint: whether it is a checkpoint or a graph, by its name.
    """

    path: str
    place: str
    is_here: bool
    is_checkpoint: bool


def expected(folder, sources):
    """Returns the `ExpectedFile`s of sources, each path once.

    They are the constants that have the suffix of data and are read: given to a function that
    opens files, a default of an option, or joined with a folder.

    Args:
      folder: the repository.
      sources: {name of a Python file from the folder: its text}.
    """
    result = {}
    for name in sorted(sources):
        for path, line in _paths(sources[name]):
            places = [os.path.join(folder, base, path) for base in ("", os.path.dirname(name))]
            is_here = any(os.path.exists(place) for place in places)
            is_checkpoint = _CHECKPOINT.search(path) is not None
            entry = ExpectedFile(path, f"{name}:{line}", is_here, is_checkpoint)
            result.setdefault(path, entry)
    return list(result.values())


def _paths(text):
    try:
        nodes = scopes.nodes_of(scopes.tree_of(text))
    except (SyntaxError, ValueError):
        pattern = re.compile(r"\b(\w+)\(\s*['\"](" + _FILE.pattern + r")['\"](?!\s*,\s*['\"][wa])")
        return [
            (match.group(2), text.count("\n", 0, match.start()) + 1)
            for match in pattern.finditer(text)
            if match.group(1) in _READERS
        ]
    return [pair for node in nodes for pair in _read_by(node)]


def _read_by(node):
    if not isinstance(node, ast.Call):
        return
    function = getattr(node.func, "attr", getattr(node.func, "id", ""))
    is_reader = function in _READERS and not _writes(node)
    is_option = function in ("add_argument", "DEFINE_string") and not _OUTPUT.search(
        " ".join(str(getattr(value, "value", "")) for value in node.args[:2])
    )
    values = node.args[:1] if is_reader else node.args[1:2] if is_option else []
    values += [word.value for word in node.keywords if is_option and word.arg == "default"]
    for value in values:
        text = getattr(value, "value", None)
        if isinstance(text, str) and _FILE.fullmatch(text):
            yield text, value.lineno


def _writes(call):
    modes = [*call.args[1:2], *(word.value for word in call.keywords if word.arg == "mode")]
    return any(str(getattr(mode, "value", ""))[:1] in ("w", "a", "x") for mode in modes)
