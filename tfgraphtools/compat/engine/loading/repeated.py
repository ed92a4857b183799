"""Imports that were done before: what they gave, so that a repeated one costs little.

A function of user code may import at each call. What such a statement gives depends on
the tables, which stay, and on facts that are asked each time: which module stands in
``sys.modules``, and which value an attribute has. Once a fact has changed (a module was taken
away or replaced, by a mock, say), it is imported as if for the first time. Much of the 1.x API
is no module in ``sys.modules``: that it is absent still is what is asked then.

`importer.user_import` reads `whole` and `names` itself: it has the time of a few look-ups, as
Python's own import takes that of two calls of an empty function.
"""

import sys
import types

from tfgraphtools.compat.engine import parts, views

modules = sys.modules

#: name -> (its module in ``sys.modules`` at that time or ABSENT, what ``import name`` gave to all
#: of user code). Of a name with dots: (DOTTED, (its module, its first part, the module of that,
#: what it gave)). Of a name for which `before` is to be asked: (ASK, None).
whole = {}

#: The same of the names with ASK that mean one module to code for Python 2, and another one to
#: all other code: (its module in ``sys.modules``, what it gave). Of others: (ASK, None).
of_python2, of_others = {}, {}

ABSENT, DOTTED, ASK = object(), object(), object()

#: (name, names) -> (facts, what ``from name import names`` gave to all of user code), and
#: (name, None) -> (facts, what ``import name as another`` bound). A fact is a mapping, a key and
#: the value that it had there.
names = {}

#: What the other imports gave to one importer: (name, names or None, ``__name__`` of the importer)
#: -> (its globals, facts, what it got). To code for Python 2 a name may mean something else.
_of_importers = {}

#: name -> the first module that compat showed something else for.
_shown = {}


def begin():
    """Forgets all imports."""
    forget_known()
    _shown.clear()


def forget_known():
    """Makes all imports start again: a name may mean something else from now on."""
    for known in (whole, of_python2, of_others, names, _of_importers):
        known.clear()


def is_replaced(name):
    """Whether another module stands in ``sys.modules`` for one that was imported, a mock, say.

    Another copy of the same module is none: libraries import their parts by other names too.
    """
    before, now = _shown.get(name), modules.get(name)
    if before is None or now is before or name not in modules:
        return False
    return now is None or _name_of(now) != _name_of(before)


def _name_of(module):
    return getattr(getattr(module, "__spec__", None), "name", None)


def is_being_loaded(module):
    """Whether Python's own import would wait for the thread that loads this module."""
    return getattr(getattr(module, "__spec__", None), "_initializing", False)


class _Absences:
    """The names that no module in ``sys.modules`` has, as a mapping for facts."""

    def __getitem__(self, name):
        return None if name in modules else ABSENT


_absences = _Absences()


def _fact(name):
    """The fact that this module, or none, stands in ``sys.modules`` for a name."""
    return (modules, name, modules[name]) if name in modules else (_absences, name, ABSENT)


def before(name, importer, fromlist):
    """The earlier result of an import for this importer; None if it must be repeated.

    Args:
      name, fromlist: as ``__import__`` gets them.
      importer: the globals of the module that imports.
    """
    if fromlist is not None and type(fromlist) is not tuple:
        return None
    if fromlist is None and name not in modules and whole.get(name, _NEVER)[0] is ABSENT:
        return whole[name][1]
    key = name, fromlist, importer.get("__name__")
    its, facts, found = _of_importers.get(key, _NEVER)
    return found if its is importer and _are_true(facts) else None


def _are_true(facts):
    try:
        for mapping, key, value in facts:
            if mapping[key] is not value:
                return False
    except KeyError:
        return False
    return True


_NEVER = None, (), None


