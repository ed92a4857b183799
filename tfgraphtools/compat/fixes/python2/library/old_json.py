"""``json`` of Python 2, which took bytes for text in UTF-8."""

import functools
import json

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.fixes.python2 import ordering
from tfgraphtools.compat.fixes.python2.containers import old_dicts
from tfgraphtools.compat.fixes.python2.library import unicode_mixing
from tfgraphtools.compat.fixes.python2.library.byte_texts import ByteText, to_bytes
from tfgraphtools.compat.fixes.python2.table import BYTES


def functions():
    """Returns {name: function} of the module."""
    return {"dumps": dumps, "dump": dump, "loads": loads, "load": load}


def dumps(value, *arguments, **options):
    """Returns a value as JSON; a line of ``indent=`` ends with a blank."""
    encoding = options.pop("encoding", "utf-8")
    if options.get("separators") is None:
        options["separators"] = (", ", ": ")
    try:
        text = json.dumps(value, *arguments, **options)
        is_done = "\\ud" not in text and encoding in ("utf-8", "utf8")
    except (TypeError, UnicodeError):
        is_done = False
    if not is_done:
        rows.used(BYTES)
        value = _decoded(value, encoding)
        if options.get("sort_keys"):
            value = _sorted(value)
            options["sort_keys"] = False
        text = json.dumps(value, *arguments, **options)
    return text


def _sorted(value):
    """Returns a value whose dictionaries have their keys in the order of Python 2."""
    if isinstance(value, dict):
        keys = sorted(value, key=functools.cmp_to_key(ordering.compare))
        return {key: _sorted(value[key]) for key in keys}
    return list(map(_sorted, value)) if isinstance(value, list) else value


def dump(value, file, *arguments, **options):
    """Writes a value to a file as JSON."""
    file.write(dumps(value, *arguments, **options))


def loads(text, *arguments, **options):
    """Returns the value of JSON."""
    encoding = options.pop("encoding", None) or "utf-8"
    unicode_mixing.note_unicode()
    if isinstance(text, (bytes, ByteText)):
        text = to_bytes(text).decode(encoding)
    if "object_hook" not in options:
        options.setdefault("object_pairs_hook", old_dicts.Dict)
    return json.loads(text, *arguments, **options)


def load(file, *arguments, **options):
    """Returns the value of the JSON in a file."""
    return loads(file.read(), *arguments, **options)


def _decoded(value, encoding):
    decode = functools.partial(_decoded, encoding=encoding)
    if isinstance(value, (bytes, ByteText)):
        return to_bytes(value).decode(encoding)
    if isinstance(value, dict):
        return {decode(key): decode(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return list(map(decode, value))
    return value
