"""Modules of Python 2 that have no namesake of the same contents, for user code only.

They are never put into ``sys.modules``, where a library may probe for them.
"""

import types

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes import removed


def _with_differences(old, new):
    """Returns a row for a module that has another name today, and differs in a few of its own."""

    def provide():
        from tfgraphtools.compat.fixes.python import old_modules

        return removed.module_of(old, [new], **old_modules.INSTEAD[old]())

    return Row(old, "Python 3.0", f"the module {old} is {new} now", provide)


def _hashes(old, name):
    """The module md5 or sha, whose functions take text."""

    def provide():
        from tfgraphtools.compat.fixes.python.python2.library import texts

        made = types.ModuleType(old, f"hashlib.{name}, under an old name")
        made.new = texts.hashing(name)
        setattr(made, old, made.new)
        return made

    return Row(old, "Python 3.0", f"{old}.new is hashlib.{name}, and takes text", provide)


def _whole(name):
    """A row for a module that nothing has any more, and that is made here."""

    def provide():
        from tfgraphtools.compat.fixes.python import old_modules

        made = types.ModuleType(name, f"Python 2's {name}")
        vars(made).update(old_modules.WHOLE[name]())
        return made

    return Row(name, "Python 3.0", f"the module {name} of Python 2", provide)


def _string_io():
    from tfgraphtools.compat.fixes.python import string_io

    made = types.ModuleType("StringIO", string_io.__doc__)
    made.StringIO = string_io.StringIO
    return made


TABLE = Table(
    "modules of Python 2",
    "modules",
    [
        _with_differences("ConfigParser", "configparser"),
        _with_differences("UserDict", "collections"),
        _with_differences("commands", "subprocess"),
        _whole("dircache"),
        _whole("mutex"),
        _whole("new"),
        _whole("popen2"),
        _hashes("md5", "md5"),
        _hashes("sha", "sha1"),
        Row("StringIO", "Python 3.0", "StringIO.StringIO takes text or bytes", _string_io),
        Row("cStringIO", "Python 3.0", "cStringIO.StringIO takes text or bytes", _string_io),
    ],
)
