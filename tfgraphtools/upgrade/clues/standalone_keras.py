"""Advice on Keras 2, a library of its own, for a codebase, and what is left of Keras 1 in it."""

import ast
import os

from tfgraphtools.analysis import installed, library_sources, library_uses
from tfgraphtools.analysis.scopes import nodes_of
from tfgraphtools.compat.doctor import keras_calls
from tfgraphtools.compat.fixes.keras import keras1, standalone, standalone_names
from tfgraphtools.upgrade import evidence, targets

_LIBRARIES = "tfgraphtools.tf1.libraries"

#: The names in the runtime of Keras and of the packages that it was divided into.
_ROOTS = tuple(f"{_LIBRARIES}.{root}" for root in standalone.ROOTS)

_NOT_INSTALLED = installed.Answer(
    f"{_LIBRARIES}.keras",
    False,
    f"{installed.NOT_LOOKED_AT}: Keras 2.2.4 is not installed",
    "run 'tfgraphtools legacy install' once",
)


def is_one(name):
    """Tells whether a dotted name is one of Keras 2.2.4 in the runtime."""
    return any(name == root or name.startswith(root + ".") for root in _ROOTS)


def is_imported(tree):
    """Tells whether a module imports Keras 2.2.4 from the runtime."""
    return any(is_one(name) for name, _ in library_uses.imported_names(tree))


def lacks(name):
    """Returns an `installed.Answer` for a name that Keras 2.2.4 has not, else None.

    Args:
      name: "tfgraphtools.tf1.libraries.keras.layers.Dense".
    """
    old = name[len(_LIBRARIES) + 1 :]
    if standalone.folder() is None:
        return _NOT_INSTALLED
    removed, advice = keras1.found_in(old)
    here = removed or _missing(old)
    if here is None or standalone_names.has(here):
        return None
    full = f"{_LIBRARIES}.{here}"
    why = _NOT_IMPORTED.get(here, "Keras 2.2.4 has no such name")
    return installed.Answer(full, True, why, advice or "")


#: Modules of Keras 2.2.4 that cannot be imported, and why.
_NOT_IMPORTED = {
    "keras.backend.cntk_backend": "it needs CNTK: only TensorFlow's backend is supported",
    "keras.backend.theano_backend": "it needs Theano: only TensorFlow's backend is supported",
    "keras.legacy.models": "Keras 2.2.4 itself cannot import it",
}


def _missing(old):
    """Returns the beginning of a name of Keras up to what is absent or not importable."""
    parts = old.split(".")
    definition = library_sources.Definition(
        library_sources.MODULE, os.path.join(standalone.folder(), parts[0], "__init__.py")
    )
    for end, part in enumerate(parts[1:], 2):
        here = ".".join(parts[:end])
        if here in _NOT_IMPORTED:
            return here
        if part.startswith("__") or definition.kind != library_sources.MODULE:
            return None
        owner, definition = definition, _member(definition, part, ".".join(parts[: end - 1]))
        if definition is None:
            return here
        if definition.kind == library_sources.OPEN and owner.kind == library_sources.MODULE:
            return None
    return None


def _member(owner, part, owner_name):
    """Returns the `Thing` of a module's attribute.

    ``keras.backend`` takes TensorFlow's backend's.
    """
    module = library_sources.submodule(owner.file, part)
    if module is None and owner_name == "keras.backend" and not library_sources.binds(owner, part):
        owner = library_sources.submodule(owner.file, "tensorflow_backend")
    return module or library_sources.member(owner, part)


def refused_calls(code):
    """Yields (line, name, why) of the calls in upgraded source that only Keras 1 took."""
    tree = ast.parse(code)
    if not is_imported(tree):
        return
    for node in nodes_of(tree):
        _restore(node)
    for status, line in keras_calls.refused_in(tree):
        yield line, status.name, status.why


def _restore(node):
    """Changes a node of an import, so that it names Keras as old code did."""
    if isinstance(node, ast.ImportFrom) and node.module == _LIBRARIES:
        node.__class__ = ast.Import
    elif isinstance(node, ast.ImportFrom) and is_one(node.module or ""):
        node.module = node.module[len(_LIBRARIES) + 1 :]
    elif isinstance(node, ast.Import):
        for alias in node.names:
            if is_one(alias.name):
                alias.name = alias.name[len(_LIBRARIES) + 1 :]


def note(choice, facts, files):
    """Returns the remarks on what ``import keras`` became, and why.

    Args:
      choice: the `roles.Choice`.
      facts: the `codebase.Facts` of the files.
      files: the paths of those whose ``keras`` is Keras 1 or 2.
    """
    users = [
        file_facts for file_facts in facts if file_facts.path in files and file_facts.uses_keras
    ]
    neutral = [
        file_facts
        for file_facts in facts
        if file_facts.keras == evidence.NEUTRAL and file_facts.path not in files
    ]
    if users and choice.keras_is == targets.KERAS[0]:
        return (
            "keras is Keras 2.2.4 itself, in tfgraphtools.tf1.libraries (install it once: "
            "'tfgraphtools legacy install'): defaults, weights, names of layers and numbers stay. "
            "--keras tf_keras writes tf_keras instead, and lists calls that compute other numbers",
        )
    if users:
        return (
            "keras is tf_keras, whose defaults and names of layers are others: what is left names "
            "the calls. --keras legacy writes Keras 2.2.4 itself, with the same numbers",
        )
    if neutral:
        return (
            "keras may be Keras 2 or Keras 3 here, so it is not changed; --keras legacy says that "
            "it is Keras 2",
        )
    return ()
