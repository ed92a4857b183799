"""A module as user code sees it: the rows of the tables first, then the real module.

Nothing of the real module is changed, so libraries never meet a view. `module`
gives user code its module for a dotted name: a view where rows have something
to say about it, else the real one.
"""

import functools
import importlib
import sys
import types

from tfgraphtools.compat.engine import inner, pickled, rows

#: module name -> {attribute: row}, for the tables of kind "names", "calls" and "gone".
_attributes = {}

#: The names of the rows that say themselves when they are used: those of kind "calls".
_calls = set()

#: The names of rows that ``import *`` leaves out.
_unlisted = set()

#: module name -> row, for modules that no longer exist under this name.
_modules = {}

#: module name -> function of (module name, attribute) for what neither rows nor the module have.
_rest = {}

#: The names of all modules that rows have something to say about.
_seen_apart = set()

#: name -> function without arguments that gives the real module behind a view.
_real = {}

#: name -> what user code gets for it.
_made = {}


class GoneError(AttributeError, NotImplementedError):
    """A name of TF 1 that has nothing to stand for it any more; says why."""


class View(types.ModuleType):
    """User code's own face of a real module.

    Args:
      name: the dotted name that user code uses.
      real: the module behind it; setting an attribute sets it there, unless a
        row owns the name.
    """

    def __init__(self, name, real):
        super().__init__(name, real.__doc__)
        own = self.__dict__
        for key in ("__loader__", "__spec__", "__package__"):
            own.pop(key, None)
        own["_tfgraphtools_real"] = real
        own["_tfgraphtools_known"] = {}  # attribute -> (the real module's value, user code's)
        own["_tfgraphtools_given"] = {}  # attribute -> what a row has provided for it

    # That of a module makes an AttributeError of each miss before it asks `__getattr__`.
    __getattribute__ = object.__getattribute__

    def __getattr__(self, attribute):
        # Only what the view does not hold itself comes here. The real module is asked each time:
        # whoever changes a value there (a mock, say) changes it for user code too.
        own = self.__dict__
        known = own["_tfgraphtools_known"].get(attribute)
        if known is not None:
            value, shown = known
            if getattr(own["_tfgraphtools_real"], attribute, _NOTHING) is value:
                return shown
        name = self.__name__
        row = _row_for(name, attribute)
        full = name + "." + attribute
        if full in _modules:  # before the rows, as an import has it
            return module(full)
        if row is not None:
            given = own["_tfgraphtools_given"]
            if attribute in given:
                rows.used(row)  # when it was given, nobody counted
            else:
                given[attribute] = seen(full, _provided(row, self, attribute))
                pickled.name(name, attribute, given[attribute])
            if rows.is_reporting() or row.name in _calls:
                own[attribute] = given[attribute]
            return given[attribute]
        if attribute == "__all__":
            return self._public_names()
        value = getattr(own["_tfgraphtools_real"], attribute, _NOTHING)
        if value is _NOTHING:
            if name in _rest:
                return _rest[name](name, attribute)
            raise AttributeError(f"module {name!r} has no attribute {attribute!r}")
        is_module = isinstance(value, types.ModuleType)
        if inner.may_be_shared(name, attribute) and not is_module:
            return inner.given(attribute, value, own["_tfgraphtools_real"], _of_both)
        shown = seen(full, value)
        pickled.name(name, attribute, shown)
        own["_tfgraphtools_known"][attribute] = value, shown
        return shown

    def __setattr__(self, attribute, value):
        if attribute in _attributes.get(self.__name__, _NO_ROWS):
            self.__dict__["_tfgraphtools_given"].pop(attribute, None)
            self.__dict__[attribute] = value
        else:
            setattr(self.__dict__["_tfgraphtools_real"], attribute, value)

    def __delattr__(self, attribute):
        if self.__dict__.pop(attribute, None) is None:
            delattr(self.__dict__["_tfgraphtools_real"], attribute)

    def __reduce_ex__(self, protocol):
        return _unpickled, (self.__name__,)

    def __dir__(self):
        mine = _attributes.get(self.__name__, _NO_ROWS)
        present = [name for name, row in mine.items() if row.provide is not None]
        return sorted(set(dir(self.__dict__["_tfgraphtools_real"])).union(present))

    def __repr__(self):
        return repr(self.__dict__["_tfgraphtools_real"])

    def _public_names(self):
        real = self.__dict__["_tfgraphtools_real"]
        mine = _attributes.get(self.__name__, _NO_ROWS)
        gone = {name for name, row in mine.items() if row.provide is None or row.name in _unlisted}
        listed = getattr(real, "__all__", None)
        if listed is None:
            listed = [name for name in dir(real) if not name.startswith("_")]
        present = [name for name in mine if not name.startswith("_")]
        return sorted(set(listed).union(present) - gone)


