"""The fixes for modules that were written for Python 2 as a whole."""

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rewrite_kinds import Syntax


def _row(name, why, cannot=None):
    """Returns the row of a fix; without `cannot`, `upgrade` writes it."""
    name = "python2." + name
    rewrite = None if cannot else Syntax(name)
    return rows.Fix(name, "Python 3.0", why, rewrite=rewrite, cannot=cannot)


SYNTAX = _row("syntax", "source that only Python 2 can parse is translated in memory, line by line")
BY_NAMES = _row(
    "by_names", "a module that uses xrange, unicode, urllib2... unguarded runs as Python 2 code"
)
BY_COMPANY = _row(
    "by_company",
    "a module that is imported together with one that only Python 2 can parse runs as Python 2 "
    "code",
)
DIVISION = _row(
    "division", "a / b of integers is floored, unless the module imports division from __future__"
)
PRINT = _row(
    "print",
    "print is a statement: `print x,` leaves a soft space, `print >>file, x` writes to a file",
)
LISTS = _row("lists", "map, filter, zip, range, dict.keys, dict.values and dict.items return lists")
BUILTINS = _row(
    "builtins",
    "round returns a float and rounds half away from zero; input evaluates the typed text",
)
CLASSES = _row(
    "classes", "__metaclass__, __nonzero__, next, __div__, __cmp__ and similar methods work"
)
IMPORTS = _row(
    "implicit_relative_imports", "inside a package `import x` means the package's own x first"
)
MATH = _row(
    "math",
    "math.floor and math.ceil return floats",
    "math.floor and math.ceil return integers: wrap them in float() if needed",
)
RANDOM = _row(
    "random",
    "randint, randrange, choice, shuffle and sample draw the same numbers as Python 2 from the "
    "same seed",
    "Python 3 draws other numbers from the same seed",
)
ORDER = _row(
    "order",
    "values of different types are ordered: None, numbers, then by the names of their types",
    "compare only values of one type: Python 3 raises TypeError for None < 1",
)
COMPREHENSIONS = _row(
    "comprehension_variables",
    "the variable of a list comprehension stays in the scope around it",
    "write a loop if the last value is used afterwards",
)
NUMBERS = _row("oct", "oct(8) is '010'; oct and hex call __oct__ and __hex__ of a class")
UNICODE = _row(
    "unicode",
    "unicode(x) calls __unicode__, or decodes; text.translate takes the characters to delete",
    "write str(x), bytes.decode(), str.translate(str.maketrans('', '', 'b'))",
)
BYTES = _row(
    "bytes",
    "files and str are bytes: literals, files, encode(), struct, zlib, base64, hashlib, csv and "
    "json; binary files take text",
    "binary files take bytes: text.encode()",
)
TEXT = _row(
    "text",
    "str(0.1 + 0.2) is '0.3'; repr shows long as 5L; \\w, \\d and \\s mean ASCII",
    "write '%.12g' % x for str(x); pass re.ASCII",
)
HASHES = _row(
    "hashes",
    "hash(x), and with it the order of sets and dictionaries, is that of Python 2.7",
    "sort sets before they become a list, use collections.OrderedDict",
)
EXCEPTIONS = _row(
    "exceptions",
    "error[0] and `code, text = error` read its arguments; sys.exc_type is the type of the error "
    "being handled",
    "write error.args[0], sys.exc_info()[0]",
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
        BYTES,
        TEXT,
        HASHES,
        EXCEPTIONS,
    ),
)
