"""A module as user code sees it: the rows of the tables first, then the real module.

Nothing of the real module is changed, so libraries never meet a view. `module`
gives user code its module for a dotted name: a view where rows have something
to say about it, else the real one.
"""

import functools
import importlib
import sys
import types

from tfgraphtools.compat.engine import rows, skipped
from tfgraphtools.compat.engine.views import api_functions, api_pickles, contents, lookup


class GoneError(AttributeError, NotImplementedError):
    """An error that says why nothing stands for a name of TF 1 any more."""


_of_object = object.__getattribute__

#: What every module has because of its class, and a module may define.
_OF_MODULES = frozenset(dir(types.ModuleType)) - {"__class__", "__dict__", "__doc__", "__name__"}


def own_of(view):
    """Returns what a view itself holds; its ``__dict__`` is what user code sees in it."""
    return _of_object(view, "__dict__")


class _Modules(type):
    """The class of the classes of views: user code that calls or derives one means Python's."""

    def __new__(cls, name, bases, members):
        if members.get("__module__") == __name__:
            return super().__new__(cls, name, bases, members)
        pythons = [types.ModuleType if isinstance(base, _Modules) else base for base in bases]
        return types.new_class(name, tuple(pythons), None, lambda body: body.update(members))

    def __call__(cls, *arguments, **options):
        return types.ModuleType(*arguments, **options)  # ``type(sys)("new")``


def _made(cls, name, real):
    """Returns a new view of one of the classes below.

    Args:
      cls: the class.
      name: the dotted name that user code uses.
      real: the module behind it; setting an attribute sets it there, unless a row owns the name.
    """
    view = types.ModuleType.__new__(cls)
    types.ModuleType.__init__(view, name, real.__doc__)
    own = own_of(view)
    for key in ("__loader__", "__spec__", "__package__"):
        own.pop(key, None)
    own["_tfgraphtools_real"] = real
    own["_tfgraphtools_known"] = {}  # attribute -> (real value or _ANY, user code's)
    own["_tfgraphtools_given"] = {}  # attribute -> (real value, what a row has provided for it)
    return view


