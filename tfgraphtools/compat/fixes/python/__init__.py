"""Python's own modules, builtins and syntax.

Modules and names that left:
  renamed_modules, python2_modules, standard_library, old_names   with Python 2
  removed_modules, removed, inspect, standard_objects             with Python 3.7 to 3.14
Calls and classes that changed:
  builtins, enum, float_sums, json, open_modes, pickles, random, regular_expressions, string_io
How code is run:
  finders         finders of modules without ``find_spec``
  generators      generators that end by StopIteration
  mocks           patching by a dotted name

Modules that were written for Python 2 are in `fixes.python2`.
"""

from tfgraphtools.compat.fixes.python import (
    builtins,
    enum,
    finders,
    float_sums,
    generators,
    inspect,
    json,
    mocks,
    old_names,
    open_modes,
    pickles,
    random,
    regular_expressions,
    removed,
    removed_modules,
    renamed_modules,
    standard_library,
    standard_objects,
)

TABLES = (
    builtins.TABLE,
    renamed_modules.TABLE,
    standard_library.TABLE,
    json.TABLE,
    old_names.TABLE,
    removed_modules.TABLE,
    removed_modules.GONE,
    removed.TABLE,
    removed.GONE,
    inspect.TABLE,
    random.TABLE,
    standard_objects.TABLE,
    pickles.TABLE,
    regular_expressions.TABLE,
    generators.TABLE,
    mocks.TABLE,
    mocks.MODULES,
    open_modes.TABLE,
    float_sums.TABLE,
    enum.TABLE,
    finders.TABLE,
)


def install(options):
    """Makes finders that user code puts into ``sys.meta_path`` work as before."""
    finders.install()
