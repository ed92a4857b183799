"""Files that two runs wrote, compared by what they hold: numbers of texts, arrays, tensors.

Equal bytes are the same, whatever the file is. Reading executes nothing: a pickle whose bytes
differ is not compared, and named.
"""

import json
import os
import re
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

from tfgraphtools.runs import output_comparison, tree_copies

#: What is not compared where its bytes differ: (the name of the file, why).
NEVER_COMPARED = (
    (r"\.(meta|pb|pbtxt)$", "a graph, which names versions and devices"),
    (r"^checkpoint$", "the paths of the checkpoints"),
    (r"tfevents", "an event file, which holds times"),
    (r"\.data-\d+-of-\d+$", "the data of a checkpoint without its index"),
    (r"\.py[co]$", "compiled code"),
    (r"\.(pkl|pickle|p|joblib|pt|pth)$", "a pickle, which would run code to be read"),
)

_DATA = re.compile(r"(.*)\.data-\d+-of-\d+$")
_LARGEST_TEXT = 16 << 20  # bytes
#: How many roundings of the largest value of an array its small ones may differ by.
_ROUNDINGS = 8

_ARCHIVES = (".safetensors", ".keras", ".h5", ".hdf5")


class Written(NamedTuple):
    """What a run wrote.

    Fields:
      folder: where the files are.
      names: their paths in it; one that is not there any more was removed again.
    """

    folder: str
    names: Sequence[str]


class Verdict(NamedTuple):
    """How the files of two runs compare.

    Fields:
      same: the names of those that hold the same.
      other: (name, how they differ).
      varying: the names of those that differ between two runs of one side.
      not_compared: (name, why) of those that differ, and that no rule compares.
    """

    same: List[str]
    other: List[Tuple[str, str]]
    varying: List[str]
    not_compared: List[Tuple[str, str]]

    @property
    def checkpoints(self) -> List[str]:
        """The names of the checkpoints' indexes among the same."""
        return [name for name in self.same if name.endswith(".index")]


class Rule(NamedTuple):
    """How files are compared.

    Fields:
      tolerance: the difference of numbers that is allowed, as for `output_comparison.outputs`; of
        an array, it is relative to each value, or a few roundings of the largest.
      ignore: regular expressions; what they match in texts is left out.
      sides: what the report calls the runs.
    """

    tolerance: float = output_comparison.TOLERANCE
    ignore: Sequence[str] = ()
    sides: Tuple[str, str] = ("here", "there")


class NotCompared(Exception):
    """Two files differ, and no rule compares what they hold; the message says why."""


def compared(
    ours: Written, theirs: Written, again: Optional[Written] = None, rule: Optional[Rule] = None
) -> Verdict:
    """Returns the `Verdict` on the files that two runs wrote.

    Args:
      ours, theirs: what was written.
      again: what a second run of theirs wrote: a file that differs between the two, or whose name
        does so by its numbers alone, varies by itself.
      rule: how they are compared.
    """
    rule = rule or Rule()
    runs = [run for run in (ours, theirs, again) if run is not None]
    verdict = Verdict([], [], [], [])
    for name in sorted({name for run in runs for name in run.names}):
        paths = [_path(run, name) for run in runs]
        try:
            is_varying = again is not None and _varies(name, paths, rule)
            difference = None if is_varying else difference_of(name, *paths[:2], rule)
        except NotCompared as error:
            verdict.not_compared.append((name, str(error)))
            continue
        if is_varying:
            verdict.varying.append(name)
        elif difference:
            verdict.other.append((name, difference))
        elif any(paths[:2]) and not _is_part(name, runs):
            verdict.same.append(name)
    return _without_times_in_names(verdict)