def fact_of(view, attribute):
    """What the attribute of a view rests on: (a mapping, its key, the value that it has there).

    While that value stays the same one, so does what user code gets. None where there is no
    such mapping: the module computes its attributes, or a row is not counted as used now.
    """
    own = view.__dict__
    full = view.__name__ + "." + attribute
    if attribute in own:
        return own, attribute, own[attribute]
    if full in _modules:
        return (_made, full, _made[full]) if full in _made and rows.is_reporting() else None
    if _row_for(view.__name__, attribute) is not None:
        return None
    real = own["_tfgraphtools_real"]
    value = vars(real).get(attribute, _NOTHING)
    if value is _NOTHING or getattr(real, attribute, None) is not value:
        return None
    return vars(real), attribute, value


def _of_both(name):
    """The real function of a name of the API, and what gives user code's."""
    parent, _, attribute = name.rpartition(".")
    view = module(parent)
    return getattr(real_of(view), attribute, None), functools.partial(getattr, view, attribute)


def _unpickled(name):
    """The view of this name where user code has views, else the module."""
    return module(name) if concerns(name) else importlib.import_module(name)


_NOTHING = object()
_NO_ROWS = types.MappingProxyType({})


#: A row of this name in a module stands for all names that begin with an underscore.
_HIDDEN = "_*"


def _row_for(name, attribute):
    mine = _attributes.get(name, _NO_ROWS)
    row = mine.get(attribute)
    if row is None and attribute.startswith("_") and not attribute.startswith("__"):
        row = mine.get(_HIDDEN)
    return row


def _provided(row, view, attribute):
    real = view.__dict__["_tfgraphtools_real"]
    if row.name.endswith("." + _HIDDEN):
        value = getattr(real, attribute, _NOTHING)
        if value is not _NOTHING:
            return value
        rows.used(row)
        return row.provide(real)(attribute)
    if row.name not in _calls:
        rows.used(row)
    if row.provide is None:
        raise GoneError(row.name + ": " + row.why)
    return provided(row, real)


def provided(row, real):
    """What user code gets for the name of a row, in front of this real module."""
    if row.name in _calls:
        return row.provide(real, functools.partial(rows.used, row))
    return row.provide(real)


def counts_calls(row):
    """Whether what a row provides says itself when it is used."""
    return row.name in _calls


def real_of(module):
    """The real module behind a view; any other object is its own."""
    return vars(module)["_tfgraphtools_real"] if isinstance(module, View) else module


def begin(tables):
    """Puts the tables in force: those rows of theirs that are not switched off."""
    end()
    for name in pickled.MODULES:
        _see_apart("tensorflow." + name)
    for table in tables:
        for row in table.on():
            if table.kind == "gone" and "." not in row.name:
                register_missing(row.name, row)
            elif table.kind in ("names", "calls", "gone"):
                register_attribute(row)
                if table.kind == "calls":
                    _calls.add(row.name)
                    if inner.register(row.name):
                        for name in inner.DEFINING:
                            _see_apart(name)
            elif table.kind == "modules":
                register_missing(row.name, row)


def end():
    """Forgets all tables and all views that were made."""
    for registry in (_attributes, _calls, _unlisted, _modules, _rest, _seen_apart, _real, _made):
        registry.clear()
    inner.forget()


def forget_root(root):
    """Makes the tables ignore a package and its contents."""
    for registry in (_attributes, _modules, _rest, _made):
        for name in [name for name in registry if name.partition(".")[0] == root]:
            del registry[name]
    _seen_apart.difference_update([name for name in _seen_apart if name.partition(".")[0] == root])


