"""The checkpoint or the archive that a URL names."""

import posixpath

from tfgraphtools.checkpoints.format import bundle
from tfgraphtools.checkpoints.format.sstable import is_table
from tfgraphtools.checkpoints.read import archive_names, paths, state_files
from tfgraphtools.checkpoints.read.remote import urls
from tfgraphtools.checkpoints.read.remote.file import RemoteFile
from tfgraphtools.errors import CheckpointNotFoundError

_STATE = "checkpoint"
#: What a SavedModel and a TF-Hub module have beside their variables.
_GRAPHS = ("/saved_model.pb", "/tfhub_module.pb")


def find(url):
    """Returns the `paths.Location` that a URL names, or None if it is an archive's.

    A prefix, its ``.index``, ``.data-...`` or ``.meta``, a ``checkpoint`` file, or a folder: the
    checkpoint that its ``checkpoint`` file names, or the only one, where the server lists; a
    SavedModel or a TF-Hub module.

    Raises:
      CheckpointNotFoundError: there is none, or a folder holds several.
      RemoteError, MissingExtraError: as `RemoteFile`.
    """
    if url.endswith(_GRAPHS):
        return _of_saved_model(url.rpartition("/")[0])
    if url.endswith(archive_names.ENDINGS) and urls.exists(url):
        return None
    for prefix in paths.prefixes(url):
        if urls.exists(prefix + ".index"):
            return paths.Location(prefix, 2, [prefix + ".index"])
    if posixpath.basename(url) == _STATE and urls.exists(url):
        return _named(url)
    if urls.exists(url.rstrip("/") + "/" + _STATE):
        return _named(url.rstrip("/") + "/" + _STATE)
    if urls.exists(url):
        return _v1_or_archive(url)
    if urls.exists(url.rstrip("/") + "/saved_model.pb"):
        return _of_saved_model(url.rstrip("/"))
    return _only_one(url.rstrip("/"))


def _of_saved_model(folder):
    prefix = folder + "/variables/variables"
    if not urls.exists(prefix + ".index"):
        raise CheckpointNotFoundError(
            folder,
            "a SavedModel with variables",
            f"no {prefix}.index",
            "Copy it to this machine: a SavedModel without variables is read from there.",
        )
    return paths.Location(prefix, 2, [prefix + ".index"], folder, f"{folder}: using {prefix}")


def _named(state):
    file = RemoteFile(state)
    named = state_files.named_in_text(file.read_all().decode("utf-8", "surrogateescape"), state)
    folder = posixpath.dirname(state)
    candidates = [named, folder + "/" + named, folder + "/" + posixpath.basename(named)]
    if state_files.has_no_base_name(named):
        candidates.append(folder + "/")
    for prefix in candidates:
        if urls.is_url(prefix) and urls.exists(prefix + ".index"):
            note = f"{state}: using {prefix}"
            return paths.Location(prefix, 2, [prefix + ".index"], folder, note)
    raise CheckpointNotFoundError(
        state, "the checkpoint that it names", f"no {named}", "Pass the prefix of one that exists."
    )


def _v1_or_archive(url):
    file = RemoteFile(url)
    if file.size >= 48 and is_table(file.read(file.size - 48, 48)):
        return paths.Location(url, 1, [url])
    return None


def _only_one(folder):
    names = urls.folder_names(folder)
    prefixes = [name[: -len(".index")] for name in names if name.endswith(".index")]
    if len(prefixes) == 1:
        prefix = f"{folder}/{prefixes[0]}"
        return paths.Location(prefix, 2, [prefix + ".index"], folder, f"{folder}: using {prefix}")
    shards = sorted({s[0] for s in map(bundle.split_shard_path, names) if s})
    raise CheckpointNotFoundError(
        folder,
        "a checkpoint: a prefix, its .index or .data-..., a folder, a 'checkpoint' file, or an "
        ".npz or .safetensors file",
        "{} checkpoints: {}".format(len(prefixes), ", ".join(prefixes[:8]))
        if prefixes
        else "data files without an index: {}".format(", ".join(shards[:4]))
        if shards
        else "none",
        "Pass the prefix of one: the name without .index, as in Saver.restore.",
    )
