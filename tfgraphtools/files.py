"""Whole files, replaced in one step: never what this library did not write, never an input.

What a command writes beside its result (a page, a map, constraints) carries a mark with a digest of
the rest of the file. A file without a mark, or with one that does not fit its content, is somebody
else's: it is replaced only where that is asked for.
"""

import contextlib
import glob
import hashlib
import os
import re
import stat
import zlib
from typing import Any, Iterator, Optional, Sequence

from tfgraphtools.errors import DestinationError

_NAME = "written by tfgraphtools, sha256 "

#: What a text has where its mark is to be: `marked` puts the digest there.
MARK = _NAME + 64 * "0"

_MARK = re.compile(_NAME.encode() + rb"([0-9a-f]{64})")
_PNG = b"\x89PNG"
_LARGEST = 1 << 28  # bytes: nothing that this library writes beside a result is larger
_CHECKSUM = 4  # bytes after the text of a PNG, which depend on it

#: The ends of the names of a checkpoint's files, after its prefix.
_OF_CHECKPOINT = re.compile(r"\.(?:index|meta|data-\d+-of-\d+)$")

#: What commands read of a folder: code, requirements, graphs and checkpoints.
_READ = re.compile(
    r"\.(?:pyi?|ipynb|toml|cfg|ya?ml|pb|pbtxt|meta|index|data-\d+-of-\d+|ckpt\S*|keras|h5|hdf5|npz"
    r"|npy|safetensors|pt|pth|bin)$|^checkpoint$|^requirements\S*\.txt$"
)

#: Names of descriptors: what they lead to is the caller's to choose, and is written to its end.
_DESCRIPTOR = re.compile(r"/dev/(?:stdout|stderr|fd/\d+)|/proc/(?:self|\d+)/fd/\d+")


def marked(data: bytes) -> bytes:
    """Returns a file's content whose last `MARK` has the digest of the rest; without one, `data`.

    Example:
      >>> is_own(marked(f"digraph {{}} // {MARK}".encode()))
      True
    """
    start = data.rfind(MARK.encode())
    if start < 0:
        return data
    end = start + len(MARK)
    mark = (_NAME + _digest(data, start, end)).encode()
    after = data[end:]
    if data.startswith(_PNG):
        chunk = data.rfind(b"tEXt", 0, start)
        check_sum = zlib.crc32(data[chunk:start] + mark)
        after = check_sum.to_bytes(_CHECKSUM, "big") + after[_CHECKSUM:]
    return data[:start] + mark + after


def is_own(data: bytes) -> bool:
    """Tells whether a file's content is, byte for byte, what `marked` returned."""
    matches = list(_MARK.finditer(data))
    return bool(matches) and matches[-1][1].decode() == _digest(data, *matches[-1].span())


def _digest(data, start, end):
    """Returns the digest of a content without the mark from `start` to `end`."""
    end += _CHECKSUM if data.startswith(_PNG) else 0
    return hashlib.sha256(data[:start] + data[end:]).hexdigest()


def replace_file(
    place: str, path: str, data: bytes, inputs: Sequence[str] = (), force: bool = False
) -> None:
    """Writes a file in one step: all of it, or the old one stays.

    A link stays a link: the file that it leads to is replaced. Mode and owner are kept. What is no
    file, such as a pipe or a terminal, is written to.

    Args:
      place: the option or argument that names the file, for messages.
      path: the file.
      data: its content; a `MARK` in it makes it this library's.
      inputs: paths that the same command reads or writes. A folder stands for its files, the prefix
        of a checkpoint for the checkpoint's.
      force: whether a file that this library did not write is replaced. An input never is.

    Raises:
      DestinationError: the file is an input, a folder, read-only, or not this library's.
    """
    require_replaceable(place, path, inputs, force)
    if _is_stream(path):
        with open(os.open(path, os.O_WRONLY | os.O_APPEND), "wb") as stream:
            stream.write(data)
    else:
        write_whole(path, marked(data))


