"""Functions of ``struct``, ``zlib``, ``base64``... that take and give Python 2's ``str``."""

import base64
import binascii
import bz2
import functools
import gzip
import hashlib
import hmac
import io
import marshal
import pickle
import struct
import types
import urllib.parse
import zlib

from tfgraphtools.compat.engine import rows, views
from tfgraphtools.compat.fixes.python import pickles
from tfgraphtools.compat.fixes.python2.containers import old_dicts, old_sets
from tfgraphtools.compat.fixes.python2.library import old_files
from tfgraphtools.compat.fixes.python2.library.byte_strings import string
from tfgraphtools.compat.fixes.python2.library.byte_texts import (
    is_unicode,
    of_bytes,
    to_bytes,
)
from tfgraphtools.compat.fixes.python2.table import BYTES


def _taking_text(function, gives, first=0, error=None):
    """Returns a function that takes text for bytes.

    Args:
      function: the function of today.
      gives: what it gives for bytes: `string` (data) or `of_bytes` (text by nature).
      first: the place of the first argument that may be bytes.
      error: the type of its errors of today that are TypeErrors.
    """

    errors = error or ()

    def call(*arguments, **options):
        data = [*arguments[:first], *map(to_bytes, arguments[first:])]
        try:
            result = function(*data, **{name: to_bytes(value) for name, value in options.items()})
        except errors as raised:
            raise TypeError(str(raised)) from None
        return gives(result) if isinstance(result, (bytes, tuple, list)) else result

    return functools.wraps(function)(call)


def _signed(function):
    """Returns a checksum whose upper half is negative, as in Python 2."""

    @functools.wraps(function)
    def checksum(data, *value):
        number = function(to_bytes(data), *[start & 0xFFFFFFFF for start in value])
        return number - 2**32 if number >= 2**31 else number

    return checksum


def _those(module, gives, names, **options):
    return {name: _taking_text(getattr(module, name), gives, **options) for name in names.split()}


class _TakingText:
    """An object whose methods take text for bytes, and give Python 2's ``str``."""

    def __init__(self, value):
        self._value = value

    def __getattr__(self, name):
        value = getattr(self._value, name)
        if callable(value):
            return _taking_text(value, string)
        return string(value) if isinstance(value, bytes) else value


def _making(make):
    """Returns a function that makes objects which take text."""

    def made(*arguments, **options):
        return _TakingText(make(*arguments, **options))

    return functools.wraps(make)(made)


def _of_struct():
    return {
        **_those(struct, string, "pack unpack unpack_from", first=1),
        "Struct": _making(struct.Struct),
        "pack_into": _taking_text(struct.pack_into, string, first=3),
    }


def _of_zlib():
    return {
        **_those(zlib, string, "compress decompress"),
        **{name: _making(getattr(zlib, name)) for name in ("compressobj", "decompressobj")},
        "crc32": _signed(zlib.crc32),
        "adler32": _signed(zlib.adler32),
    }


def _of_bz2():
    return {
        **_those(bz2, string, "compress decompress"),
        **{name: _making(getattr(bz2, name)) for name in ("BZ2Compressor", "BZ2Decompressor")},
    }


def _of_base64():
    decoders = "b64decode standard_b64decode urlsafe_b64decode b16decode b32decode"
    return {
        **_those(
            base64,
            of_bytes,
            "b64encode standard_b64encode urlsafe_b64encode b16encode b32encode",
        ),
        **_those(base64, string, decoders, error=binascii.Error),
        "encodestring": _taking_text(base64.encodebytes, of_bytes),
        "decodestring": _taking_text(base64.decodebytes, string),
    }


def _of_binascii():
    return {
        **_those(binascii, of_bytes, "hexlify b2a_hex b2a_base64 b2a_uu b2a_qp"),
        **_those(binascii, string, "unhexlify a2b_hex a2b_base64 a2b_uu a2b_qp"),
        "crc32": _signed(binascii.crc32),
    }


def _of_hashlib():
    names = "md5 sha1 sha224 sha256 sha384 sha512"
    return {**_those(hashlib, string, names), "new": _taking_text(hashlib.new, string, first=1)}


def _of_hmac():
    def new(key, msg=None, digestmod=hashlib.md5):
        return _TakingText(hmac.new(to_bytes(key), to_bytes(msg), digestmod))

    return {"new": new}


def _of_marshal():
    def of_plain(function):
        def call(value, *arguments):
            return string(function(old_dicts.plain_of(value), *arguments))

        return call

    return {
        **_those(marshal, string, "loads"),
        "dump": of_plain(marshal.dump),
        "dumps": of_plain(marshal.dumps),
    }


