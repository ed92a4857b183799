"""The one way to change an attribute of a library: for user code alone.

`replaces` is a decorator. It finds the attribute, puts a wrapper in its place, asks at each call
who calls, and leaves everything else the original::

    @replaces("pandas:DataFrame.drop", since="pandas 2.0", why="the axis may be positional")
    def drop(original, self, labels=None, *arguments, **options):
        if arguments:
            drop.used()
            options["axis"], *arguments = arguments
        return original(self, labels, *arguments, **options)

    TABLE = table("arguments by position", drop, ...)

    def install(options):
        install_after_import(drop, ...)

The function gets the original first, then the arguments of the call. It runs only where user
code, or a package written for TF1, is the caller: the first frame outside of the library. An
installed library, and the library itself on its behalf, get the original. Nothing has to be asked
in the function, and everything is undone by `state.restore`.

- A function, method, class method, static method or property is replaced as what it is; the
  function of a property gets its original getter and the object.
- `adds` is for attributes that the library lost: only user code sees them, an installed library
  gets its AttributeError. Prefer `attributes.fallback_row`, which changes no class.
- A name that user code reads from a module needs no wrapper: a row of kind "names" or "calls" is
  shown by its view of the module. Replace what is reached in another way: methods, and functions
  that the library itself calls.
- What the caller cannot tell (a gradient function, a kernel), `when` tells by what the function
  works on.
"""

import functools
import importlib
import inspect
import sys

from tfgraphtools.compat.engine import after_import, rows, skipped, state
from tfgraphtools.compat.engine.loading import own_code
from tfgraphtools.compat.engine.replacing import callers
from tfgraphtools.compat.engine.rows import Fix, Table

_ABSENT = object()


class Replacement:
    """A function that stands for an attribute of a library: see `replaces` and `adds`.

    Attributes:
      row: the fix that it belongs to.
      targets: what it replaces, as "module:attribute"; the first one decides.
    """

    def __init__(self, function, targets, row, wrap, is_new=False):
        """Makes a replacement; `apply` puts it in force.

        Args:
          function, targets, row: the attributes, and the function itself.
          wrap: a function of what the library holds under a name and of this name; it gives
            what the library is to hold.
          is_new: whether the attribute may be one that the library does not have.
        """
        functools.update_wrapper(self, getattr(function, "fget", function))
        self.row, self.targets = row, targets
        self._function, self._wrap, self._is_new = function, wrap, is_new

    def used(self):
        """Records that the run used the fix: called where the result differs from the original."""
        rows.used(self.row)

    def __call__(self, *arguments, **options):
        return self._function(*arguments, **options)

    def apply(self):
        """Replaces all targets until `state.restore`.

        Raises:
          AttributeError, ImportError: the library has none of this name.
        """
        with state.applying(self.row.name):
            self._apply()

    def _apply(self):
        first, *others = self.targets
        owner, name = _owner(first)
        held = _held(owner, name)
        if held is _ABSENT and not self._is_new:
            held = getattr(owner, name)
        replaced = self._wrap(held, name)
        state.set_attribute(owner, name, replaced, self._is_new, state.USER_CODE)
        for target in others:
            owner, name = _owner(target)
            if _held(owner, name) is held:
                state.set_attribute(owner, name, replaced, audience=state.USER_CODE)


def replaces(
    target,
    since=None,
    why="",
    row=None,
    also=(),
    through=None,
    when=None,
    name=None,
    rewrite=None,
    cannot=None,
):
    """Returns a decorator: the function stands for an attribute of a library, for user code.

    Does nothing until the `Replacement` is applied: by `table` or by `install_after_import`.

    Args:
      target: "module:function" or "module:Class.method".
      since, why: those of the row; the row is named as the target with a dot.
      row: the row, where several replacements are one fix, or its name is another.
      also: further places that may hold the same object, and get the replacement then.
      through: the packages that may stand between the caller and the function; the root of the
        target by default. ``()``: only direct calls of user code.
      when: a function of the call's arguments that tells whether user code's is what they work
        on. It takes the place of the question who calls.
      name: the name of the row, if it is not that of the target.
      rewrite, cannot: those of the row.

    Returns:
      the decorator; it gives a `Replacement`. The function gets the original and the arguments.
    """
    row = row or Fix(name or target.replace(":", "."), since, why, rewrite=rewrite, cannot=cannot)
    is_user = _question(target, through, row)
    if when is None:
        rows.asking.add(row.name)

    def decorate(function):
        def wrap(held, name):
            return _rewrapped(
                held, lambda original: _wrapper(function, original, is_user, when, row)
            )

        return Replacement(function, (target, *also), row, wrap)

    return decorate


def adds(target, since=None, why="", row=None, through=None, name=None, rewrite=None):
    """Returns a decorator: the function is a method that a class has for user code only.

    Args:
      target: "module:Class.method", which the class does not have. The function gets the object
        and the arguments; one that was made by ``property`` is a property.
      since, why, row, through, name, rewrite: as for `replaces`.
    """
    row = row or Fix(name or target.replace(":", "."), since, why, rewrite=rewrite)
    is_user = _question(target, through, row)
    rows.asking.add(row.name)

    def decorate(function):
        def wrap(held, name):
            kind = _AddedProperty if isinstance(function, property) else _Added
            return kind(function, held, name, is_user)

        return Replacement(function, (target,), row, wrap, is_new=True)

    return decorate


