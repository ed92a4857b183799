"""The prefix of a checkpoint, from whatever path a user has at hand.

A prefix, its ``.index``, one of its ``.data-...`` files, its ``.meta``, a folder,
a ``checkpoint`` file: all of them name a checkpoint. Paths are taken literally:
``run[1]/model.ckpt-5`` is a folder called ``run[1]``, and nothing is globbed.
"""

import collections
import os
import re

from tfgraphtools.checkpoints.format import bundle
from tfgraphtools.checkpoints.format.sstable import is_table
from tfgraphtools.checkpoints.read import pointer_files, state_files
from tfgraphtools.checkpoints.read.archive_names import ENDINGS
from tfgraphtools.errors import CheckpointNotFoundError, nearest

#: Where a checkpoint is. ``version`` is 1 or 2; ``files`` are its tables (V1), its index (V2).
#: ``folder`` is the folder that the user named, None if the files were; ``note`` says then which
#: checkpoint it is.
Location = collections.namedtuple("Location", "prefix version files folder note")
Location.__new__.__defaults__ = (None, "")

_STATE_FILE = "checkpoint"
_V1_SHARD = re.compile(r"(?s)(.+)-(\d{5})-of-(\d{5})")


#: What lies in the folder of a SavedModel or a TF-Hub module, beside its variables.
_GRAPHS = ("saved_model.pb", "tfhub_module.pb")
_VARIABLES = os.path.join("variables", "variables")


def beside_graph(path):
    """Returns the prefix of the variables that belong to a SavedModel's ``.pb``, or None."""
    folder, name = os.path.split(path)
    prefix = os.path.join(folder, _VARIABLES)
    return prefix if name in _GRAPHS and os.path.isfile(prefix + ".index") else None


def saved_model_in(path):
    """Returns the graph of a SavedModel without variables, of which a folder is all; or None."""
    graph = os.path.join(path, _GRAPHS[0])
    is_alone = os.path.isfile(graph) and not os.path.isfile(os.path.join(path, _STATE_FILE))
    return graph if is_alone and not _index_names(path) and not beside_graph(graph) else None


def find(path):
    """Returns the `Location` of the checkpoint that ``path`` names.

    Args:
      path: str or os.PathLike; see the module's docstring for what it may be.

    Raises:
      CheckpointNotFoundError: there is none, or a folder holds several.
    """
    path = os.fspath(path)
    if "\0" in path:  # which Python 3.7 cannot ask the system about
        raise _not_found(path.replace("\0", "\\0"))
    if os.path.isdir(path):
        location = _in_folder(path)
        note = location.note or f"{path}: using {location.prefix}"
        return location._replace(folder=path, note=note)
    if os.path.basename(path) == _STATE_FILE and os.path.isfile(path) and not _is_v1(path):
        return _from_state(path)._replace(folder=os.path.dirname(path) or ".")
    for at_prefix in (_v2_at_prefix, _v1_at_prefix):  # an index would pass for a V1 file
        for prefix in prefixes(path):
            location = at_prefix(prefix)
            if location is not None:
                return location
    raise _not_found(path)


def prefixes(path):
    """Yields the prefixes that a path may mean, the path itself first."""
    yield path
    for ending in (".index", ".meta"):
        if path.endswith(ending):
            yield path[: -len(ending)]
    shard = bundle.split_shard_path(path)
    if shard:
        yield shard[0]
    shard = _V1_SHARD.fullmatch(path)
    if shard:
        yield shard.group(1)


def _at_prefix(prefix):
    return _v2_at_prefix(prefix) or _v1_at_prefix(prefix)


def _v2_at_prefix(prefix):
    if os.path.isfile(prefix + ".index"):
        return Location(prefix, 2, [prefix + ".index"])
    return None


def _v1_at_prefix(prefix):
    shards = _v1_shards(prefix)
    if shards:
        return Location(prefix, 1, shards)
    is_shard = _V1_SHARD.fullmatch(prefix)  # then the prefix is the name without the ending
    if not is_shard and os.path.isfile(prefix) and _is_v1(prefix):
        return Location(prefix, 1, [prefix])
    return None


