"""Attributes that left the objects of the standard library."""

import html
from operator import attrgetter

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import left, of
from tfgraphtools.compat.rewrites.attribute_names import TEST_CASE


def _contains_subset(case):
    def contains(subset, dictionary, msg=None):
        case.assertEqual(dictionary, dict(dictionary, **subset), msg)

    return contains


def _readfp(parser):
    def readfp(fp, filename=None):
        return parser.read_file(fp, filename)

    return readfp


def _find_module(finder):
    def find_module(name, path=None):
        spec = finder.find_spec(name, path) if path is not None else finder.find_spec(name)
        return None if spec is None else spec.loader

    return find_module


def _loaders(value):
    """Does what `of` does for the finders of importlib, which are frozen modules."""
    cls = value if isinstance(value, type) else type(value)
    if "importlib" not in cls.__module__ and "zipimport" not in cls.__module__:
        raise AttributeError


def _attribute(name):
    return lambda request: lambda: getattr(request, name)


#: Methods of ``urllib2.Request`` -> what does the same.
_OF_REQUESTS = {
    "add_data": lambda request: lambda data: setattr(request, "data", data),
    "get_data": _attribute("data"),
    "get_host": _attribute("host"),
    "get_origin_req_host": _attribute("origin_req_host"),
    "get_selector": _attribute("selector"),
    "get_type": _attribute("type"),
    "has_data": lambda request: lambda: request.data is not None,
    "is_unverifiable": _attribute("unverifiable"),
}

TABLE = Table(
    "removed attributes of objects of the standard library",
    "listed",
    [
        left(
            "array.tostring",
            "Python 3.9",
            "array.array's tostring and fromstring are tobytes and frombytes",
            of("array"),
            {"tostring": attrgetter("tobytes"), "fromstring": attrgetter("frombytes")},
        ),
        left(
            "xml.getchildren",
            "Python 3.9",
            "element.getchildren() is list(element), getiterator is iter",
            of("xml"),
            {
                "getchildren": lambda element: lambda: list(element),
                "getiterator": attrgetter("iter"),
            },
        ),
        left(
            "threading.isAlive",
            "Python 3.9",
            "thread.isAlive() is thread.is_alive()",
            of("threading", "multiprocessing"),
            {"isAlive": attrgetter("is_alive")},
        ),
        left(
            "unittest.TestCase",
            "Python 3.12",
            "assertEquals is assertEqual; the same for similar aliases",
            of("unittest"),
            dict(
                {old: attrgetter(new) for old, new in TEST_CASE.items()},
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
            "HTMLParser.unescape",
            "Python 3.9",
            "parser.unescape(text) of an HTMLParser is html.unescape(text)",
            of("html"),
            {"unescape": lambda parser: html.unescape},
        ),
        left(
            "urllib2.Request",
            "Python 3.4",
            "request.get_host(), add_data(data) and similar methods are attributes now",
            of("urllib"),
            _OF_REQUESTS,
            cannot="write request.host, request.data = data",
        ),
        left(
            "importlib.find_module",
            "Python 3.12",
            "finder.find_module(name) is the loader of finder.find_spec(name)",
            _loaders,
            {"find_module": _find_module, "find_loader": _find_module},
        ),
    ],
)
