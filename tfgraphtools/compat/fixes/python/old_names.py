"""Names of Python 2's standard library that are functions of our own, or more than renamed."""

import os

from tfgraphtools.compat.engine.attributes import fallback_row
from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import made, of, standing

_PY3 = "Python 3.0"


@standing("operator.getslice", _PY3, "getslice(a, b, c) is a[b:c]")
def _getslice(a, b, c):
    return a[b:c]


@standing("operator.setslice", _PY3, "setslice(a, b, c, v) is a[b:c] = v")
def _setslice(a, b, c, v):
    a[b:c] = v


@standing("operator.delslice", _PY3, "delslice(a, b, c) is del a[b:c]")
def _delslice(a, b, c):
    del a[b:c]


@standing("string.joinfields", _PY3, "joinfields(words, separator) is separator.join(words)")
def _joinfields(words, separator=" "):
    return separator.join(words)


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


@standing("os.tmpfile", _PY3, "a temporary file")
def _tmpfile():
    from tfgraphtools.compat.fixes.python.python2.library import texts

    return texts.temporary("TemporaryFile")()


@standing("os.popen4", _PY3, "(stdin, stdout and stderr) of a command")
def _popen4(command, mode="t", bufsize=-1):
    import subprocess

    pipe = subprocess.PIPE
    child = subprocess.Popen(
        command,
        shell=isinstance(command, str),
        stdin=pipe,
        stdout=pipe,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
    )
    return child.stdin, child.stdout


@made("sys.subversion", _PY3, "('CPython', '', '')")
def _subversion(real):
    import platform

    return (platform.python_implementation(), "", "")


TABLE = Table(
    "names of Python 2's standard library",
    "names",
    [
        _getslice,
        _setslice,
        _delslice,
        _joinfields,
        _walk,
        _tmpfile,
        _popen4,
        _subversion,
    ],
)


def _attribute(name):
    return lambda request: lambda: getattr(request, name)


def _of_requests(fallbacks):
    check = of("urllib")

    def checked(found):
        def fallback(value):
            check(value)
            return found(value)

        return fallback

    return {name: checked(found) for name, found in fallbacks.items()}


REQUESTS = Table(
    "methods of urllib2.Request",
    "listed",
    [
        fallback_row(
            "python2.requests",
            _PY3,
            "request.get_host(), add_data(data)... of urllib2.Request are attributes now",
            _of_requests(
                {
                    "add_data": lambda request: lambda data: setattr(request, "data", data),
                    "get_data": _attribute("data"),
                    "get_host": _attribute("host"),
                    "get_origin_req_host": _attribute("origin_req_host"),
                    "get_selector": _attribute("selector"),
                    "get_type": _attribute("type"),
                    "has_data": lambda request: lambda: request.data is not None,
                    "is_unverifiable": _attribute("unverifiable"),
                }
            ),
            cannot="write request.host, request.data = data",
        )
    ],
)
