"""The helpers that stand for built-in names, and the methods that take or give bytes."""

from tfgraphtools.compat.fixes.python2.table import (
    BUILTINS,
    BYTES,
    HASHES,
    LISTS,
    NUMBERS,
    ORDER,
    TEXT,
    UNICODE,
)

#: built-in function -> (row, helper that stands for it in a Python 2 module)
FUNCTIONS = {
    "map": (LISTS, "__python2_map__"),
    "filter": (LISTS, "__python2_filter__"),
    "zip": (LISTS, "__python2_zip__"),
    "range": (LISTS, "__python2_range__"),
    "round": (BUILTINS, "__python2_round__"),
    "input": (BUILTINS, "__python2_input__"),
    "max": (ORDER, "__python2_max__"),
    "min": (ORDER, "__python2_min__"),
    "sorted": (ORDER, "__python2_ordered__"),
    "oct": (NUMBERS, "__python2_oct__"),
    "hex": (NUMBERS, "__python2_hex__"),
    "open": (BYTES, "__python2_open__"),
    "format": (TEXT, "__python2_format__"),
    "buffer": (BYTES, "__python2_buffer__"),
    "chr": (BYTES, "__python2_chr__"),
    "ord": (BYTES, "__python2_ord__"),
    "raw_input": (BYTES, "__python2_raw_input__"),
    "bytes": (BYTES, "__python2_bytes_type__"),
    "isinstance": (BYTES, "__python2_isinstance__"),
    "unicode": (BYTES, "__python2_unicode_type__"),
    "long": (BYTES, "__python2_long_type__"),
    "repr": (TEXT, "__python2_repr__"),
    "hash": (HASHES, "__python2_hash__"),
}

#: built-in class -> (row, helper that stands for it where it is called)
CLASSES = {
    "bytearray": (BYTES, "__python2_bytearray__"),
    "bytes": (BYTES, "__python2_bytes__"),
    "dict": (HASHES, "__python2_dict_type__"),
    "frozenset": (HASHES, "__python2_frozenset__"),
    "enumerate": (HASHES, "__python2_enumerate__"),
    "list": (HASHES, "__python2_list__"),
    "long": (NUMBERS, "__python2_long__"),
    "set": (HASHES, "__python2_set__"),
    "str": (BYTES, "__python2_str__"),
    "tuple": (HASHES, "__python2_tuple__"),
    "type": (BYTES, "__python2_type__"),
    "unicode": (UNICODE, "__python2_unicode__"),
}

#: built-in name -> the helper that stands for it, for `helpers`.
HELPER_OF = {name: helper for name, (_, helper) in {**FUNCTIONS, **CLASSES}.items()}

#: Methods of text, files and sockets that take text and bytes alike.
TAKE_BYTES = {
    "communicate",
    "frombuffer",
    "frombytes",
    "fromstring",
    "join",
    "send",
    "sendall",
    "sendto",
    "update",
    "write",
    "writelines",
}

#: Methods of text whose arguments may be bytes beyond ASCII.
MEET = {
    "center",
    "endswith",
    "find",
    "ljust",
    "lstrip",
    "partition",
    "replace",
    "rfind",
    "rjust",
    "rpartition",
    "rsplit",
    "rstrip",
    "split",
    "startswith",
    "strip",
}

#: Calls whose arguments are names of dtypes: `bytes` is another one than `str` there.
TAKE_DTYPES = {"array", "asarray", "astype", "dtype", "empty", "full", "ones", "zeros"}

#: Functions that give names of files and texts of the system.
GIVE_NAMES = {"glob", "getcwd", "getenv", "listdir"}

#: Functions that give paths and queries of the kind of text that they get.
GIVE_PATHS = {"abspath", "normpath", "parse_qs", "parse_qsl", "realpath", "relpath", "walk"}

#: Methods that look for blanks or ends of lines.
OF_BLANKS = {"split", "rsplit", "strip", "lstrip", "rstrip", "splitlines", "isspace"}

#: Methods and functions of libraries that give bytes.
GIVE_BYTES = {
    "check_output",
    "communicate",
    "digest",
    "getvalue",
    "read",
    "readline",
    "readlines",
    "recv",
    "recvfrom",
    "tobytes",
    "tostring",
}