class View(types.ModuleType, metaclass=_Modules):
    """A real module as user code sees it."""

    def __new__(cls, *arguments, **options):
        return types.ModuleType.__new__(types.ModuleType)  # `_made` makes views

    def __getattribute__(self, attribute):
        # The real module is asked each time: whoever changes a value there (a mock, say) changes
        # it for user code too. First, as Python is slow to find that a module has no attribute.
        own = _of_object(self, "__dict__")
        try:
            known = own["_tfgraphtools_known"].get(attribute)
        except KeyError:  # ``type(sys).__getattribute__`` of a class of user code
            return types.ModuleType.__getattribute__(self, attribute)
        if known is not None:
            value, shown = known
            if value is _ANY or getattr(own["_tfgraphtools_real"], attribute, _NOTHING) is value:
                return shown
        if attribute in _OF_MODULES:  # as every object has them: ``operator.__eq__``
            contained = vars(own["_tfgraphtools_real"])
            value = contained.get(attribute, _NOTHING)
            if value is not _NOTHING:
                name = getattr(value, "__name__", attribute)  # ``operator.__ge__`` is ``ge``
                is_alias = name not in _OF_MODULES and contained.get(name) is value
                return getattr(self, name) if is_alias else value
        elif attribute == "__dict__":
            return contents.Contents(self, own["_tfgraphtools_real"])
        return _of_object(self, attribute)

    def __getattr__(self, attribute):
        own = own_of(self)
        name = self.__name__
        row = lookup.row_of(name, attribute)
        full = name + "." + attribute
        if full in lookup.modules:  # before the rows, as an import has it
            shown = module(full)
            if rows.is_reporting():  # its use is counted
                own["_tfgraphtools_known"][attribute] = _ANY, shown
            return shown
        if row is not None:
            real_value = vars(own["_tfgraphtools_real"]).get(attribute, _ANY)
            provided_values = own["_tfgraphtools_given"]
            before, shown = provided_values.get(attribute, (_NOTHING, None))
            if before is real_value:
                rows.used(row)  # when it was given, nobody counted
            else:  # for the first time, or a test has patched the library, or takes it back
                shown = view_of(full, _provided(row, self, attribute))
                provided_values[attribute] = real_value, shown
                api_pickles.name(name, attribute, shown)
            if rows.is_reporting() or row.name in lookup.calls:
                own["_tfgraphtools_known"][attribute] = real_value, shown
            return shown
        if attribute == "__all__":
            return self._public_names()
        value = getattr(own["_tfgraphtools_real"], attribute, _NOTHING)
        if value is _NOTHING:
            if name in lookup.fallbacks:
                return lookup.fallbacks[name](name, attribute)
            raise AttributeError(f"module {name!r} has no attribute {attribute!r}")
        is_module = isinstance(value, types.ModuleType)
        if api_functions.may_be_shared(name, attribute) and not is_module:
            return api_functions.api_function(attribute, value, own["_tfgraphtools_real"], _of_both)
        shown = view_of(full, value)
        api_pickles.name(name, attribute, shown)
        own["_tfgraphtools_known"][attribute] = value, shown
        return shown

    def __setattr__(self, attribute, value):
        if not isinstance(type(self), _Modules):  # a class of user code called it
            types.ModuleType.__setattr__(self, attribute, value)
            return
        own_of(self)["_tfgraphtools_known"].pop(attribute, None)
        if attribute in lookup.rows_of(self.__name__):
            _, shown = own_of(self)["_tfgraphtools_given"].get(attribute, (None, _NOTHING))
            if value is shown:  # a patch ends: the row says again what stands here
                own_of(self).pop(attribute, None)
            else:
                own_of(self)[attribute] = value
        else:
            setattr(own_of(self)["_tfgraphtools_real"], attribute, value)

    def __delattr__(self, attribute):
        if not isinstance(type(self), _Modules):
            types.ModuleType.__delattr__(self, attribute)
        elif own_of(self).pop(attribute, None) is None:
            delattr(own_of(self)["_tfgraphtools_real"], attribute)

    def __reduce_ex__(self, protocol):
        return _unpickled, (self.__name__,)

    def __dir__(self):
        rows_here = lookup.rows_of(self.__name__)
        present = [name for name, row in rows_here.items() if row.run is not None]
        return sorted(set(dir(own_of(self)["_tfgraphtools_real"])).union(present))

    def __repr__(self):
        return repr(own_of(self)["_tfgraphtools_real"])

    def _public_names(self):
        real = own_of(self)["_tfgraphtools_real"]
        rows_here = lookup.rows_of(self.__name__)
        hidden = {
            name
            for name, row in rows_here.items()
            if row.run is None or row.name in lookup.unlisted
        }
        listed = getattr(real, "__all__", None)
        if listed is None:
            listed = [name for name in dir(real) if not name.startswith("_")]
        present = [name for name in rows_here if not name.startswith("_")]
        # TF 2.x lists it: `import *` would then change where a package of user code looks.
        return sorted(set(listed).union(present) - hidden - {"__path__"})


def _of_both(name):
    """Returns the real function of a name of the API, and what gives user code's."""
    parent, _, attribute = name.rpartition(".")
    view = module(parent)
    return getattr(real_of(view), attribute, None), functools.partial(getattr, view, attribute)


def _unpickled(name):
    """Returns the view of this name where user code has views, else the module."""
    return module(name) if lookup.concerns(name) else importlib.import_module(name)


_NOTHING, _ANY = object(), object()


def _provided(row, view, attribute):
    """Returns what user code gets for the name of a row; the real module's, where the row fails."""
    real = own_of(view)["_tfgraphtools_real"]
    try:
        return _provided_by_row(row, real, attribute)
    except Exception as error:  # pylint: disable=broad-except  # whatever a newer library does
        is_skipped = skipped.note_lookup(row, error)
        value = getattr(real, attribute, _NOTHING) if is_skipped else _NOTHING
        if value is _NOTHING:
            raise
        return value


