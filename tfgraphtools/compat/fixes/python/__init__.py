"""Python's own modules, builtins and syntax.

Modules and names that left:
  python2_modules, standard_library            with Python 2
  cgi_and_pipes, inspect, standard_objects   with Python 3.7 to 3.14
  fixes/removed.tsv                            what is a line of data
Calls and classes that changed:
  python2_builtins, enum, float_sums, json, named_values, open_modes, pickles, random_methods,
  regular_expressions, string_io
How code is run:
  awaited_locks   locks of asyncio
  generators      generators that end by StopIteration
  mocks           patching by a dotted name

Modules that were written for Python 2 are in `fixes.python2`.
"""

from tfgraphtools.compat.engine.replacing import install_after_import
from tfgraphtools.compat.fixes import removed
from tfgraphtools.compat.fixes.python import (
    awaited_locks,
    cgi_and_pipes,
    enum,
    float_sums,
    generators,
    inspect,
    json,
    mocks,
    named_values,
    open_modes,
    pickles,
    python2_builtins,
    python2_modules,
    random_methods,
    regular_expressions,
    standard_library,
    standard_objects,
)

TABLES = (
    *removed.tables_of("Python", "setuptools"),
    python2_builtins.TABLE,
    python2_modules.TABLE,
    standard_library.TABLE,
    json.TABLE,
    cgi_and_pipes.TABLE,
    inspect.TABLE,
    random_methods.TABLE,
    random_methods.OF_CLASS,
    standard_objects.TABLE,
    pickles.TABLE,
    regular_expressions.TABLE,
    generators.TABLE,
    awaited_locks.TABLE,
    mocks.TABLE,
    mocks.MODULES,
    open_modes.TABLE,
    float_sums.TABLE,
    enum.TABLE,
    named_values.TABLE,
    named_values.CALLS,
)

HELPERS = awaited_locks.HELPERS


def install(options):
    """Changes methods of Python's classes for user code."""
    replacements = (*enum.REPLACEMENTS, *named_values.REPLACEMENTS)
    install_after_import(*random_methods.METHODS, *replacements)
