"""Names of Python 2's standard library that are functions of our own, or more than renamed."""

import os

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import moved, standing

_PY3 = "Python 3.0"

_MOVED = [
    *moved(
        "operator",
        _PY3,
        {
            "irepeat": "operator:imul",
        },
    ),
    *moved(
        "types",
        _PY3,
        {
            "BufferType": "builtins:memoryview",
            "DictProxyType": "types:MappingProxyType",
            "DictionaryType": "builtins:dict",
            "UnboundMethodType": "types:FunctionType",
            "XRangeType": "builtins:range",
        },
    ),
    *moved(
        "string",
        _PY3,
        {
            "atof_error": "builtins:ValueError",
            "atoi_error": "builtins:ValueError",
            "atol_error": "builtins:ValueError",
            "center": "builtins:str.center",
            "index_error": "builtins:ValueError",
            "rsplit": "builtins:str.rsplit",
            "splitfields": "builtins:str.split",
        },
    ),
    *moved(
        "urllib",
        _PY3,
        {
            "basejoin": "urllib.parse:urljoin",
            **{
                name: "urllib.parse:" + name
                for name in (
                    "splitattr splithost splitnport splitpasswd splitport splitquery splittag "
                    "splittype splituser splitvalue unwrap"
                ).split()
            },
        },
    ),
    *moved("threading", _PY3, {"_sleep": "time:sleep"}),
    *moved("weakref", _PY3, {"ReferenceError": "builtins:ReferenceError"}),
]


def walk(top, func, arg):
    """Calls ``func(arg, folder, names)`` for each folder below `top`."""
    try:
        names = os.listdir(top)
    except OSError:
        return
    func(arg, top, names)  # which may take names out
    for name in names:
        path = os.path.join(top, name)
        if os.path.isdir(path) and not os.path.islink(path):
            walk(path, func, arg)


_walk = standing("os.path.walk", _PY3, "walk(top, visit, arg) calls visit(arg, folder, names)")(
    walk
)


TABLE = Table(
    "names of Python 2's standard library",
    "names",
    [
        *_MOVED,
        _walk,
    ],
)
