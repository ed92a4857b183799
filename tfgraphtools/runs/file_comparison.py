"""Files that commands wrote here and under TF 1.15, compared by their names."""

import os
import re

from tfgraphtools.compat import compare, tree_copies
from tfgraphtools.revive import timed_runs

#: Graphs and event files hold versions, times and hosts; an index stands for its checkpoint.
_NOT_COMPARED = re.compile(r"(.*\.(meta|pb|pbtxt)|checkpoint|events\.out\.tfevents.*|.*\.data-.*)")

_LARGEST_TEXT = 16 << 20  # bytes


def compared(ours, theirs, again, folders):
    """Compares the files that commands wrote, of those commands that ended in all three runs.

    A file that two runs under TF 1.15 do not write alike is left out, by name. Numbers of texts
    and tensors of checkpoints may differ by `compare.TOLERANCE`.

    Args:
      ours, theirs, again: the `command_results.result`s under `run`, under TF 1.15 and there once
        more.
      folders: the trees in which these ran.

    Returns:
      {"same": names, "other": [[name, how it differs]], "varying": names}.
    """
    names = _comparable_names(ours, theirs, again)
    verdict = {"same": [], "other": [], "varying": []}
    for name in sorted(set.union(*names)):
        here, there, once_more = (
            os.path.join(folder, name) if name in written else None
            for folder, written in zip(folders, names)
        )
        if there is None and once_more is None:
            difference = "TF 1.15 writes no such file"
        elif difference_of(there, once_more):
            verdict["varying"].append(name)
            continue
        else:
            difference = difference_of(here, there)
        if difference:
            verdict["other"].append([name, difference])
        else:
            verdict["same"].append(name)
    varying = {_numberless(name) for name in verdict["varying"]}
    dated = [name for name, _ in verdict["other"] if _numberless(name) in varying]
    verdict["other"] = [pair for pair in verdict["other"] if pair[0] not in dated]
    verdict["varying"] = sorted([*verdict["varying"], *dated])
    return verdict


def _comparable_names(*runs):
    """Returns, for each run, the names that only commands wrote which ended in all runs."""
    names, excluded = [set() for _ in runs], set()
    for results in zip(*runs):
        have_ended = all(command["status"] == timed_runs.ENDED for command in results)
        for written, command in zip(names, results):
            (written if have_ended else excluded).update(command["written"])
    return [
        {name for name in written - excluded if not _NOT_COMPARED.fullmatch(os.path.basename(name))}
        for written in names
    ]


def difference_of(path, other):
    """Returns how a file differs from another, in words; None where both are alike.

    Args:
      path, other: paths; None for one that was not written.
    """
    if path is None or other is None:
        return "only one of them wrote it"
    is_there, is_other_there = os.path.isfile(path), os.path.isfile(other)
    if not (is_there and is_other_there):
        return None if is_there == is_other_there else "one of them removed it again"
    if tree_copies.digest(path) == tree_copies.digest(other):
        return None
    if path.endswith(".index"):
        return _difference_of_checkpoints(path[: -len(".index")], other[: -len(".index")])
    texts = _text(path), _text(other)
    if None in texts:
        return "its bytes differ"
    comparison = compare.outputs(*texts)
    if comparison.first is None:
        return None
    return str(comparison) if comparison.numbers else "its words differ"


def _difference_of_checkpoints(prefix, other):
    from tfgraphtools import checkpoints
    from tfgraphtools.errors import TfgraphtoolsError

    try:
        difference = checkpoints.diff(prefix, other, deep=True)
    except (TfgraphtoolsError, OSError) as error:
        return str(error).splitlines()[0]
    names = [
        change.name
        for change in difference.changed
        if change.what != "values" or not _is_small(change)
    ]
    names += (
        difference.missing + difference.extra + [" for ".join(pair) for pair in difference.renamed]
    )
    return f"{len(names)} tensors differ: {', '.join(names[:5])}" if names else None


def _is_small(change):
    differences = [value for value in (change.max_abs, change.max_rel) if value is not None]
    return bool(differences) and min(differences) <= compare.TOLERANCE


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


def _numberless(name):
    return re.sub(r"\d+", "#", name)
