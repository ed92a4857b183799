"""The rows in force, by the module and the name of user code that they are about.

`views` shows user code its modules by this. Parts add rows that no table lists, and modules.
"""

import types

from tfgraphtools.compat.engine.views import api_functions, api_pickles

#: module name -> {attribute: row}, for the tables of kind "names", "calls" and "gone".
_attributes = {}

#: The names of the rows that say themselves when they are used: those of kind "calls".
calls = set()

#: The names of rows that ``import *`` leaves out.
unlisted = set()

#: module name -> row, for modules that no longer exist under this name.
modules = {}

#: module name -> function of (module name, attribute) for what neither rows nor the module have.
fallbacks = {}

#: The names of all modules that rows have something to say about.
shown_by_views = set()

#: name -> function without arguments that gives the real module behind a view.
real_modules = {}

#: name -> what user code gets for it.
views_by_name = {}


_NO_ROWS = types.MappingProxyType({})

#: A row of this name in a module stands for all names that begin with an underscore.
HIDDEN = "_*"


def rows_of(name):
    """Returns what rows say about a module: {attribute: row}."""
    return _attributes.get(name, _NO_ROWS)


def row_of(name, attribute):
    """Returns the row of an attribute of a module, or None."""
    rows_here = rows_of(name)
    row = rows_here.get(attribute)
    if row is None and attribute.startswith("_") and not attribute.startswith("__"):
        row = rows_here.get(HIDDEN)
    return row


def counts_calls(row):
    """Tells whether what a row provides says itself when it is used."""
    return row.name in calls


def begin(tables):
    """Puts the tables in force: those rows of theirs that are not switched off."""
    end()
    for name in api_pickles.MODULES:
        _mark_for_view("tensorflow." + name)
    for table in tables:
        for row in table.on():
            if table.kind == "gone" and "." not in row.name:
                register_missing(row.name, row)
            elif table.kind in ("names", "calls", "gone"):
                register_attribute(row)
                if table.kind == "calls":
                    calls.add(row.name)
                    if api_functions.register(row.name):
                        for name in api_functions.DEFINING:
                            _mark_for_view(name)
            elif table.kind == "modules":
                register_missing(row.name, row)


def end():
    """Forgets all tables and all views that were made."""
    for registry in (
        _attributes,
        calls,
        unlisted,
        modules,
        fallbacks,
        shown_by_views,
        real_modules,
        views_by_name,
    ):
        registry.clear()
    api_functions.forget()


def forget_root(root):
    """Makes the tables ignore a package and its contents."""
    for registry in (_attributes, modules, fallbacks, views_by_name):
        for name in [name for name in registry if name.partition(".")[0] == root]:
            del registry[name]
    shown_by_views.difference_update(
        [name for name in shown_by_views if name.partition(".")[0] == root]
    )


def register_attribute(row, is_listed=True, name=None):
    """Makes user code get what this row provides under its dotted name.

    Args:
      row: the row.
      is_listed: whether ``import *`` of the module takes the name.
      name: another dotted name than the row's.
    """
    parent, _, attribute = (name or row.name).rpartition(".")
    if not is_listed:
        leave_out(row.name)
    _attributes.setdefault(parent, {})[attribute] = row
    _forget_known(parent, attribute)
    _mark_for_view(parent)


def leave_out(name):
    """Makes ``import *`` of a module skip what a row provides under this dotted name."""
    unlisted.add(name)


def register_missing(name, row):
    """Makes user code get the module that this row provides for ``import name``.

    The module is never put into ``sys.modules``, where a library that probes for
    it would find it.
    """
    modules[name] = row
    parent, _, leaf = name.rpartition(".")
    _forget_known(parent, leaf)
    _mark_for_view(parent)


def register_fallback(name, provide):
    """Makes user code get ``provide(name, attribute)`` for removed names of this module.

    Args:
      name: the module's name.
      provide: raises AttributeError where there is nothing.
    """
    fallbacks[name] = provide
    _mark_for_view(name)


def register_module(name, module):
    """Makes user code get this very module for ``import name``."""
    views_by_name[name] = module
    _mark_for_view(name)


def row_for(name):
    """Returns the row that says what user code gets for a dotted name, or None."""
    parent, _, attribute = name.rpartition(".")
    return modules.get(name) or row_of(parent, attribute)


def rows_below(root):
    """Returns the rows that say what user code finds in a package, and which modules are gone."""
    inside = root + "."
    rows_inside = [row for name, row in modules.items() if (name + ".").startswith(inside)]
    for name, rows_here in _attributes.items():
        if (name + ".").startswith(inside):
            rows_inside += rows_here.values()
    return rows_inside


def attribute_rows(name):
    """Returns the rows that say what user code finds in this module."""
    return list(rows_of(name).values())


def register_real(name, real):
    """Makes the view of `name` represent ``real()`` instead of the module of that name."""
    real_modules[name] = real
    _mark_for_view(name)


def _mark_for_view(name):
    while name and (views_by_name or name not in shown_by_views):
        shown_by_views.add(name)
        parent, _, leaf = name.rpartition(".")
        _forget_known(parent, leaf)
        name = parent


def _forget_known(name, attribute):
    """Makes the view of a module, where there is one, ask the rows for this attribute again."""
    view = views_by_name.get(name)
    if view is not None:
        own = object.__getattribute__(view, "__dict__")
        own.get("_tfgraphtools_known", {}).pop(attribute, None)


def concerns(name):
    """Tells whether the tables say something about this module, or about its package."""
    root = name.partition(".")[0]
    return root in shown_by_views or root in modules
