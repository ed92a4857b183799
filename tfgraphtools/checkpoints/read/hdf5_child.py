"""A process of its own that reads an HDF5 file: what crashes the library crashes this alone.

`hdf5_process` starts it by its path, so it imports nothing of this package. It reads requests from
stdin, one line of JSON each, and answers on stdout with eight bytes of length, so much JSON, and
the bytes that the JSON announces as ``size``.
"""

import json
import re
import sys

_MEMBER = "model.weights.h5"
_SPARE = 1 << 27  # bytes of memory beside the file and the values: HDF5's caches
_CHUNK = 1 << 20
_VARIABLE = re.compile(r"(.*)/vars/\d+")


def main():
    """Answers requests until stdin ends."""
    sys.path[:] = json.loads(sys.stdin.readline())
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr
    import h5py  # noqa: F401  (before memory is limited)

    file = None
    for line in sys.stdin:
        request = json.loads(line)
        _limit(request["bytes"], request["seconds"])
        values = b""
        try:
            if "open" in request:
                file = _opened(request["open"])
                reply = _listing(file)
            else:
                values = _values(file[request["read"]])
                reply = {"size": len(values)}
        except MemoryError:
            reply = {"error": "it takes more memory than its bytes explain"}
        except Exception as error:  # h5py raises almost anything at bytes that are not right
            reason = error.args[0] if isinstance(error, KeyError) and error.args else error
            reply = {"error": " ".join(str(reason).split())[:200] or type(error).__name__}
        text = json.dumps(reply).encode("ascii")
        answers.write(len(text).to_bytes(8, "little") + text)
        for start in range(0, len(values), _CHUNK):
            answers.write(values[start : start + _CHUNK])
        answers.flush()


def _limit(size, seconds):
    """Lets this process take so many bytes and seconds more, where the system has such limits."""
    try:
        import resource
    except ImportError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    _lower(resource, resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime + seconds) + 1)
    try:
        with open("/proc/self/statm") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return
    _lower(resource, resource.RLIMIT_AS, now + _SPARE + size)


def _lower(resource, limit_name, limit):
    most = resource.getrlimit(limit_name)[1]
    if most != resource.RLIM_INFINITY:
        limit = min(limit, most)
    resource.setrlimit(limit_name, (limit, most))


def _opened(path):
    import zipfile

    import h5py

    source = path
    if zipfile.is_zipfile(path):
        archive = zipfile.ZipFile(path)
        with archive.open(_MEMBER) as member:
            while member.read(_CHUNK):  # to its end, where its checksum is compared
                pass
        source = archive.open(_MEMBER)
    return h5py.File(source, "r")


def _listing(file):
    """Returns what the parent knows of the file: arrays, and what groups say of variables."""
    import h5py

    arrays, groups = [], {}

    def visit(place, item):
        if isinstance(item, h5py.Dataset):
            arrays.append(_described(place, item))
            match = _VARIABLE.fullmatch(place)
            if match:
                _add_groups(file, match.group(1), groups)

    file.visititems(visit)
    return {"arrays": arrays, "groups": groups, "config": _config(file)}


def _config(file):
    """Returns the JSON of the model that `model.save` of Keras 2 adds, or None."""
    config = file.attrs.get("model_config")
    config = config.decode("utf-8", "replace") if isinstance(config, bytes) else config
    return config if isinstance(config, str) else None


def _described(place, dataset):
    kind, reason = dataset.dtype.kind, ""
    if kind not in "fiubc" or dataset.shape is None:
        reason = f"one of type {dataset.dtype}"
    elif dataset.external or dataset.is_virtual:
        reason = "one whose values are in other files"
    shape = [int(size) for size in dataset.shape or ()]
    return [place, dataset.dtype.name, shape, int(dataset.id.get_storage_size()), reason]


def _add_groups(file, place, groups):
    """Adds {group: [its variables' owner or None, the number of its variables]}."""
    import h5py

    walked = ""
    for part in place.split("/"):
        walked = f"{walked}/{part}" if walked else part
        if walked in groups:
            continue
        variables = file[walked].get("vars")
        if isinstance(variables, h5py.Group):
            name = variables.attrs.get("name")
            groups[walked] = [name if isinstance(name, str) else None, len(variables)]


def _values(dataset):
    """Returns the values of an array in C order, little-endian, as a view of bytes."""
    import numpy as np

    array = np.asarray(dataset[()])
    array = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    return memoryview(array.reshape(-1).view(np.uint8)) if array.size else memoryview(b"")


if __name__ == "__main__":
    main()
