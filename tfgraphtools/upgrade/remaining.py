"""Reads the result of an upgrade as plain Python would: what is left of it fails, or is unknown."""

import functools
import os
import re
from typing import NamedTuple

from tfgraphtools.analysis import exports, installed, left, library_sources, library_uses
from tfgraphtools.analysis.resolving import Names
from tfgraphtools.analysis.scopes import scopes_of, tree_of
from tfgraphtools.compat import rewrites
from tfgraphtools.compat.doctor import contrib_in_cpp
from tfgraphtools.installed import distributions
from tfgraphtools.upgrade import behaviours, copies, targets
from tfgraphtools.upgrade.clues import keras3_calls, standalone_keras, tf1_packages
from tfgraphtools.upgrade.code_files import opcodes
from tfgraphtools.upgrade.findings import CANNOT, UNSEEN, Finding

#: The name of the fix that the findings of this module have.
FIX = "left"

#: Where ``contrib`` had Keras, as in `compat.contrib.finder`.
_CONTRIB_KERAS = re.compile(r"tensorflow\.contrib\.keras\.((?:api|python)\.keras\.)?(?!api|python)")

#: An import of Keras as a library of its own.
_KERAS = re.compile(r"^[ \t]*(?:import|from)[ \t]+keras\b", re.MULTILINE)

_WORD = re.compile(r"\w+")

_RUNTIME = "tfgraphtools.tf1"

#: What sets the Keras of TensorFlow to tf_keras in a program.
_LEGACY_KERAS = re.compile(r"TF_USE_LEGACY_KERAS|tfgraphtools\.tf1|tfgraphtools import tf1")


class Exported:
    """What one file of the result has from elsewhere: see `exports.Exports`."""

    def __init__(self, names, stars):
        self.exports, self.stars = names, stars


def survey(pair, files):
    """Returns (`Exported`, modules that are imported, whether it names tf_keras) of new source.

    Args:
      pair: (path, source).
      files: the `modules.Files` of the codebase.
    """
    path, code = pair
    tree = _parsed(code)
    if tree is None:
        return Exported({}, ()), (), False
    scopes = scopes_of(tree)
    names, stars = exports.exports_of(scopes, Names(scopes, path, files), path)
    modules = frozenset(name for name, _ in library_uses.imported_names(tree))
    return Exported(names, stars), modules, bool(_LEGACY_KERAS.search(code))


class Codebase:
    """The result of an upgrade, as a whole.

    Args:
      files: its `modules.Files`.
      surveys: path -> what `survey` returned.
    """

    def __init__(self, files, surveys):
        self.files = files
        self.exports = exports.Exports(files, {path: survey[0] for path, survey in surveys.items()})
        self._modules = frozenset(name for _, names, _ in surveys.values() for name in names)
        self.has_legacy_keras = any(is_legacy for _, _, is_legacy in surveys.values())

    @property
    def libraries(self):
        """The `Libraries` that the code gets."""
        return _libraries(self.has_legacy_keras, self._modules)


def without_noted(left_findings, noted):
    """Returns the `Finding`s of what is left, without uses that others of a file refuse already.

    Args:
      left_findings: those of `findings`.
      noted: the other `Finding`s of the file.
    """
    refused = {}
    for finding in noted:
        if finding.status == CANNOT:
            refused.setdefault(finding.line, []).append(_old_name(finding.name))
    return [
        finding
        for finding in left_findings
        if not any(
            _is_within(_old_name(finding.name), old_name)
            for old_name in refused.get(finding.line, ())
        )
    ]


def _old_name(name):
    return name.replace(targets.V1 + ".", "tensorflow.")


def _is_within(name, other):
    return (name + ".").startswith(other + ".") or (other + ".").startswith(name + ".")


class Pair(NamedTuple):
    """A file before and after.

    Fields:
      path: its absolute path.
      old, new: its source.
      is_old: whether it was written for the libraries of TF 1's time.
    """

    path: str
    old: str
    new: str
    is_old: bool


def findings(pair, codebase):
    """Returns the `Finding`s of what is left in one file, with the lines of its old source.

    Args:
      pair: its `Pair`.
      codebase: the `Codebase`.
    """
    tree = _parsed(pair.new)
    if tree is None:
        return []
    path, line_of = pair.path, _old_lines(pair.old, pair.new)
    uses = left.left_in(
        tree, path, codebase.files, codebase.exports, codebase.libraries, _tensorflow_version()
    )
    of_tf1 = list(tf1_packages.imported_in(tree, codebase.files, path))
    packages = {name for _, name, *_ in of_tf1}  # what is in them is seen where they run
    uses = [use for use in uses if use.name.partition(".")[0] not in packages]
    refused = [_finding(use, line_of(use.line), path) for use in uses]
    for line, name, *reason in of_tf1:
        refused.append(Finding(line_of(line), name, CANNOT, "packages.tf1", *reason))
    names = Names(scopes_of(tree), path, codebase.files, codebase.exports)
    if not codebase.has_legacy_keras:
        for line, name, why, remedy in keras3_calls.uses(tree, names):
            refused.append(Finding(line_of(line), name, CANNOT, keras3_calls.ROW, why, remedy))
    if pair.is_old:
        had_keras = _KERAS.search(pair.old) is not None
        had_keras = had_keras and not standalone_keras.is_imported(tree)
        for use in behaviours.uses(tree, names, had_keras):
            line, name, row, why, remedy = use
            refused.append(Finding(line_of(line), name, CANNOT, row, why, remedy))
        for line, name, why in standalone_keras.refused_calls(pair.new):
            refused.append(Finding(line_of(line), name, CANNOT, targets.STANDALONE, why))
    return refused


