"""Builders of the tables of this part: a row per spelling, from short specs."""

import functools
import importlib
import pathlib
import types

from tfgraphtools.compat.engine.loading import standing_functions
from tfgraphtools.compat.engine.replacing import replaces
from tfgraphtools.compat.engine.rewrite_kinds import Call
from tfgraphtools.compat.engine.rows import Fix
from tfgraphtools.compat.engine.translate.removed_attributes import ASKED, fallback_row


def lines_of(module_file, name):
    """Returns the fields of each line of a table, ``name``, that lies beside a module."""
    text = pathlib.Path(module_file).with_name(name).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines() if not line.startswith("#")]


def lookup(spec):
    """Returns the object that ``"module:attribute.attribute"`` or ``"module"`` names."""
    name, _, path = spec.partition(":")
    value = importlib.import_module(name)
    for attribute in path.split(".") if path else ():
        value = getattr(value, attribute)
    return value


def finding(spec):
    """Returns a function that provides what `lookup` returns, for a row."""
    return lambda real: lookup(spec)


def provides(name, since, why, rewrite=None, cannot=None):
    """Returns a decorator that makes a row of a function which gives the name its value.

    The function takes the real module in which user code looks for the name.
    """

    def row_of(provide):
        return Fix(name, since, why, provide, rewrite, cannot)

    return row_of


def renaming(name, since, **today):
    """Returns a row of a function that takes arguments by their old names, too.

    Args:
      name, since: the row's.
      **today: old name of an argument -> its name today.
    """

    def provide(real, used):
        function = getattr(real, name.rpartition(".")[2])

        @functools.wraps(function)
        def renamed(*arguments, **options):
            for old in today.keys() & options.keys():
                used()
                value = options.pop(old)
                if options.get(today[old]) is None:
                    options[today[old]] = value
            return function(*arguments, **options)

        return renamed

    why = ", ".join(f"the argument {old} is called {new} now" for old, new in today.items())
    return Fix(name, since, why, provide, Call(keywords=today))


def standing(name, since, why, cannot=None):
    """Returns a decorator that makes a row of a function which itself is the name's value."""

    def row_of(function):
        return Fix(name, since, why, lambda real: function, cannot=cannot)

    return row_of


def replacements(row, function, *targets, through=()):
    """Replaces several attributes of a library by one function, for direct calls of user code.

    Args:
      row: the fix.
      function: gets the original and the arguments of the call.
      *targets: "module:names", the names separated by blanks.
      through: as for `replaces`; None for calls by way of the library.
    """
    return [
        replaces(f"{module}:{name}", row=row, through=through)(function)
        for module, _, names in (target.partition(":") for target in targets)
        for name in names.split()
    ]


def of(*roots):
    """Returns a check that a value is of a class of these packages; else an AttributeError."""

    def check(value):
        if not any(cls.__module__.partition(".")[0] in roots for cls in type(value).__mro__):
            raise AttributeError

    return check


def left(name, since, why, check, functions, module=None, cannot=None):
    """Returns a row of attributes that left objects.

    Args:
      name, since, why: the row's.
      check: called with the object; AttributeError when it never had the attribute.
      functions: attribute -> function of the object that gives its value.
      module: where given, only files that import this module are concerned.
      cannot: the row's; without it `upgrade` lets the runtime ask for the attribute.
    """

    def checked(function):
        def fallback(value):
            check(value)
            return function(value)

        return fallback

    fallbacks = {attribute: checked(function) for attribute, function in functions.items()}
    return fallback_row(name, since, why, fallbacks, module, rewrite=ASKED, cannot=cannot)


_BUILTIN = types.BuiltinFunctionType


def in_place_of(names, since, why, **fields):
    """Returns a decorator that makes rows of kind "calls" of one function.

    The function gets the original, ``used``, and the arguments of the call::

        @in_place_of("tensorflow.concat", "TF 1.0", "takes (concat_dim, values), too")
        def _concat(original, used, values, axis=None, name="concat"):

    Args:
      names: the dotted names that user code writes, separated by blanks; each has its original.
      since, why, **fields: those of the rows.

    Returns:
      the decorator; it gives a list of `Fix`, one for each name.
    """

    def rows_of(function):
        def provide(attribute, real, used):
            original = getattr(real, attribute)

            @functools.wraps(original)
            def replacement(*arguments, **options):
                return function(original, used, *arguments, **options)

            if isinstance(original, _BUILTIN):
                return standing_functions.as_builtin(original)(replacement)
            return replacement

        functools.update_wrapper(provide, function)
        return [
            Fix(name, since, why, functools.partial(provide, name.rpartition(".")[2]), **fields)
            for name in names.split()
        ]

    return rows_of
