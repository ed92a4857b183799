"""Attributes that left the objects of the standard library."""

import collections

from tfgraphtools.compat.engine.rewrites.attributes import TEST_CASE
from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import left, of


def _renamed(new):
    return lambda value: getattr(value, new)


def _contains_subset(case):
    def contains(subset, dictionary, msg=None):
        case.assertEqual(dictionary, dict(dictionary, **subset), msg)

    return contains


def _readfp(parser):
    def readfp(fp, filename=None):
        return parser.read_file(fp, filename)

    return readfp


def _unescape(parser):
    import html

    return html.unescape


def _find_module(finder):
    def find_module(name, path=None):
        spec = finder.find_spec(name, path) if path is not None else finder.find_spec(name)
        return None if spec is None else spec.loader

    return find_module


def _constant(node):
    return node.value


def _loaders(value):
    """`of` for the finders of importlib, which are frozen modules."""
    cls = value if isinstance(value, type) else type(value)
    if "importlib" not in cls.__module__ and "zipimport" not in cls.__module__:
        raise AttributeError


def _is_signature_class(value):
    import inspect

    if value is not inspect.Signature:
        raise AttributeError


def _is_named_tuple(value):
    cls = value if isinstance(value, type) else type(value)
    if not issubclass(cls, tuple) or "_fields" not in vars(cls):
        raise AttributeError


def _field_types(value):
    return collections.OrderedDict(value.__annotations__)


TABLE = Table(
    "removed attributes of objects of the standard library",
    "listed",
    [
        left(
            "array.tostring",
            "Python 3.9",
            "array.array's tostring and fromstring are tobytes and frombytes",
            of("array"),
            {"tostring": _renamed("tobytes"), "fromstring": _renamed("frombytes")},
        ),
        left(
            "xml.getchildren",
            "Python 3.9",
            "element.getchildren() is list(element), getiterator is iter",
            of("xml"),
            {
                "getchildren": lambda element: lambda: list(element),
                "getiterator": _renamed("iter"),
            },
        ),
        left(
            "threading.isAlive",
            "Python 3.9",
            "thread.isAlive() is thread.is_alive()",
            of("threading", "multiprocessing"),
            {"isAlive": _renamed("is_alive")},
        ),
        left(
            "unittest.TestCase",
            "Python 3.12",
            "assertEquals is assertEqual; the same for similar aliases",
            of("unittest"),
            dict(
                {old: _renamed(new) for old, new in TEST_CASE.items()},
                assertDictContainsSubset=_contains_subset,
            ),
        ),
        left(
            "configparser.readfp",
            "Python 3.12",
            "parser.readfp(file) is parser.read_file(file)",
            of("configparser"),
            {"readfp": _readfp},
        ),
        left(
            "html.unescape",
            "Python 3.9",
            "parser.unescape(text) is html.unescape(text)",
            of("html"),
            {"unescape": _unescape},
        ),
        left(
            "importlib.find_module",
            "Python 3.12",
            "finder.find_module(name) is the loader of finder.find_spec(name)",
            _loaders,
            {"find_module": _find_module, "find_loader": _find_module},
        ),
        left(
            "ast.Constant",
            "Python 3.14",
            "node.s and node.n are node.value",
            of("ast"),
            {"s": _constant, "n": _constant},
            "ast",
        ),
        left(
            "inspect.Signature",
            "Python 3.11",
            "Signature.from_function and from_builtin are from_callable",
            _is_signature_class,
            dict.fromkeys(("from_function", "from_builtin"), _renamed("from_callable")),
            "inspect",
        ),
        left(
            "typing.NamedTuple",
            "Python 3.9",
            "cls._field_types is cls.__annotations__",
            _is_named_tuple,
            {"_field_types": _field_types},
            "typing",
        ),
        left(
            "gzip.filename",
            "Python 3.12",
            "file.filename is file.name",
            of("gzip"),
            {"filename": _renamed("name")},
            "gzip",
        ),
    ],
)