def lines(verdict: Verdict) -> List[str]:
    """Returns a verdict as text: what is the same in one line, and all else by name."""
    shown = []
    if verdict.same or verdict.other:
        total = len(verdict.same) + len(verdict.other)
        shown.append(f"{len(verdict.same)} of {total} written files are the same")
    shown += [f"{name}: {difference}" for name, difference in verdict.other]
    shown += [f"{name}: not compared: it varies between two runs" for name in verdict.varying]
    shown += [f"{name}: not compared: {why}" for name, why in verdict.not_compared]
    return shown


def _path(run, name):
    return os.path.join(run.folder, name) if name in run.names else None


def _varies(name, paths, rule):
    ours, theirs, again = paths
    return bool(theirs or again) and difference_of(name, theirs, again, rule) is not None


def _is_part(name, runs):
    """Tells whether a file is the data of a checkpoint whose index is compared."""
    match = _DATA.match(name)
    return match is not None and any(match[1] + ".index" in run.names for run in runs)


def _without_times_in_names(verdict):
    """Returns a verdict in which names that differ from varying ones by numbers vary, too."""
    varying = {_numberless(name) for name in verdict.varying}
    dated = [name for name, _ in verdict.other if _numberless(name) in varying]
    other = [pair for pair in verdict.other if pair[0] not in dated]
    return verdict._replace(other=other, varying=sorted([*verdict.varying, *dated]))


def _numberless(name):
    return re.sub(r"\d+", "#", name)


def difference_of(
    name: str, path: Optional[str], other: Optional[str], rule: Optional[Rule] = None
) -> Optional[str]:
    """Returns how a file differs from another, in words; None where both hold the same.

    Args:
      name: its name, by which it is read.
      path, other: paths; None for one that was not written.
      rule: how they are compared.

    Raises:
      NotCompared: they differ, and no rule compares what they hold.
    """
    rule = rule or Rule()
    is_there, is_other_there = (bool(p) and os.path.isfile(p) for p in (path, other))
    if is_there and is_other_there and tree_copies.digest(path) == tree_copies.digest(other):
        return None
    _require_comparable(name, path or other)
    if path is None or other is None:
        return f"written only {rule.sides[path is None]}"
    if os.path.islink(path) and os.path.islink(other):  # what they lead to may be elsewhere now
        return None if os.readlink(path) == os.readlink(other) else "a link that leads elsewhere"
    if not (is_there and is_other_there):
        return None if is_there == is_other_there else "one of them removed it again"
    return _difference_of_contents(name, path, other, rule)


def _require_comparable(name, path):
    match = _DATA.match(path)
    if match and os.path.isfile(match[1] + ".index"):
        return
    for expression, why in NEVER_COMPARED:
        if re.search(expression, os.path.basename(name)):
            raise NotCompared(why)


def _difference_of_contents(name, path, other, rule):
    if _DATA.match(name):
        return None  # the index stands for it
    if name.endswith(".index"):
        prefixes = (p[: -len(".index")] for p in (path, other))
        difference = _difference_of_checkpoints(*prefixes, rule)
        return "its bytes differ" if difference is None else difference or None
    if name.endswith(_ARCHIVES) or ".ckpt" in os.path.basename(name):
        difference = _difference_of_checkpoints(path, other, rule)
        if difference is not None:
            return difference or None
    if name.endswith((".npy", ".npz")):
        return _difference_of_arrays(path, other, rule)
    if name.endswith(".json"):
        return _difference_of_json(path, other, rule)
    return _difference_of_texts(name, path, other, rule)


# Texts ----------------------------------------------------------------------


def _difference_of_texts(name, path, other, rule):
    texts = _text(path), _text(other)
    if None in texts:
        return "its bytes differ"
    if name.endswith(".log"):
        texts = tuple("\n".join(map(output_comparison.untimed, t.splitlines())) for t in texts)
    return _difference_of_words(*texts, rule)


def _difference_of_words(text, other, rule):
    comparison = output_comparison.outputs(text, other, rule.tolerance, rule.ignore)
    if comparison.first is None:
        return None
    return _in_words(comparison, rule) if comparison.numbers else "its words differ"


