"""Modules that Python 3 renamed, under their old names, for user code only.

They are never put into ``sys.modules``, where a library may probe for them.
"""

import importlib
import types

from tfgraphtools.compat.engine.rows import Row, Table

#: old name -> the modules in which its contents are now.
_NOW = {
    "BaseHTTPServer": ("http.server",),
    "CGIHTTPServer": ("http.server",),
    "ConfigParser": ("configparser",),
    "Cookie": ("http.cookies",),
    "DocXMLRPCServer": ("xmlrpc.server",),
    "HTMLParser": ("html.parser",),
    "Queue": ("queue",),
    "ScrolledText": ("tkinter.scrolledtext",),
    "SimpleHTTPServer": ("http.server",),
    "SimpleXMLRPCServer": ("xmlrpc.server",),
    "SocketServer": ("socketserver",),
    "Tkconstants": ("tkinter.constants",),
    "Tkinter": ("tkinter",),
    "UserDict": ("collections",),
    "UserList": ("collections",),
    "UserString": ("collections",),
    "anydbm": ("dbm",),
    "commands": ("subprocess",),
    "cookielib": ("http.cookiejar",),
    "copy_reg": ("copyreg",),
    "dumbdbm": ("dbm.dumb",),
    "email.Encoders": ("email.encoders",),
    "email.MIMEAudio": ("email.mime.audio",),
    "email.MIMEBase": ("email.mime.base",),
    "email.MIMEImage": ("email.mime.image",),
    "email.MIMEMultipart": ("email.mime.multipart",),
    "email.MIMEText": ("email.mime.text",),
    "email.Utils": ("email.utils",),
    "exceptions": ("builtins",),
    "dummy_thread": ("_thread",),
    "htmlentitydefs": ("html.entities",),
    "httplib": ("http.client",),
    "repr": ("reprlib",),
    "robotparser": ("urllib.robotparser",),
    "sets": ("builtins",),
    "thread": ("_thread",),
    "tkColorChooser": ("tkinter.colorchooser",),
    "tkCommonDialog": ("tkinter.commondialog",),
    "tkFileDialog": ("tkinter.filedialog",),
    "tkMessageBox": ("tkinter.messagebox",),
    "tkSimpleDialog": ("tkinter.simpledialog",),
    "tkFont": ("tkinter.font",),
    "ttk": ("tkinter.ttk",),
    "urllib2": ("urllib.request", "urllib.error", "urllib.parse", "http.client"),
    "urlparse": ("urllib.parse",),
    "xml.etree.cElementTree": ("xml.etree.ElementTree",),
    "whichdb": ("dbm",),
    "xmlrpclib": ("xmlrpc.client",),
}

#: (old module, name) -> the name in the new module that it was.
_RENAMED = {
    ("sets", "ImmutableSet"): "frozenset",
    ("sets", "Set"): "set",
    ("thread", "start_new"): "start_new_thread",
    ("UserDict", "IterableUserDict"): "UserDict",
}


def _row(old, new):
    why = f"the module {old} is {' and '.join(new)} now"
    since = "Python 3.9" if old.startswith("xml") else "Python 3.0"
    return Row(old, since, why, lambda: _module(old, new))


def _module(old, new):
    """A module that holds what the new ones do, as user code sees them."""
    from tfgraphtools.compat.engine import views

    made = types.ModuleType(old, f"{' and '.join(new)}, under an old name")
    sources = [views.module(name) for name in new if importlib.import_module(name)]
    from tfgraphtools.compat.fixes.python import python2_modules

    renamed = {name: now for (module, name), now in _RENAMED.items() if module == old}

    def look_up(name):  # only when it is asked for: a view counts what is taken from it
        for source in sources:
            if not name.startswith("__") and hasattr(source, renamed.get(name, name)):
                return getattr(source, renamed.get(name, name))
        raise AttributeError(f"module {old!r} has no attribute {name!r}")

    made.__getattr__ = look_up
    vars(made).update(python2_modules.INSTEAD.get(old, dict)())
    listed = {name for source in sources for name in dir(source) if not name.startswith("__")}
    made.__dir__ = lambda: sorted(listed.union(renamed))
    made.__all__ = [name for name in made.__dir__() if not name.startswith("_")]
    return made


def _same(old, new):
    """A row for a module that is another one: what user code sets there, it finds there."""

    def provide():
        from tfgraphtools.compat.engine import views

        return views.module(new)

    return Row(old, "Python 3.0", f"the module {old} is {new} now", provide)


def _whole(name):
    """A row for a module that nothing has any more, and that is made here."""

    def provide():
        from tfgraphtools.compat.fixes.python import python2_modules

        made = types.ModuleType(name, f"Python 2's {name}")
        vars(made).update(python2_modules.WHOLE[name]())
        return made

    return Row(name, "Python 3.0", f"the module {name} of Python 2", provide)


def _string_io():
    from tfgraphtools.compat.fixes.python import string_io

    made = types.ModuleType("StringIO", string_io.__doc__)
    made.StringIO = string_io.StringIO
    return made


TABLE = Table(
    "modules that Python 3 renamed",
    "modules",
    [_row(old, new) for old, new in _NOW.items()]
    + [
        _same("cPickle", "pickle"),
        _same("__builtin__", "builtins"),
        _whole("popen2"),
        Row("StringIO", "Python 3.0", "StringIO.StringIO takes text or bytes", _string_io),
        Row("cStringIO", "Python 3.0", "cStringIO.StringIO takes text or bytes", _string_io),
    ],
)