def _finding(use, line, path):
    status = UNSEEN if use.why.startswith(installed.NOT_LOOKED_AT) else CANNOT
    return Finding(line, use.name, status, FIX, *_reason(use, path))


def _reason(use, path):
    """Returns (why, remedy) of a `left.Left`; a package may be the user's own, beside the file."""
    beside = os.path.join(os.path.dirname(path), use.name)
    is_unknown = use.why.startswith(installed.NOT_LOOKED_AT)
    if is_unknown and (os.path.isfile(beside + ".py") or os.path.isdir(beside)):
        return f"{installed.NOT_LOOKED_AT}: it is beside this file", "pass the whole folder"
    return use.why, use.remedy or _REMEDIES.get(use.name, "")


#: What to write for names that TF 1 and TF 2 had, where nothing says which of them is meant.
_REMEDIES = {
    targets.ESTIMATOR: "of TF 1: from tfgraphtools.tf1 import estimator; of TF 2, which keeps "
    "eager execution: from tfgraphtools.tf1.compat.v2 import estimator"
}


def _parsed(code):
    try:
        return tree_of(code)
    except (SyntaxError, ValueError, RecursionError):
        return None


def _old_lines(old, new):
    """Returns a function: line of the new source -> the line of the old one that it comes from."""
    if old == new:
        return lambda line: line
    lines, before, after = {}, old.split("\n"), new.split("\n")
    for kind, start, end, other, other_end in opcodes(before, after):
        for number in range(other, other_end):
            if kind == "equal" or end - start == other_end - other:
                line = start + number - other
            else:
                line = _nearest(before, range(start, end), after[number])
            lines[number + 1] = line + 1
    return lambda line: lines.get(line, 1)


def _nearest(lines, numbers, text):
    """Returns the number of the line that shares the most words with a text.

    The first of several.
    """
    words = set(_WORD.findall(text))
    shared = {number: len(words.intersection(_WORD.findall(lines[number]))) for number in numbers}
    return max(shared, key=shared.get) if shared else max(numbers.start - 1, 0)


@functools.lru_cache(None)
def _tensorflow_version():
    """Returns the version of the TensorFlow that is installed, or None; it is not imported."""
    definition = library_sources.top("tensorflow")
    if definition is None:
        return None
    return distributions.tensorflow_version(os.path.dirname(os.path.dirname(definition.file)))


@functools.lru_cache(4)
def _libraries(legacy_keras, modules):
    """Returns the `Libraries` of a codebase: made once in each process, with their answers."""
    return Libraries(legacy_keras, modules)


