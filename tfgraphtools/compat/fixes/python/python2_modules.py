"""Modules of Python 2 that no module of today equals, for user code only.

They are never put into ``sys.modules``, where a library may probe for them.

Source: the library reference of Python 2.7.
"""

import types

from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes import removed


def _with_differences(old, new, differences):
    """Returns a row for a module that has another name today, and differs in a few of its own."""

    def provide():
        return removed.module_of(old, [new], **differences())

    return Fix(old, "Python 3.0", f"the module {old} is {new} now", provide)


def _popen2():
    import subprocess

    module = types.ModuleType("popen2", "Python 2's popen2")

    def with_errors_to(stream):
        def popen(cmd, bufsize=-1, mode="t"):
            child = subprocess.Popen(
                cmd,
                shell=isinstance(cmd, str),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stream,
                universal_newlines=True,
            )
            pipes = (child.stdout, child.stdin, child.stderr)
            return tuple(pipe for pipe in pipes if pipe is not None)

        return popen

    module.popen2 = with_errors_to(None)
    module.popen3 = with_errors_to(subprocess.PIPE)
    module.popen4 = with_errors_to(subprocess.STDOUT)
    return module


def _commands():
    import subprocess

    def getstatusoutput(cmd):
        code, output = subprocess.getstatusoutput(cmd)
        return (code << 8 if code >= 0 else -code), output  # as `os.wait` has it

    return {"getstatusoutput": getstatusoutput}


def _config_parser():
    import configparser

    def parser(base, name):
        class Parser(base):
            def __init__(self, defaults=None, dict_type=dict, allow_no_value=False):
                super().__init__(
                    defaults,
                    dict_type,
                    allow_no_value,
                    inline_comment_prefixes=(";",),
                    strict=False,
                )

            def readfp(self, fp, filename=None):
                """Reads an open file."""
                self.read_file(fp, filename)

        Parser.__name__ = Parser.__qualname__ = name
        return Parser

    bases = {"ConfigParser": "ConfigParser", "SafeConfigParser": "ConfigParser"}
    bases["RawConfigParser"] = "RawConfigParser"
    return {name: parser(getattr(configparser, base), name) for name, base in bases.items()}


def _string_io():
    from tfgraphtools.compat.fixes.python import string_io

    module = types.ModuleType("StringIO", string_io.__doc__)
    module.StringIO = string_io.StringIO
    return module


def _hashes(name):
    from tfgraphtools.compat.fixes.python2.library import byte_functions

    return byte_functions.dropped_module(name)


TABLE = Table(
    "modules of Python 2",
    "modules",
    [
        _with_differences("ConfigParser", "configparser", _config_parser),
        _with_differences("commands", "subprocess", _commands),
        Fix("popen2", "Python 3.0", "pipes to and from a command, by subprocess", _popen2),
        Fix("md5", "Python 3.0", "md5.new and md5.md5 are hashlib.md5", lambda: _hashes("md5")),
        Fix("sha", "Python 3.0", "sha.new and sha.sha are hashlib.sha1", lambda: _hashes("sha")),
        Fix("StringIO", "Python 3.0", "StringIO.StringIO takes text or bytes", _string_io),
        Fix("cStringIO", "Python 3.0", "cStringIO.StringIO takes text or bytes", _string_io),
    ],
)
