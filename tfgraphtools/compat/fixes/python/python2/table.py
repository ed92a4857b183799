"""The fixes for modules that were written for Python 2 as a whole."""

from tfgraphtools.compat.engine import rows

_SINCE = "Python 3.0"

SYNTAX = rows.Row(
    "python2.syntax",
    _SINCE,
    "source that only Python 2 can parse is translated in memory, line for line",
)
BY_NAMES = rows.Row(
    "python2.by_names",
    _SINCE,
    "a module that uses xrange, unicode, urllib2... unguarded gets Python 2's meaning as a whole",
)
BY_COMPANY = rows.Row(
    "python2.by_company",
    _SINCE,
    "a module that is imported beside one that only Python 2 can parse is Python 2's as well",
)
DIVISION = rows.Row(
    "python2.division",
    _SINCE,
    "a / b of whole numbers is floored, unless the module imports division from __future__",
)
PRINT = rows.Row(
    "python2.print",
    _SINCE,
    "print is a statement: `print x,` leaves a space due, `print >>file, x` writes to a file",
)
LISTS = rows.Row(
    "python2.lists",
    _SINCE,
    "map, filter, zip, range and a dict's keys, values and items are lists",
)
BUILTINS = rows.Row(
    "python2.builtins",
    _SINCE,
    "round gives a float, halves away from zero; input evaluates what was typed",
)
CLASSES = rows.Row(
    "python2.classes",
    _SINCE,
    "__metaclass__, __nonzero__, next, __div__, __cmp__ and their kin work as they did",
)
IMPORTS = rows.Row(
    "python2.implicit_relative_imports",
    _SINCE,
    "inside a package `import x` means the package's own x first",
)
MATH = rows.Row(
    "python2.math",
    _SINCE,
    "math.floor and math.ceil give floats",
)
RANDOM = rows.Row(
    "python2.random",
    _SINCE,
    "randint, randrange, choice, shuffle and sample draw what they drew from the same seed",
)

ORDER = rows.Row(
    "python2.order",
    _SINCE,
    "values of different types are ordered: None, numbers, then by the names of their types",
)
COMPREHENSIONS = rows.Row(
    "python2.comprehension_variables",
    _SINCE,
    "the variable of a list comprehension stays in the scope around it",
)
NUMBERS = rows.Row(
    "python2.oct",
    _SINCE,
    "oct(8) is '010'; oct and hex ask a class's __oct__ and __hex__",
)
UNICODE = rows.Row(
    "python2.unicode",
    _SINCE,
    "unicode(x) asks __unicode__, or decodes; text.translate takes what to delete",
)
EXCEPTIONS = rows.Row(
    "python2.exceptions",
    _SINCE,
    "error[0] and `code, text = error` take its arguments; sys.exc_type is that being handled",
)

TABLE = rows.Table(
    "Modules written for Python 2",
    "listed",
    (
        SYNTAX,
        BY_NAMES,
        BY_COMPANY,
        DIVISION,
        PRINT,
        LISTS,
        BUILTINS,
        CLASSES,
        IMPORTS,
        MATH,
        RANDOM,
        ORDER,
        COMPREHENSIONS,
        NUMBERS,
        UNICODE,
        EXCEPTIONS,
    ),
)