def note(name, importer, fromlist, found, is_view):
    """Remembers what an absolute import gave.

    Args:
      name: the name.
      importer: the globals of the module that imports; None where it will hardly do so again.
      fromlist: the same, or whatever a call of ``__import__`` has as its argument.
      found: what it gave.
      is_view: whether that is what compat shows instead of the module.
    """
    behind = modules.get(name, ABSENT)
    if behind is None or (behind is ABSENT and not is_view):
        return
    if is_being_loaded(behind):
        return
    if is_view and behind is not ABSENT:
        _shown.setdefault(name, behind)
    first = name.partition(".")[0]
    facts = [_fact(name)]
    if not fromlist and first != name:
        facts.append(_fact(first))
    if parts.only("differs")(name) or (len(facts) > 1 and behind is ABSENT):
        _note_for(name, importer, fromlist, facts, found)
        if not fromlist and not parts.only("differs_in_packages")(name):
            of_others[name] = behind, found
    elif fromlist:
        if importer is not None:
            _note_names(name, fromlist, facts, found, is_view)
    elif first != name:
        whole[name] = DOTTED, (behind, first, modules.get(first), found)
    else:
        whole[name] = behind, found


def note_in_package(name, importer, fromlist, found, package):
    """Remembers what an import gave that means something else outside of a package.

    Args:
      name, importer, fromlist, found: as `note` gets them.
      package: the package in which it was found.
    """
    own = [f"{package}.{one}" for one in {name, name.partition(".")[0]}]
    _note_for(name, importer, fromlist, list(map(_fact, own)), found)


def note_for_python2(name, importer, fromlist, found):
    """Remembers what an import gave that means something else to code for Python 2.

    Args:
      name, importer, fromlist, found: as `note` gets them.
    """
    if name not in modules:
        return
    _shown.setdefault(name, modules[name])
    _note_for(name, importer, fromlist, [_fact(name)], found)
    if not fromlist and not parts.only("differs_in_packages")(name):
        of_python2[name] = modules[name], found


def note_part(name, top, found):
    """Remembers what ``import name as another`` bound, for a name with dots.

    Args:
      name: the name.
      top: what ``import name`` gave.
      found: what it bound: the parts of the name were taken from `top`, one after the other.
    """
    behind, first = modules.get(name, ABSENT), name.partition(".")[0]
    if is_being_loaded(behind) or parts.only("differs")(name):
        return
    facts = [_fact(name), _fact(first)]
    for part in name.split(".")[1:]:
        fact = _fact_of(top, part)
        if fact is None:
            return
        facts.append(fact)
        top = getattr(top, part)
    if top is found and None not in (behind, facts[1][2]):
        names[name, None] = facts, found


def _note_for(name, importer, fromlist, facts, found):
    if not fromlist:
        whole[name] = ASK, None
        for apart in (of_python2, of_others):
            apart.setdefault(name, (ASK, None))
    if importer is None:
        return
    if fromlist:
        facts = _with_names(fromlist, facts, found, isinstance(found, views.View))
    if facts is not None:
        _of_importers[name, fromlist or None, importer.get("__name__")] = importer, facts, found


def _note_names(name, fromlist, facts, found, is_view):
    facts = _with_names(fromlist, facts, found, is_view)
    if facts is not None:
        names[name, fromlist] = facts, _Taken(found, fromlist) if is_view else found


def _with_names(fromlist, facts, found, is_view):
    """The facts, and those of the names that are taken; None where one is not to be told."""
    if type(fromlist) is not tuple or "*" in fromlist:
        return None
    if not is_view and not hasattr(found, "__path__"):
        return facts  # Python looks for no modules in it: the statement itself finds its names
    for item in fromlist:
        fact = _fact_of(found, item)
        if fact is None:
            return None
        facts.append(fact)
    return facts


def _fact_of(module, attribute):
    if isinstance(module, views.View):
        return views.fact_of(module, attribute)
    own = getattr(module, "__dict__", {})
    return (own, attribute, own[attribute]) if attribute in own else None


class _Taken(types.ModuleType):
    """What ``from module import names`` of a function takes its names from, instead of a view.

    A view asks the rows and the real module for each name. Here they are as the view had
    them; whether that is so still was asked before, by their facts.
    """

    def __init__(self, view, names):
        super().__init__(view.__name__)
        own = self.__dict__
        own.clear()
        own["_tfgraphtools_view"] = view
        for name in names:
            own[name] = getattr(view, name)

    __getattribute__ = object.__getattribute__

    def __getattr__(self, attribute):
        return getattr(self.__dict__["_tfgraphtools_view"], attribute)

    def __setattr__(self, attribute, value):  # of whoever calls ``__import__`` himself
        setattr(self.__dict__["_tfgraphtools_view"], attribute, value)