def _v1_shards(prefix):
    """Returns all files ``prefix-?????-of-N``, or an error that names the missing ones."""
    shards_by_count = {}
    for name in names_in(os.path.dirname(prefix)):
        match = _V1_SHARD.fullmatch(name)
        if match and match.group(1) == os.path.basename(prefix):
            path = os.path.join(os.path.dirname(prefix), name)
            if _is_v1(path):
                shards_by_count.setdefault(int(match.group(3)), {})[int(match.group(2))] = path
    if not shards_by_count:
        return []
    if len(shards_by_count) > 1:
        raise CheckpointNotFoundError(
            prefix,
            "one set of shards",
            "sets of {} shards".format(" and of ".join(map(str, sorted(shards_by_count)))),
            "Move the set that you do not need to another folder.",
        )
    ((count, shards),) = shards_by_count.items()
    missing = sorted(set(range(count)) - set(shards)) if count <= 100000 else ["most"]
    if missing:
        raise CheckpointNotFoundError(
            prefix,
            f"all {count} shards",
            "none of number {}".format(", ".join(map(str, missing))),
            "Copy the missing files from where the checkpoint was written.",
        )
    return [shards[i] for i in range(count)]


def _is_v1(path):
    """Returns True for a file that is an SSTable."""
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 48))
        return is_table(file.read())


def names_in(folder):
    """Returns the names of what is in a folder, sorted; none if it cannot be read."""
    try:
        return sorted(os.listdir(folder or "."))
    except OSError:
        return []


# Folders --------------------------------------------------------------------


def _in_folder(folder):
    """Returns the checkpoint that the folder's state file names, or else the only one there."""
    state = os.path.join(folder, _STATE_FILE)
    if os.path.isfile(state):
        return _from_state(state)
    saved_model = os.path.join(folder, _VARIABLES)
    prefixes = [os.path.join(folder, name[: -len(".index")]) for name in _index_names(folder)]
    if not prefixes and os.path.isfile(saved_model + ".index"):
        prefixes = [saved_model]
    if not prefixes:
        prefixes = v1_prefixes(folder)
    if len(prefixes) == 1:
        return _at_prefix(prefixes[0])
    if not prefixes:
        raise _not_found(folder)
    raise CheckpointNotFoundError(
        folder,
        "a folder with one checkpoint, or with a file 'checkpoint' that names one",
        "{}: {}".format(len(prefixes), ", ".join(os.path.basename(p) for p in prefixes[:8])),
        f"Pass one of them, such as {prefixes[-1]}.",
    )


def _index_names(folder):
    return [name for name in names_in(folder) if name.endswith(".index")]


def v1_prefixes(folder):
    """Returns the paths of the V1 checkpoints in a folder, without ``-?????-of-N``."""
    prefixes = set()
    for name in names_in(folder):
        path = os.path.join(folder, name)
        if os.path.isfile(path) and _is_v1(path):
            shard = _V1_SHARD.fullmatch(path)
            prefixes.add(shard.group(1) if shard else path)
    return sorted(prefixes)


def _from_state(path):
    """Returns the checkpoint that a ``checkpoint`` file names, first one in its folder.

    Saver writes absolute paths: in a folder that was copied they still name the original.
    """
    named = state_files.named_in(path)
    folder = os.path.dirname(path)
    for prefix in _candidates(folder, named):
        location = _at_prefix(prefix)
        if location is not None:
            return location._replace(note=_state_note(path, named, prefix))
    raise CheckpointNotFoundError(
        path,
        "the checkpoint that it names",
        f"no {os.path.join(folder, named)}",
        _those_there(folder) or "Pass the prefix of a checkpoint that exists.",
    )


def _those_there(folder):
    """Returns the hint that names the last checkpoints of a folder, or ""."""
    prefixes = [name[: -len(".index")] for name in names_in(folder) if name.endswith(".index")]
    prefixes.sort(key=lambda name: [int(number) for number in re.findall(r"\d+", name)])
    paths = [os.path.join(folder, name or ".index") for name in prefixes[-3:]]
    return "Pass {}.".format(" or ".join(paths)) if paths else ""