class Libraries(installed.Libraries):
    """What is installed, and what the runtime ``tfgraphtools.tf1`` provides."""

    def lacks(self, name, is_module=False):
        """Answers as `installed.Libraries.lacks`; copied modules beside the files are there."""
        if name.partition(".")[0] in copies.MODULES:
            return None
        if standalone_keras.is_one(name):
            return standalone_keras.lacks(name)
        if name == _RUNTIME or name.startswith(_RUNTIME + "."):
            return self._of_runtime(name)
        answer = super().lacks(name, is_module)
        if answer is not None and answer.is_missing and not answer.remedy:
            if name.startswith(("tf_keras.", "keras.")):
                return answer._replace(remedy=_in_tf_keras(name.rpartition(".")[2]))
        return answer

    def _of_runtime(self, name):
        """Answers for names of a row, or the package of TF 1.15 in the legacy installation."""
        inner_name = name[len(_RUNTIME) + 1 :]
        if inner_name.partition(".")[0] in ("", "flags", "python2", "seeds", "attribute"):
            return None
        if inner_name == "libraries":
            return None
        is_library = inner_name.startswith("libraries.")
        old = inner_name[len("libraries.") :] if is_library else f"tensorflow.{inner_name}"
        if not old.startswith(rewrites.PACKAGES):
            return self._of_rows(name, old)
        if _CONTRIB_KERAS.match(old):
            return self._of_contrib_keras(name, old)
        gone = contrib_in_cpp.gone_part(old)
        if gone is not None:
            beginning, why = gone
            return installed.Answer(_RUNTIME + beginning[len("tensorflow") :], True, why)
        parts = inner_name.split(".")
        package = parts[0]
        folder = _legacy_folder()
        if folder is None:
            why = f"{installed.NOT_LOOKED_AT}: the {package} of TF 1.15 is not installed"
            return installed.Answer(f"{_RUNTIME}.{package}", False, why, _INSTALL)
        return self._in_legacy(name, parts, folder)

    def _of_rows(self, name, old):
        """Answers for names of the runtime that a row, or its function or class, has."""
        if old in _kinds() or any(row.startswith(old + ".") for row in _kinds()):
            return None
        owner = targets.row_of(old)
        kind = _kinds().get(owner)
        if kind == "modules":
            return _of_provided(name, owner, old[len(owner) + 1 :].partition(".")[0])
        if kind or (old.startswith("tensorflow.") and self.lacks(_in_v1(old)) is None):
            return None
        return installed.Answer(name, True, "neither TF 1 nor its runtime has such a name")

    def _of_contrib_keras(self, name, old):
        """Answers for names of ``contrib.keras``, which the runtime takes from today's Keras."""
        if targets.is_row(old):
            return None
        in_keras = _CONTRIB_KERAS.sub("tensorflow.keras.", old)
        owner = targets.row_of(in_keras)
        if owner != in_keras and _kinds().get(owner) == "modules":
            return _of_provided(name, owner, in_keras[len(owner) + 1 :].partition(".")[0])
        rewrite = rewrites.rewrite_of(in_keras)
        if isinstance(rewrite, rewrites.Stays):
            return installed.Answer(name, True, rewrite.reason)
        answer = None if targets.is_row(in_keras) else self.lacks(_in_v1(in_keras), True)
        return answer and answer._replace(name=name)

    def _in_legacy(self, name, parts, folder):
        definition = library_sources.Definition(
            library_sources.MODULE, os.path.join(folder, "tensorflow", parts[0], "__init__.py")
        )
        if parts[0] == "estimator":
            return None
        for end, part in enumerate(parts[1:], 2):
            owner = definition
            definition = library_sources.member(owner, part)
            if definition is None or definition.kind == library_sources.OPEN:
                definition = library_sources.submodule(owner.file, part) or definition
            if definition is None:
                here = ".".join([_RUNTIME, *parts[:end]])
                if targets.is_row("tensorflow." + ".".join(parts[:end])):
                    return None
                return installed.Answer(here, True, "the contrib of TF 1.15 has no such name")
            if definition.kind == library_sources.OPEN and owner.kind == library_sources.MODULE:
                here = ".".join([_RUNTIME, *parts[:end]])
                why = f"{installed.NOT_LOOKED_AT}: contrib makes it when it runs"
                return installed.Answer(here, False, why)
            if definition.kind != library_sources.MODULE:
                return None
        return None


_INSTALL = "run 'tfgraphtools legacy install' once"


#: Modules of tf_keras in which names of Keras 2's own modules are public.
_OF_KERAS = (
    "layers models utils backend callbacks optimizers losses metrics initializers regularizers "
    "constraints activations preprocessing.image preprocessing.sequence preprocessing.text"
).split()


@functools.lru_cache(None)
def _in_tf_keras(leaf):
    """Returns where tf_keras has a name, as a remedy; "" where no public module has it."""
    top = library_sources.top("tf_keras")
    for module in _OF_KERAS if top is not None else ():
        definition = top
        for part in module.split("."):
            definition = definition and library_sources.submodule(definition.file, part)
        if definition is not None and library_sources.binds(definition, leaf):
            return f"tf_keras.{module} has {leaf}"
    return ""


def _in_v1(old):
    return targets.V1 + old[len("tensorflow") :]


#: Modules below TensorFlow whose rows make them without it.
_WITHOUT_TENSORFLOW = (".wrappers", ".wrappers.scikit_learn")


def _of_provided(name, module, leaf):
    """Returns the `Answer` for a name in a module that the runtime provides.

    TensorFlow is not imported.
    """
    name = name[: name.index(module) + len(module)] + "." + leaf if module in name else name
    why = f"{installed.NOT_LOOKED_AT}: the runtime makes {module} when it runs"
    is_of_tensorflow = module.partition(".")[0] in ("tensorflow", "keras")
    if is_of_tensorflow and not module.endswith(_WITHOUT_TENSORFLOW):
        return installed.Answer(name, False, why)
    try:
        provided = _providers()[module]()
    except Exception:  # of a library that is not installed, or too new
        return installed.Answer(name, False, why)
    return None if hasattr(provided, leaf) else installed.Answer(name, False, why)


@functools.lru_cache(None)
def _providers():
    """Returns the name of a row of a module -> the function that provides it."""
    tables = [table for table in rewrites.rows.tables() if table.kind == "modules"]
    return {row.name: row.run for table in tables for row in table.rows}


@functools.lru_cache(None)
def _kinds():
    """Returns the name of a row -> the kind of its table."""
    return {row.name: table.kind for table in rewrites.rows.tables() for row in table.rows}


@functools.lru_cache(None)
def _legacy_folder():
    from tfgraphtools.compat import legacy

    place = legacy.find()
    return None if place is None else str(place)
