"""The builtins of user code: Python's, and functions of its own in place of some."""

import builtins
import importlib
import types

from tfgraphtools.compat.engine import parts, rows, state, switches, views
from tfgraphtools.compat.engine.loading import standing_functions
from tfgraphtools.compat.engine.views import lookup

#: The module ``builtins`` that user code sees, while compat is active.
_users = None

#: names of rows -> the builtins of the files that do without them.
_users_without = {}

#: The functions that translated code calls.
_helpers = {}


class Users(types.ModuleType):
    """The builtins of user code.

    Attributes:
      without: the names of the fixes that the files which have these builtins do without.
    """

    __slots__ = ("without",)  # no name of user code

    def __init__(self, without=frozenset()):
        super().__init__("builtins", builtins.__doc__)
        self.without = without

    def __setattr__(self, name, value):
        _give_stand_ins(self, name, value)
        super().__setattr__(name, value)
        if self is _users:  # what user code puts there is every file's, and every library's
            for others in _users_without.values():
                vars(others)[name] = value
            _put(name, value)

    def __delattr__(self, name):
        _give_stand_ins(self, name, _unpatched.get(name))
        super().__delattr__(name)
        if self is _users:
            for others in _users_without.values():
                vars(others).pop(name, None)
            _put(name, _ABSENT)

    def __reduce__(self):
        return importlib.import_module, ("builtins",)


Users.__name__ = Users.__qualname__ = "module"  # type(__builtins__) of a script


#: Names of which user code has its own, whatever libraries have.
_OWN = frozenset(("__import__", "compile", "eval", "exec"))

_ABSENT = object()

#: name -> (what user code finds under it at first, Python's own).
_at_first = {}

#: name of Python's builtins that user code has changed -> what it was before.
_changed = {}


#: What translated code calls in the place of a builtin: ``__numpy1_max__`` for ``max``.
_STANDS_FOR = (
    "__numpy1_{}__",
    "__numpy1_{}_of__",
    "__numpy1_{}_of_items__",
    "__numpy1_{}_of_two__",
    "__python2_{}__",
)

#: name -> what stood there before user code patched it.
_unpatched = {}


def _give_stand_ins(users, name, value):
    """Lets what stands for a builtin follow a patch of it, and the end of that patch."""
    stand_ins = [text.format(name) for text in _STANDS_FOR]
    stand_ins = [helper for helper in stand_ins if helper in vars(users)]
    if stand_ins:
        before = _unpatched.setdefault(name, vars(users).get(name))
        for helper in stand_ins:
            vars(users)[helper] = _helpers[helper] if value is before else value


def _put(name, value):
    """Changes Python's builtins as user code has changed its own: a patched ``open``, say."""
    if name in _OWN or name in _helpers:
        return
    shown, pythons = _at_first.get(name, (_ABSENT, _ABSENT))
    if shown is not _ABSENT and value is shown:  # it takes its change back
        value = pythons
    before = vars(builtins).get(name, _ABSENT)
    if before is value:
        return
    if not _changed:
        state.at_restore(_restore)
    _changed.setdefault(name, before)
    _set_pythons(name, value)


def _set_pythons(name, value):
    if value is _ABSENT:
        vars(builtins).pop(name, None)
    else:
        setattr(builtins, name, value)


def _restore():
    for name, value in _changed.items():
        _set_pythons(name, value)
    _changed.clear()


def begin(own):
    """Makes the builtins of user code, with functions of its own: ``__import__``, ``exec``..."""
    global _users
    _users = Users()
    _users_without.clear()
    _unpatched.clear()
    vars(_users).update(vars(builtins), **own)
    for row in lookup.attribute_rows("builtins"):
        name = row.name.partition(".")[2]
        vars(_users)[name] = views.provided(row, builtins)
        _at_first[name] = vars(_users)[name], vars(builtins).get(name, _ABSENT)
    for part in parts.load():
        _helpers.update(getattr(part, "HELPERS", ()))
    vars(_users).update(_helpers)


def users():
    """Returns the module ``builtins`` of user code; None before compat was ever active."""
    return _users


def users_of(path):
    """Returns the module ``builtins`` for a file of user code: it may do without fixes."""
    off = switches.known(path)
    if not off:
        return _users
    if off not in _users_without:
        _users_without[off] = _without(off)
    return _users_without[off]


def are_users(namespace):
    """Tells whether builtins, a module or its dictionary, are those of user code."""
    if type(namespace) is Users:
        return True
    return namespace is not None and _users is not None and namespace is vars(_users)


def _without(off):
    """Copies the builtins of user code, with Python's own names in the place of such fixes."""
    module = Users(off)
    vars(module).update(vars(_users))
    for row in lookup.attribute_rows("builtins"):
        name = row.name.partition(".")[2]
        if row.name in off:
            vars(module).pop(name)
            if hasattr(builtins, name):
                vars(module)[name] = getattr(builtins, name)
    for name in _helpers.keys() & vars(builtins).keys():
        standing = standing_functions.as_builtin(vars(builtins)[name])
        vars(module)[name] = standing(_scoped(_helpers[name], off))
    module.__import__ = _import_without(vars(_users)["__import__"], off)
    return module


def _scoped(function, off):
    def scoped(*arguments, **options):
        with rows.also_off(off):
            return function(*arguments, **options)

    return scoped


def _import_without(user_import, off):
    def __import__(name, globals=None, locals=None, fromlist=(), level=0):
        row = lookup.modules.get(name)
        if row is not None and row.name in off and not level:
            return builtins.__import__(name, globals, locals, fromlist, level)
        return views.without(user_import(name, globals, locals, fromlist, level), off)

    return __import__


def off_of(caller):
    """Returns the rows that the file of a calling frame does without."""
    return getattr(caller.f_globals.get("__builtins__"), "without", frozenset())


def are_pythons(namespace):
    """Tells whether code in this namespace would run with Python's own builtins."""
    in_force = namespace.get("__builtins__", builtins)
    return in_force is builtins or in_force is vars(builtins)


def follow_pythons():
    """Gives user code what a library has put among Python's builtins: ``gettext.install()``."""
    for name in vars(builtins).keys() - vars(_users).keys():
        setattr(_users, name, vars(builtins)[name])


def give_users(namespace, path=""):
    """Makes code of a file in this namespace run with the builtins of user code.

    It does nothing where the namespace has builtins of its own.
    """
    follow_pythons()
    if are_pythons(namespace):
        namespace["__builtins__"] = users_of(path)


def all_helpers():
    """Returns {name: function} of what translated code calls."""
    return _helpers


def helpers():
    """Returns {name: function} of what translated code calls, without Python's own names."""
    return {name: value for name, value in _helpers.items() if not hasattr(builtins, name)}
