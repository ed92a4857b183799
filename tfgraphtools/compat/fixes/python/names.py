"""Names that left modules of the standard library."""

import collections
import collections.abc
import contextlib

from tfgraphtools.compat.engine.rewrites.kinds import Call
from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import made, standing

_PY3 = "Python 3.0"


@standing("string.join", _PY3, "string.join(words, separator) is separator.join(words)")
def _string_join(words, separator=" "):
    return separator.join(words)


@standing("contextlib.nested", _PY3, "enters several context managers, as `with a, b` does")
@contextlib.contextmanager
def _nested(*managers):
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(manager) for manager in managers]


@standing("operator.isSequenceType", _PY3, "whether an object is a sequence")
def _is_sequence_type(value):
    return hasattr(value, "__getitem__") and not isinstance(value, (dict, type))


@standing("operator.isMappingType", _PY3, "whether an object is a mapping")
def _is_mapping_type(value):
    return isinstance(value, collections.abc.Mapping)


@standing("operator.isNumberType", _PY3, "whether an object is a number")
def _is_number_type(value):
    return hasattr(value, "__int__") and not isinstance(value, (str, bytes, type))


@made("types.StringTypes", _PY3, "the tuple of text types")
def _string_types(real):
    return (str,)


@standing("sys.setdefaultencoding", _PY3, "does nothing: text is always Unicode")
def _set_default_encoding(encoding):
    return None


@standing(
    "sys.exc_clear", _PY3, "does nothing: Python 3 clears an exception at the end of its handler"
)
def _exc_clear():
    return None


@standing("fractions.gcd", "Python 3.9", "the greatest common divisor, with the sign of b")
def _gcd(a, b):
    while b:
        a, b = b, a % b
    return a


class ArgSpec(collections.namedtuple("ArgSpec", "args varargs keywords defaults")):
    """What getargspec returned; TensorFlow's decorators also read what it has no field for."""

    __slots__ = ()
    kwonlyargs, kwonlydefaults, annotations = (), None, {}


@standing("inspect.getargspec", "Python 3.11", "the first four fields of getfullargspec")
def _getargspec(function):
    import inspect

    full = inspect.getfullargspec(function)
    return ArgSpec(full.args, full.varargs, full.varkw, full.defaults)


def linux_distribution(*ignored, **also_ignored):
    """Name, version and code name of the system."""
    import platform

    found = platform.freedesktop_os_release()
    return found.get("NAME", ""), found.get("VERSION_ID", ""), found.get("VERSION_CODENAME", "")


_linux_distribution = standing(
    "platform.linux_distribution", "Python 3.8", "name, version and code name of the system"
)(linux_distribution)


def _without_encoding(name):
    """A function of json without Python 2's argument `encoding`."""

    def provide(real, used):
        function = getattr(real, name)

        def call(*arguments, **options):
            if "encoding" in options:
                used()
                del options["encoding"]
            return function(*arguments, **options)

        return call

    return provide


_JSON = [
    made(f"json.{name}", since, "ignores encoding=", Call(keywords={"encoding": None}))(
        _without_encoding(name)
    )
    for name, since in (
        ("load", "Python 3.9"),
        ("loads", "Python 3.9"),
        ("dump", _PY3),
        ("dumps", _PY3),
    )
]


@made("subprocess.getstatus", _PY3, "commands.getstatus: `ls -ld` of a file")
def _getstatus(real):
    return lambda path: real.getoutput("ls -ld " + path)


@made("os.popen3", _PY3, "(stdin, stdout, stderr) of a command")
def _popen3(real):
    return lambda command, mode="t", size=-1: _pipes(command, apart=True)


@made("os.popen2", _PY3, "(stdin, stdout) of a command")
def _popen2(real):
    return lambda command, mode="t", size=-1: _pipes(command, apart=False)


def _pipes(command, apart):
    import subprocess

    pipe = subprocess.PIPE
    shell = isinstance(command, str)
    child = subprocess.Popen(
        command,
        shell=shell,
        stdin=pipe,
        stdout=pipe,
        stderr=pipe if apart else None,
        universal_newlines=True,
    )
    return (child.stdin, child.stdout, child.stderr) if apart else (child.stdin, child.stdout)


TABLE = Table(
    "names that left the standard library",
    "names",
    [
        _string_join,
        _nested,
        _is_sequence_type,
        _is_mapping_type,
        _is_number_type,
        _string_types,
        _set_default_encoding,
        _exc_clear,
        _gcd,
        _getargspec,
        _linux_distribution,
        _getstatus,
        _popen2,
        _popen3,
    ],
)

CALLS = Table("old calls of the standard library", "calls", _JSON)