def _in_words(comparison, rule):
    shown = str(comparison)
    for label, side in zip(("  here:  ", "  there: "), rule.sides):
        shown = shown.replace("\n" + label, f"\n  {side}: ")
    return shown


def _text(path):
    """Returns the text of a file; None for another kind of file, or a large one."""
    if os.path.getsize(path) > _LARGEST_TEXT:
        return None
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _difference_of_json(path, other, rule):
    """Compares values: the order of keys and the layout do not count."""
    texts = []
    for text in (_text(path), _text(other)):
        try:
            texts.append(json.dumps(json.loads(text), sort_keys=True, indent=0))
        except (ValueError, TypeError, RecursionError):
            return _difference_of_texts(".txt", path, other, rule)
    return _difference_of_words(*texts, rule)


# Arrays ---------------------------------------------------------------------


def _difference_of_arrays(path, other, rule):
    ours, theirs = _arrays(path), _arrays(other)
    if ours is None or theirs is None:
        return "its bytes differ"
    names = sorted(
        name
        for name in {**ours, **theirs}
        if not _are_close(ours.get(name), theirs.get(name), rule)
    )
    return _listed("array", names)


def _arrays(path):
    """Returns {name: array} of a file of NumPy; None where it is damaged.

    Raises:
      NotCompared: it holds pickles.
    """
    import numpy as np

    try:
        with open(path, "rb") as file:
            loaded = np.load(file, allow_pickle=False)
            if not hasattr(loaded, "files"):
                return {"": loaded}
            return {name: loaded[name] for name in loaded.files}
    except ValueError as error:
        if "pickle" in str(error):
            raise NotCompared("it holds pickles, which would run code to be read")
        return None
    except Exception:  # whatever a damaged file leads to
        return None


def _are_close(array: Any, other: Any, rule: Rule) -> bool:
    """Tells whether two arrays are the same: integers exactly, floats within the tolerance."""
    import numpy as np

    if array is None or other is None or array.dtype != other.dtype or array.shape != other.shape:
        return False
    if array.dtype.kind not in "fc":
        return bool(np.array_equal(array, other))
    is_nan, is_finite = np.isnan(other), np.isfinite(other)
    if not (
        np.array_equal(np.isnan(array), is_nan) and np.array_equal(np.isfinite(array), is_finite)
    ):
        return False
    infinite = ~(is_nan | is_finite)
    if not np.array_equal(array[infinite], other[infinite]):
        return False
    wide = np.complex128 if array.dtype.kind == "c" else np.float64
    a, b = array[is_finite].astype(wide), other[is_finite].astype(wide)
    noise = _ROUNDINGS * np.finfo(array.dtype).eps * abs(b).max(initial=0)
    return bool((abs(a - b) <= np.maximum(rule.tolerance * abs(b), noise)).all())


def _listed(kind, names):
    if not names:
        return None
    shown = ", ".join(filter(None, names[:5])) + (", ..." if len(names) > 5 else "")
    return f"{len(names)} {kind}s differ" + (f": {shown}" if shown else "")


# Checkpoints ----------------------------------------------------------------


def _difference_of_checkpoints(path, other, rule):
    """Returns how tensors differ, "" where they do not, and None for what is no checkpoint."""
    from tfgraphtools import checkpoints
    from tfgraphtools.errors import TfgraphtoolsError

    try:
        with checkpoints.open_checkpoint(path) as a, checkpoints.open_checkpoint(other) as b:
            difference = checkpoints.diff(a, b, deep=True)
            names = [
                change.name
                for change in difference.changed
                if change.what != "values" or not _are_tensors_close(a, b, change.name, rule)
            ]
    except (TfgraphtoolsError, OSError):
        return None
    names += difference.missing + difference.extra
    names += [" for ".join(pair) for pair in difference.renamed]
    return _listed("tensor", names) or ""


def _are_tensors_close(a, b, name, rule):
    return _are_close(a.read(name), b.read(name), rule)
