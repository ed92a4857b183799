"""Programs of TF 2 that use ``tf.estimator``: its removal is all that they lost."""

import ast
import os
import re

from tfgraphtools import regular_files
from tfgraphtools.analysis import scopes
from tfgraphtools.analysis.resolving import Names
from tfgraphtools.upgrade import evidence, targets
from tfgraphtools.upgrade.modules import Files

#: The row that gives user code the estimator of TF 2.
ROW = "tensorflow.compat.v2.estimator"

_ESTIMATORS = (targets.ESTIMATOR, ROW, "tensorflow.compat.v1.estimator")

#: What a program calls that wants graphs from a TensorFlow 2.
_WANTS_GRAPHS = re.compile(r"\bdisable_(?:v2_behavior|eager_execution)\b")

_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+([\w, \t]+)|import[ \t]+([\w., \t]+))",
    re.MULTILINE,
)

#: Programs of more files than this are not read.
_MOST_FILES = 200


def is_for_tf2(path: str) -> bool:
    """Tells whether a program was written for TF 2 and uses ``tf.estimator``.

    It and the files beside it that it imports use names that only TF 2 has (or ``compat.v1``
    without graphs), none that only TF 1 has, and ask for no graphs. False where a file is no
    Python 3.

    Args:
      path: the file of the program.
    """
    texts = _texts(path)
    if not any("estimator" in text for text in texts.values()):
        return False
    if any(_WANTS_GRAPHS.search(text) for text in texts.values()):
        return False
    eras, used = set(), set()
    for file, text in texts.items():
        if "tensorflow" in text:
            try:
                tree = ast.parse(text)
            except (SyntaxError, ValueError):
                return False
            names = Names(scopes.Scopes(tree), file, Files([]))
            eras_here, used_here = evidence.shown(tree, names.scopes, names)
            eras, used = eras | eras_here, used | used_here
            if evidence.era(tree, names.scopes, names) == evidence.V1:
                is_graph = evidence.builds_graphs(tree, names.scopes, names)
                eras.add(evidence.TF1 if is_graph else evidence.TF2)
        if evidence.TF1 in eras:
            return False
    return evidence.TF2 in eras and any(targets.lies_in(name, *_ESTIMATORS) for name in used)


def _texts(path):
    """Returns path -> text of a program and of the files beside it that it imports."""
    texts, waiting, top = {}, [os.path.abspath(path)], os.path.dirname(os.path.abspath(path))
    while waiting and len(texts) < _MOST_FILES:
        current = waiting.pop()
        if current in texts or not os.path.isfile(current):
            continue
        texts[current] = regular_files.text(current)
        waiting += _imported(texts[current], current, top)
    return texts


def _imported(text, path, top):
    """Yields the files that may stand for the imports of a text; many of them do not exist."""
    for dots, module, items, modules in _IMPORT.findall(text):
        folder = top
        if dots:
            folder = os.path.normpath(
                os.path.join(os.path.dirname(path), *[os.pardir] * (len(dots) - 1))
            )
        names = [f"{module}.{item.split()[0]}" for item in items.split(",") if item.strip()]
        names += [item.split()[0] for item in modules.split(",") if item.strip()]
        for name in [module, *names]:
            base = os.path.join(folder, *name.strip(".").split("."))
            yield from (base + ".py", os.path.join(base, "__init__.py"))
