"""The fixes for modules that were written for Python 2 as a whole."""

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rewrite_kinds import Syntax

_SINCE = "Python 3.0"

SYNTAX = rows.Row(
    "python2.syntax",
    _SINCE,
    "source that only Python 2 can parse is translated in memory, line by line",
    rewrite=Syntax("python2.syntax"),
)
BY_NAMES = rows.Row(
    "python2.by_names",
    _SINCE,
    "a module that uses xrange, unicode, urllib2... unguarded runs as Python 2 code",
    rewrite=Syntax("python2.by_names"),
)
BY_COMPANY = rows.Row(
    "python2.by_company",
    _SINCE,
    "a module that is imported together with one that only Python 2 can parse runs as Python 2 "
    "code",
    rewrite=Syntax("python2.by_company"),
)
DIVISION = rows.Row(
    "python2.division",
    _SINCE,
    "a / b of integers is floored, unless the module imports division from __future__",
    rewrite=Syntax("python2.division"),
)
PRINT = rows.Row(
    "python2.print",
    _SINCE,
    "print is a statement: `print x,` leaves a soft space, `print >>file, x` writes to a file",
    rewrite=Syntax("python2.print"),
)
LISTS = rows.Row(
    "python2.lists",
    _SINCE,
    "map, filter, zip, range, dict.keys, dict.values and dict.items return lists",
    rewrite=Syntax("python2.lists"),
)
BUILTINS = rows.Row(
    "python2.builtins",
    _SINCE,
    "round returns a float and rounds half away from zero; input evaluates the typed text",
    rewrite=Syntax("python2.builtins"),
)
CLASSES = rows.Row(
    "python2.classes",
    _SINCE,
    "__metaclass__, __nonzero__, next, __div__, __cmp__ and similar methods work",
    rewrite=Syntax("python2.classes"),
)
IMPORTS = rows.Row(
    "python2.implicit_relative_imports",
    _SINCE,
    "inside a package `import x` means the package's own x first",
    rewrite=Syntax("python2.implicit_relative_imports"),
)
MATH = rows.Row(
    "python2.math",
    _SINCE,
    "math.floor and math.ceil return floats",
    cannot="math.floor and math.ceil return integers: wrap them in float() if needed",
)
RANDOM = rows.Row(
    "python2.random",
    _SINCE,
    "randint, randrange, choice, shuffle and sample draw the same numbers as Python 2 from the "
    "same seed",
    cannot="Python 3 draws other numbers from the same seed",
)

ORDER = rows.Row(
    "python2.order",
    _SINCE,
    "values of different types are ordered: None, numbers, then by the names of their types",
    cannot="compare only values of one type: Python 3 raises TypeError for None < 1",
)
COMPREHENSIONS = rows.Row(
    "python2.comprehension_variables",
    _SINCE,
    "the variable of a list comprehension stays in the scope around it",
    cannot="write a loop if the last value is used afterwards",
)
NUMBERS = rows.Row(
    "python2.oct",
    _SINCE,
    "oct(8) is '010'; oct and hex call __oct__ and __hex__ of a class",
    rewrite=Syntax("python2.oct"),
)
UNICODE = rows.Row(
    "python2.unicode",
    _SINCE,
    "unicode(x) calls __unicode__, or decodes; text.translate takes the characters to delete",
    cannot="write str(x), bytes.decode(), str.translate(str.maketrans('', '', 'b'))",
)
EXCEPTIONS = rows.Row(
    "python2.exceptions",
    _SINCE,
    "error[0] and `code, text = error` read its arguments; sys.exc_type is the type of the error "
    "being handled",
    cannot="write error.args[0], sys.exc_info()[0]",
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
