"""Names that depend on run-time values, and those that hide TensorFlow's: noted, not changed."""

import ast
import os

from tfgraphtools.analysis.scopes import nodes_of
from tfgraphtools.upgrade import targets, uses
from tfgraphtools.upgrade.findings import CANNOT


def note(work):
    """Notes what depends on run-time values, and what hides TensorFlow's name."""
    for level, module, node in work.scopes.stars:
        if not level and module.partition(".")[0] == "tensorflow":
            why = "names come from 'import *': import the used names"
            if module == targets.V1 and os.path.basename(work.role.path) == "__init__.py":
                why += "; __path__ comes as well: the package no longer finds its own modules"
            work.note(node.lineno, module + ".*", CANNOT, targets.IMPORT, why)
    for name, line in uses.shadowed(work.scopes, work.names):
        why = f"'{name}' is assigned elsewhere in this file, so its uses are not changed"
        work.note(line, name, CANNOT, targets.IMPORT, why)
    is_by_hand = work.role.is_tf1 and work.codebase.is_v1(work.role.path)
    for node in nodes_of(work.tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "getattr":
            _getattr(work, node)
        elif isinstance(node, ast.Call) and is_by_hand:
            _of_either(work, node)


#: Functions that compute something else in TF 1 and in TF 2 -> the number of positional arguments
#: from which on they do.
_DIFFER = {"image.resize": 0, "nn.dropout": 2, "strings.split": 0, "nn.embedding_lookup": 3}


def _of_either(work, call):
    """Notes a call that TF 1 and TF 2 understand otherwise, in code that names ``compat.v1``."""
    name = work.names.here(call.func) or ""
    path = name.partition("tensorflow.")[2]
    if path.startswith(("losses.", "metrics.")) or len(call.args) >= _DIFFER.get(path, 99):
        why = (
            "TF 1 and TF 2 compute something else, and names of compat.v1 beside it leave open "
            f"which is meant; it becomes TF 1's: write tf.compat.v1.{path}, or tf.compat.v2.{path} "
            "for TF 2's"
        )
        work.note(call.lineno, name, CANNOT, targets.IMPORT, why)


def _getattr(work, node):
    if len(node.args) < 2:
        return
    owner = work.names.here(node.args[0])
    is_old = work.role.is_tf1 or work.is_ported
    if owner is None or owner.partition(".")[0] != "tensorflow" or not is_old:
        return
    word = node.args[1]
    if isinstance(word, ast.Constant):
        target = work.of(f"{owner}.{word.value}")
        if target is None or target.fix == targets.IMPORT:
            return
    work.note(
        node.lineno,
        f"getattr({owner}, ...)",
        CANNOT,
        targets.IMPORT,
        "the name is only known at run time: check that today's library has it",
    )