def _provided_by_row(row, real, attribute):
    if row.name.endswith("." + lookup.HIDDEN):
        value = getattr(real, attribute, _NOTHING)
        if value is not _NOTHING:
            return value
        rows.used(row)
        return row.run(real)(attribute)
    if row.name not in lookup.calls:
        rows.used(row)
    if row.run is None:
        raise GoneError(row.name + ": " + row.why)
    return provided(row, real)


def provided(row, real):
    """Returns what user code gets for the name of a row, in front of this real module."""
    if row.name in lookup.calls:
        return row.run(real, functools.partial(rows.used, row))
    return row.run(real)


def real_of(module):
    """Returns the real module behind a view; any other object is its own."""
    return own_of(module)["_tfgraphtools_real"] if isinstance(module, View) else module


def view_of(name, value):
    """Returns `value` as user code sees it under `name`: modules with rows become views."""
    if name not in lookup.shown_by_views or isinstance(value, View):
        return value
    if not isinstance(value, types.ModuleType):
        return value
    if name not in lookup.views_by_name:
        lookup.views_by_name[name] = _made(View, name, value)
    return lookup.views_by_name[name]


def without(value, off):
    """Returns `value` as a file sees it that does without some rows.

    Args:
      value: what user code gets for ``import``.
      off: the names of the rows.
    """
    if not isinstance(value, View) or isinstance(value, _ViewWithout):
        return value
    shown = own_of(value).setdefault("_tfgraphtools_without", {})
    if off not in shown:
        root = value.__name__.partition(".")[0]
        names = {row.name for row in lookup.rows_below(root)}
        if names <= off:
            shown[off] = real_of(value)
        else:
            shown[off] = _made_without(value, off) if names & off else value
    return shown[off]


class _ViewWithout(View):
    """A view that shows Python's own names in the place of some rows."""

    def __getattr__(self, attribute):
        own = own_of(self)
        row = lookup.row_for(f"{self.__name__}.{attribute}")
        is_off = row is not None and row.name in own["_tfgraphtools_off"]
        behind = own["_tfgraphtools_real" if is_off else "_tfgraphtools_view"]
        return without(getattr(behind, attribute), own["_tfgraphtools_off"])

    def __setattr__(self, attribute, value):
        setattr(own_of(self)["_tfgraphtools_view"], attribute, value)

    def __delattr__(self, attribute):
        delattr(own_of(self)["_tfgraphtools_view"], attribute)


def _made_without(value, off):
    view = _made(_ViewWithout, value.__name__, real_of(value))
    own_of(view).update(_tfgraphtools_view=value, _tfgraphtools_off=off)
    return view


for _class in (View, _ViewWithout):
    _class.__name__ = _class.__qualname__ = "module"  # as of any module
    _class.__module__, _class.__doc__ = "builtins", types.ModuleType.__doc__


def module(name):
    """Returns the module that user code gets for ``import name``.

    Raises:
      ImportError: as the plain import does.
    """
    if name in lookup.modules:
        rows.used(lookup.modules[name])
        if lookup.modules[name].run is None:
            raise ModuleNotFoundError(lookup.modules[name].why, name=name)
        if name not in lookup.views_by_name:
            lookup.views_by_name[name] = view_of(name, _module_of_row(lookup.modules[name]))
    if name in lookup.views_by_name:
        return lookup.views_by_name[name]
    parent, _, leaf = name.rpartition(".")
    if not parent:
        real = (
            lookup.real_modules[name]()
            if name in lookup.real_modules
            else importlib.import_module(name)
        )
        return view_of(name, real)
    holder = module(parent)
    row = lookup.rows_of(parent).get(leaf)
    if row is not None and row.run is None:
        rows.used(row)
        raise ModuleNotFoundError(row.name + ": " + row.why, name=name)
    return _submodule(name, holder, leaf)


def _module_of_row(row):
    try:
        return row.run()
    except (AttributeError, ImportError) as error:
        skipped.note_lookup(row, error)
        raise


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
        return view_of(name, importlib.import_module(behind))
    except ModuleNotFoundError as error:
        value = getattr(parent, leaf, None)
        if error.name != behind or not isinstance(value, types.ModuleType):
            raise
        return view_of(name, sys.modules.get(behind, value))
