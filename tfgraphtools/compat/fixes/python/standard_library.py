"""Names that left modules of the standard library."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import made, moved, standing

_PY3 = "Python 3.0"
_ABSTRACT = (
    "AsyncGenerator AsyncIterable AsyncIterator Awaitable ByteString Callable Collection Container "
    "Coroutine Generator Hashable Iterable Iterator ItemsView KeysView Mapping MappingView "
    "MutableMapping MutableSequence MutableSet Reversible Sequence Set Sized ValuesView"
).split()

MOVED = [
    *moved("collections", "Python 3.10", {n: "collections.abc:" + n for n in _ABSTRACT}),
    *moved(
        "itertools",
        _PY3,
        {
            "izip": "builtins:zip",
            "imap": "builtins:map",
            "ifilter": "builtins:filter",
            "ifilterfalse": "itertools:filterfalse",
            "izip_longest": "itertools:zip_longest",
        },
    ),
    *moved(
        "string",
        _PY3,
        {
            "letters": "string:ascii_letters",
            "lowercase": "string:ascii_lowercase",
            "uppercase": "string:ascii_uppercase",
            "maketrans": "builtins:str.maketrans",
            "atoi": "builtins:int",
            "atol": "builtins:int",
            "atof": "builtins:float",
            **{
                name: "builtins:str." + name
                for name in (
                    "capitalize count expandtabs find index ljust lower lstrip replace rfind "
                    "rindex rjust rstrip split strip swapcase translate upper zfill"
                ).split()
            },
        },
    ),
    *moved(
        "urllib",
        _PY3,
        {
            **{n: "urllib.request:" + n for n in "urlopen urlretrieve urlcleanup".split()},
            **{
                name: "urllib.parse:" + name
                for name in "quote quote_plus unquote unquote_plus urlencode".split()
            },
            **{
                name: "urllib.request:" + name
                for name in "getproxies pathname2url url2pathname".split()
            },
            "URLopener": "urllib.request:OpenerDirector",
        },
    ),
    *moved(
        "types",
        _PY3,
        {
            "BooleanType": "builtins:bool",
            "ComplexType": "builtins:complex",
            "DictType": "builtins:dict",
            "FileType": "tfgraphtools.compat.fixes.python.builtins:File",
            "FloatType": "builtins:float",
            "IntType": "builtins:int",
            "ListType": "builtins:list",
            "LongType": "builtins:int",
            "ObjectType": "builtins:object",
            "SliceType": "builtins:slice",
            "StringType": "builtins:str",
            "TupleType": "builtins:tuple",
            "TypeType": "builtins:type",
            "ClassType": "builtins:type",
            "UnicodeType": "builtins:str",
        },
    ),
    *moved(
        "operator",
        _PY3,
        {
            "div": "tfgraphtools.compat.fixes.python2.division:divide",
            "idiv": "tfgraphtools.compat.fixes.python2.division:divide_in_place",
            "isCallable": "builtins:callable",
            "repeat": "operator:mul",
            "sequenceIncludes": "operator:contains",
        },
    ),
    *moved(
        "os", _PY3, {"getcwdu": "os:getcwd", "errno": "errno", "tmpfile": "tempfile:TemporaryFile"}
    ),
    *moved("sys", _PY3, {"maxint": "sys:maxsize"}),
    *moved("time", "Python 3.8", {"clock": "time:process_time"}),
    *moved("cgi", "Python 3.8", {"escape": "html:escape"}),
    *moved(
        "base64",
        "Python 3.9",
        {"encodestring": "base64:encodebytes", "decodestring": "base64:decodebytes"},
    ),
]


@standing("string.join", _PY3, "string.join(words, separator) is separator.join(words)")
def _string_join(words, separator=" "):
    return separator.join(words)


@made("types.StringTypes", _PY3, "the tuple of text types")
def _string_types(real):
    return (str,)


@standing("sys.setdefaultencoding", _PY3, "does nothing: text is always Unicode")
def _set_default_encoding(encoding):
    return None


@standing(
    "sys.exc_clear", _PY3, "does nothing: Python 3 clears an exception at the end of its handler"
)
def _exc_clear():
    return None


@standing("fractions.gcd", "Python 3.9", "the greatest common divisor, with the sign of b")
def _gcd(a, b):
    while b:
        a, b = b, a % b
    return a


TABLE = Table(
    "names that left the standard library",
    "names",
    [
        *MOVED,
        _string_join,
        _string_types,
        _set_default_encoding,
        _exc_clear,
        _gcd,
    ],
)