def register_attribute(row, is_listed=True):
    """Makes user code get what this row provides under its dotted name.

    Args:
      row: the row.
      is_listed: whether ``import *`` of the module takes the name.
    """
    parent, _, attribute = row.name.rpartition(".")
    if not is_listed:
        leave_out(row.name)
    _attributes.setdefault(parent, {})[attribute] = row
    _forget_known(parent, attribute)
    _see_apart(parent)


def leave_out(name):
    """Makes ``import *`` of a module skip what a row provides under this dotted name."""
    _unlisted.add(name)


def register_missing(name, row):
    """Makes user code get the module that this row provides for ``import name``.

    The module is never put into ``sys.modules``, where a library that probes for
    it would find it.
    """
    _modules[name] = row
    parent, _, leaf = name.rpartition(".")
    _forget_known(parent, leaf)
    _see_apart(parent)


def register_rest(name, provide):
    """Makes user code get ``provide(name, attribute)`` for removed names of this module.

    Args:
      name: the module's name.
      provide: raises AttributeError where there is nothing.
    """
    _rest[name] = provide
    _see_apart(name)


def register_module(name, module):
    """Makes user code get this very module for ``import name``."""
    _made[name] = module
    _see_apart(name)


def row_for(name):
    """The row that says what user code gets for a dotted name, or None."""
    parent, _, attribute = name.rpartition(".")
    return _modules.get(name) or _row_for(parent, attribute)


def attribute_rows(name):
    """The rows that say what user code finds in this module."""
    return list(_attributes.get(name, _NO_ROWS).values())


def register_real(name, real):
    """Makes the view of `name` represent ``real()`` instead of the module of that name."""
    _real[name] = real
    _see_apart(name)


def _see_apart(name):
    while name:
        _seen_apart.add(name)
        parent, _, leaf = name.rpartition(".")
        _forget_known(parent, leaf)
        name = parent


def _forget_known(name, attribute):
    """Makes the view of a module, where there is one, ask the rows for this attribute again."""
    view = _made.get(name)
    if isinstance(view, View):
        view.__dict__["_tfgraphtools_known"].pop(attribute, None)


def concerns(name):
    """Whether the tables say something about this module, or about its package."""
    root = name.partition(".")[0]
    return root in _seen_apart or root in _modules


def seen(name, value):
    """`value` as user code sees it under `name`: modules with rows become views."""
    if name not in _seen_apart or isinstance(value, View):
        return value
    if not isinstance(value, types.ModuleType):
        return value
    if name not in _made:
        _made[name] = View(name, value)
    return _made[name]


def module(name):
    """The module that user code gets for ``import name``.

    Raises:
      ImportError: as the plain import does.
    """
    if name in _modules:
        rows.used(_modules[name])
        if _modules[name].provide is None:
            raise ModuleNotFoundError(_modules[name].why, name=name)
        if name not in _made:
            _made[name] = seen(name, _modules[name].provide())
    if name in _made:
        return _made[name]
    parent, _, leaf = name.rpartition(".")
    if not parent:
        real = _real[name]() if name in _real else importlib.import_module(name)
        return seen(name, real)
    holder = module(parent)
    row = _attributes.get(parent, _NO_ROWS).get(leaf)
    if row is not None and row.provide is None:
        rows.used(row)
        raise ModuleNotFoundError(row.name + ": " + row.why, name=name)
    return _submodule(name, holder, leaf)


def _submodule(name, parent, leaf):
    behind = real_of(parent).__name__ + "." + leaf
    # The API is attributes: its folders are not the v1 ones. contrib's packages are folders,
    # and have attributes of their names that are other modules.
    if name.startswith("tensorflow.contrib."):
        behind = name
    elif name.startswith("tensorflow."):
        value = getattr(parent, leaf, None)
        if isinstance(value, types.ModuleType):
            return value
        if not behind.startswith(("tensorflow.", "tf_keras.")) or "_api" in behind:
            behind = name
    try:
        return seen(name, importlib.import_module(behind))
    except ModuleNotFoundError as error:
        value = getattr(parent, leaf, None)
        if error.name != behind or not isinstance(value, types.ModuleType):
            raise
        return seen(name, sys.modules.get(behind, value))