def _candidates(folder, named):
    """Yields the prefixes that a path in a state file may mean: those in its folder come first."""
    inside = os.path.join(folder, named)
    if not os.path.isabs(named) or is_inside(named, folder):
        yield inside
    parts = [
        part for part in re.split(r"[/\\]", named) if part not in ("", ".", "..")
    ]  # Windows, too
    for start in range(len(parts)):
        yield os.path.join(folder, *parts[start:])
    if state_files.has_no_base_name(named):
        yield os.path.join(folder, "")
    yield inside


def is_inside(path, folder):
    """Tells whether a path is below a folder, links followed."""
    folder = os.path.join(os.path.realpath(folder or "."), "")
    return os.path.join(os.path.realpath(os.path.dirname(path) or "."), "").startswith(folder)


def _state_note(state, named, prefix):
    folder = os.path.dirname(state)
    if not is_inside(prefix, folder):
        return f"{state} names {prefix}, which is outside of {folder or 'its folder'}: using that"
    if os.path.normpath(os.path.join(folder, named)) != os.path.normpath(prefix):
        return f"{state} names {named}: using {prefix}, which is in its folder"
    return f"{state}: using {prefix}"


def _not_found(path):
    if os.path.isdir(path):
        return _empty_folder(path)
    folder, name = os.path.split(path.rstrip("/"))
    got, step = _what_is_there(path)
    if not step:
        near = nearest(name, sorted(_readable_in(folder) - {name}))
        step = "Did you mean {}?".format(" or ".join(os.path.join(folder, n) for n in near))
        if not near:
            step = "The prefix is the name without .index, as in Saver.restore."
    return CheckpointNotFoundError(
        path,
        "a checkpoint: a prefix, its .index, .data-... or .meta, a folder, a 'checkpoint' file, "
        "or an .npz, .safetensors, .keras, .h5 or frozen .pb file",
        got,
        step,
    )


def _what_is_there(path):
    """Returns (what a path leads to, the next step); no step where the name may be a typo."""
    is_file = os.path.isfile(path)
    got, step = pointer_files.words(path) if is_file else ("", "")
    for prefix in prefixes(path):
        if not step:
            got, step = pointer_files.alone(prefix)
    return got or ("another file" if is_file else "none"), step


def _readable_in(folder):
    """Returns the names in a folder that open: prefixes with an index, V1 files, archives."""
    names = names_in(folder)
    readable = {name[: -len(".index")] for name in names if name.endswith(".index")}
    readable.update(name for name in names if name.endswith(ENDINGS))
    readable.update(map(os.path.basename, v1_prefixes(folder)))
    return {name for name in readable if not name.endswith(".index")}


def _empty_folder(folder):
    """Returns the error of a folder without checkpoints, with what is there and where."""
    names = [name for name in names_in(folder) if not name.startswith(".")]
    files = [name for name in names if os.path.isfile(os.path.join(folder, name))]
    archives = [n for n in files if n.endswith(ENDINGS)]
    shards = sorted({s[0] for s in map(bundle.split_shard_path, files) if s})
    below = [
        os.path.join(folder, name)
        for name in names[:1000]
        if os.path.isdir(os.path.join(folder, name)) and _has_checkpoints(folder, name)
    ]
    if shards:
        got = f"data files without an index: {', '.join(shards[:8])}"
        step = f"Copy {shards[0]}.index from where the checkpoint was written."
    elif archives:
        got = ", ".join(archives[:8])
        step = f"Pass {os.path.join(folder, archives[0])}."
    elif below:
        got = "folders with checkpoints"
        step = "Pass {}.".format(" or ".join(below[:3]))
    else:
        got = f"none among its {len(names)} files" if names else "an empty folder"
        step = "Pass the folder or the prefix that Saver.save was given."
    return CheckpointNotFoundError(folder, "a folder with a checkpoint", got, step)


def _has_checkpoints(folder, name):
    return any(
        other == _STATE_FILE or other.endswith(".index")
        for other in names_in(os.path.join(folder, name))
    )