def _of_pickle():
    users = views.module("pickle")

    def load(file, **options):
        if options or not hasattr(file, "seek"):
            return users.load(file, **options)
        source, start = pickles.binary(file, lambda: None), file.tell()
        try:
            return _Unpickler(source).load()
        except UnicodeDecodeError:  # of Python 2
            file.seek(start)
            return users.load(file)

    def loads(data, **options):
        data = to_bytes(data)
        try:
            return users.loads(data, **options) if options else _Unpickler(io.BytesIO(data)).load()
        except UnicodeDecodeError:
            return users.loads(data)

    def dump(value, file, protocol=None):
        users.dump(value, file, _protocol(protocol))

    def dumps(value, protocol=None):
        return string(users.dumps(value, _protocol(protocol)))

    return {"dump": dump, "dumps": dumps, "load": load, "loads": loads}


#: The highest protocol that Python 2 reads.
_PROTOCOL = 2


def _protocol(asked):
    """Returns the protocol of a pickle: that of Python 2 for the highest, and for none."""
    return _PROTOCOL if asked is None or asked < 0 else asked


class _Unpickler(pickle.Unpickler):
    """A reader of pickles, in which texts of bytes and sets are those of Python 2's code."""

    def find_class(self, module, name):
        own = _PICKLED.get((module, name))
        return super().find_class(module, name) if own is None else own


def _text(data, encoding, errors):
    return of_bytes(data)


_PICKLED = {
    ("_codecs", "decode"): _text,
    **{
        (module, cls.stands_for.__name__): cls
        for module in ("builtins", "__builtin__")
        for cls in (old_sets.Set, old_sets.FrozenSet)
    },
}


class _Gzip(old_files._Binary, gzip.GzipFile):
    pass


def _of_gzip():
    def open_(filename, mode="rb", compresslevel=9):
        rows.used(BYTES)
        return _Gzip(filename, mode if "b" in mode else mode + "b", compresslevel)

    return {"open": open_, "GzipFile": _Gzip}


def _of_string():
    def maketrans(old, new):
        table = bytearray(range(256))
        for before, after in zip(to_bytes(old), to_bytes(new)):
            table[before] = after
        if len(to_bytes(old)) != len(to_bytes(new)):
            raise ValueError("maketrans arguments must have same length")
        return of_bytes(bytes(table))

    def zfill(value, width):
        return (value if isinstance(value, str) else repr(value)).zfill(width)

    return {"maketrans": maketrans, "zfill": zfill}


def _of_urllib():
    def quoted(function, unsafe):
        def quote(text, safe=unsafe):
            result = function(to_bytes(text), safe)
            return result if "~" in safe else result.replace("~", "%7E")

        return quote

    def unquoted(text, plus=" "):
        if is_unicode(text):
            return urllib.parse.unquote(text, "latin1")
        data = to_bytes(text)
        return of_bytes(urllib.parse.unquote_to_bytes(data))

    quote = quoted(urllib.parse.quote, "/")
    return {
        "quote": quote,
        "quote_plus": quoted(urllib.parse.quote_plus, ""),
        "unquote": unquoted,
        "unquote_plus": lambda text: unquoted(text.replace("+", " ")),
    }


def functions_of(name):
    """Returns {name: function} of a module, for code of Python 2."""
    return _FUNCTIONS[name]()


_FUNCTIONS = {
    "base64": _of_base64,
    "binascii": _of_binascii,
    "bz2": _of_bz2,
    "gzip": _of_gzip,
    "hashlib": _of_hashlib,
    "hmac": _of_hmac,
    "marshal": _of_marshal,
    "pickle": _of_pickle,
    "string": _of_string,
    "struct": _of_struct,
    "urllib": _of_urllib,
    "zlib": _of_zlib,
}


def _hash_module(name, function):
    """Returns the module ``md5`` or ``sha``, which Python 3 dropped."""
    module = types.ModuleType(name, f"Python 2's {name}")
    new = _taking_text(function, string)
    vars(module).update({"new": new, name: new, "digest_size": function().digest_size})
    return module


@functools.lru_cache(maxsize=None)
def dropped_module(name):
    """Returns a module that Python 3 dropped."""
    return _hash_module(name, {"md5": hashlib.md5, "sha": hashlib.sha1}[name])


DROPPED = ("md5", "sha")
NAMES = tuple(_FUNCTIONS)