def write_whole(path: str, data: bytes, status: Optional[os.stat_result] = None) -> None:
    """Replaces what a file holds in one step, whatever it is: a reader sees the old or the new.

    Args:
      path: the file; of a link, the file that it leads to.
      data: its new content.
      status: that of the file whose mode and owner it gets; by default its own.
    """
    real = os.path.realpath(path)
    if status is None and os.path.exists(real):
        status = os.stat(real)
    beside = os.path.join(os.path.dirname(real), f".tfgraphtools-{os.urandom(6).hex()}.new")
    try:
        with open(beside, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if status is not None:
            _take_over(beside, status)
        os.replace(beside, real)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise
    _sync_folder(os.path.dirname(real))


def _take_over(path, status):
    """Gives a file the owner and the mode of another."""
    if hasattr(os, "chown"):
        with contextlib.suppress(OSError):  # only the superuser gives a file to another user
            os.chown(path, status.st_uid, status.st_gid)
    os.chmod(path, stat.S_IMODE(status.st_mode))


def _sync_folder(folder):
    """Makes the new name outlast a crash of the system, where folders can be synchronized."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def require_replaceable(
    place: str, path: str, inputs: Sequence[str] = (), force: bool = False
) -> None:
    """Raises `DestinationError` where `replace_file` with these arguments would.

    Call it before the work whose result the file is to hold.
    """
    if not path or os.path.isdir(path):
        got = f"the folder {path}" if path else "''"
        raise DestinationError(place, "a file to write", got, "Add a file name.")
    if _is_stream(path):
        return
    _require_folder(place, path)
    require_no_input(place, path, inputs)
    real = os.path.realpath(path)
    if os.path.lexists(real):
        _require_own(place, path, real, force)


def require_no_input(place: str, path: str, inputs: Sequence[str]) -> None:
    """Raises `DestinationError` where a file is one of the inputs, or belongs to one."""
    source = _input_of(os.path.realpath(path), inputs)
    if source is not None:
        raise DestinationError(
            place,
            "another file than this command reads or writes",
            f"{path}, which belongs to {source}",
            "Nothing was written. Write elsewhere.",
        )


def _is_stream(path):
    """Tells whether a path is that of a pipe, a terminal or another descriptor: of no file."""
    if _DESCRIPTOR.fullmatch(os.path.abspath(path)):
        return True
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)


def _require_folder(place, path):
    """Raises `DestinationError` where no file can be put into the folder of a path."""
    folder = os.path.dirname(os.path.realpath(path))
    shown = os.path.dirname(path) or "."
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise DestinationError(place, "a file in a folder", f"{shown}, a file", "Check the path.")
    if not os.path.isdir(folder):
        raise DestinationError(
            place,
            "a file in an existing folder",
            f"no folder {shown}",
            f"Make it first: mkdir -p {shown}",
        )
    if not os.access(folder, os.W_OK):
        raise DestinationError(
            place, "a file that you may write", f"{path}: permission denied", "Write elsewhere."
        )


def _require_own(place, path, real, force):
    """Raises `DestinationError` where an existing file may not be replaced."""
    status = os.lstat(real)
    if not stat.S_ISREG(status.st_mode):
        kind = "a link that leads to itself" if stat.S_ISLNK(status.st_mode) else "a device"
        raise DestinationError(place, "a file to write", f"{path}, {kind}", "Write elsewhere.")
    if not os.access(real, os.W_OK) or not status.st_mode & 0o222:  # the superuser may write all
        raise DestinationError(
            place, "a file that you may write", f"{path}: permission denied", "Write elsewhere."
        )
    if force:
        return
    data = b"?"
    if status.st_size <= _LARGEST:
        with open(real, "rb") as file:
            data = file.read()
    if data.strip() and not is_own(data):
        changed = ", which was changed since it was written" if _MARK.search(data) else ""
        raise DestinationError(
            place,
            "a new file, or one that tfgraphtools wrote",
            path + (changed or ", another file"),
            "Nothing was written. Write elsewhere, or replace it with force=True (--force).",
        )


def _input_of(real, inputs):
    """Returns the input that a file is or belongs to, or None."""
    status = os.stat(real) if os.path.exists(real) else None
    for source in inputs:
        if _is_named_by(real, source):
            return source
        paths = [*_files_of(source), *_files_below(_folder_of(source))]
        if status is not None and any(_is_same(status, path) for path in paths):
            return source
    return None


def _is_named_by(real, source):
    """Tells whether a path, also of a file that is to come, is an input or a checkpoint's file."""
    end = _OF_CHECKPOINT.search(real)
    names = [real, real[: end.start()]] if end else [real]
    return any(os.path.realpath(prefix) in names for prefix in {source, _prefix(source)})


def _prefix(source):
    return _OF_CHECKPOINT.sub("", source)


def _files_of(source) -> Iterator[str]:
    """Yields the file that an input is, and those of the checkpoint whose prefix it is."""
    yield source
    prefix = _prefix(source)
    for path in glob.glob(glob.escape(prefix) + ".*"):
        if _OF_CHECKPOINT.search(path):
            yield path


def _folder_of(source):
    """Returns the folder that an input is: of the file of a SavedModel, the one around it."""
    is_model = os.path.basename(source) in ("saved_model.pb", "saved_model.pbtxt")
    return os.path.dirname(os.path.abspath(source)) if is_model else source


def _files_below(folder) -> Iterator[str]:
    """Yields the files of a folder, at any depth, that commands read."""
    for place, _, names in os.walk(folder) if os.path.isdir(folder) else ():
        for name in names:
            if _READ.search(name):
                yield os.path.join(place, name)


def _is_same(status: Any, path: str) -> bool:
    try:
        return os.path.samestat(status, os.stat(path))
    except OSError:
        return False