def table(title, *replacements, kind="listed"):
    """Returns the table of the rows of these replacements.

    Args:
      title: as for `Table`.
      *replacements: what `replaces` and `adds` have made.
      kind: "patches" for what is applied once TensorFlow is loaded; "listed" for what
        `install_after_import` applies.
    """
    fixes = {}
    for replacement in replacements:
        fixes.setdefault(replacement.row, []).append(replacement)
    return Table(
        title,
        kind,
        [
            row._replace(run=functools.partial(_apply_all, members)) if kind == "patches" else row
            for row, members in fixes.items()
        ],
    )


def _apply_all(replacements):
    for replacement in replacements:
        replacement.apply()


def install_after_import(*replacements):
    """Applies replacements once the modules of their targets are loaded, if their rows are on.

    One that fails on this version of the library is skipped by its name.
    """
    for replacement in replacements:
        if rows.is_on(replacement.row):
            module = replacement.targets[0].partition(":")[0]
            after_import.call(
                module, functools.partial(_apply_one, replacement), replacement.row.name
            )


def _apply_one(replacement, module):
    replacement.apply()


def _question(target, through, row):
    if through is None:
        through = (target.partition(":")[0].partition(".")[0],)
    return callers.question(through, row.name)


def _wrapper(function, original, is_user, when, row):
    """Returns the function that the library holds: it calls the replacement, or the original."""
    get_frame, is_broken = sys._getframe, False

    @functools.wraps(original)
    def replaced(*arguments, **options):
        nonlocal is_broken
        asked = is_user(get_frame().f_back) if when is None else when(*arguments, **options)
        if not asked or is_broken:
            return original(*arguments, **options)
        try:
            return function(original, *arguments, **options)
        except (AttributeError, ImportError) as error:
            if not _lacks_a_name(error):
                raise
            skipped.note(row.name, error)
            is_broken = True
        return original(*arguments, **options)

    return replaced


def _lacks_a_name(error):
    """Tells whether a replacement itself looked up a name that this version of a library lacks."""
    trace = error.__traceback__
    while trace.tb_next is not None:
        trace = trace.tb_next
    is_ours = own_code.is_own(trace.tb_frame.f_code.co_filename)
    return is_ours and skipped.missing_name(error) is not None


def _rewrapped(held, wrap):
    """Wraps what a class or module holds as the kind of attribute that it is."""
    if isinstance(held, (classmethod, staticmethod)):
        return type(held)(wrap(held.__func__))
    if isinstance(held, property):
        return property(wrap(held.fget), held.fset, held.fdel, held.__doc__)
    return wrap(held)


class _Added:
    """An attribute of a class that only user code sees; others see what the class had."""

    def __init__(self, function, held, name, is_user):
        self._function, self._held = function, held
        self._name, self._is_user = name, is_user

    def __get__(self, value, kind=None):
        if self._is_user(sys._getframe().f_back):
            return _bound(self._function, value, kind)
        if self._held is not _ABSENT:
            return _bound(self._held, value, kind)
        raise _missing(value, kind, self._name)


class _AddedProperty(_Added):
    """The same as a property: user code sees it before an attribute of the object itself."""

    def __get__(self, value, kind=None):
        own = {} if value is None else vars(value)
        if self._name in own and not self._is_user(sys._getframe().f_back):
            return own[self._name]
        return super().__get__(value, kind)

    def __set__(self, value, to):
        if self._function.fset is not None and self._is_user(sys._getframe().f_back):
            self._function.fset(value, to)
        elif hasattr(type(self._held), "__set__"):
            self._held.__set__(value, to)
        else:
            vars(value)[self._name] = to

    def __delete__(self, value):
        if self._name not in vars(value):
            raise AttributeError(self._name)
        del vars(value)[self._name]


def _missing(value, kind, name):
    """Returns Python's own error for an attribute that an object, or its class, lacks."""
    other = name + "?"  # which nothing has
    try:
        type.__getattribute__(kind, other) if value is None else object.__getattribute__(
            value, other
        )
    except AttributeError as error:
        return AttributeError(str(error).replace(other, name))


def _bound(held, value, kind):
    get = getattr(type(held), "__get__", None)
    return held if get is None else get(held, value, kind)


def _owner(target):
    """Returns the object that holds the attribute of a target, and the attribute's name."""
    module, _, path = target.partition(":")
    owner = importlib.import_module(module)
    *parents, name = path.split(".")
    for parent in parents:
        owner = getattr(owner, parent)
    return owner, name


def _held(owner, name):
    """Returns what an owner holds or inherits under a name, not bound to anything."""
    if inspect.ismodule(owner):
        return getattr(owner, name, _ABSENT)
    return inspect.getattr_static(owner, name, _ABSENT)
