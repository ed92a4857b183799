"""Names that left modules of the standard library from Python 3.7 to 3.14.

`scripts/removals` finds them: it compares what every Python has. Those before 3.7
and the commonest are in `names`.
"""

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.build import made, moved, standing

MOVED = [
    *moved("configparser", "Python 3.12", {"SafeConfigParser": "configparser:ConfigParser"}),
    *moved("io", "Python 3.10", {"OpenWrapper": "io:open"}),
    *moved("ntpath", "Python 3.7", {"splitunc": "ntpath:splitdrive"}),
    *moved("platform", "Python 3.8", {"popen": "os:popen"}),
    *moved("re", "Python 3.13", {"template": "re:compile"}),
    *moved("sqlite3", "Python 3.10", {"OptimizedUnicode": "builtins:str"}),
    *moved("tarfile", "Python 3.8", {"filemode": "stat:filemode"}),
    *moved("wave", "Python 3.9", {"openfp": "wave:open"}),
    *moved("sunau", "Python 3.9", {"openfp": "sunau:open"}),
    *moved("aifc", "Python 3.9", {"openfp": "aifc:open"}),
    *moved("logging", "Python 3.13", {"warn": "logging:warning"}),
    *moved("email.utils", "Python 3.7", {"ecre": "email.header:ecre"}),
    *moved("unittest", "Python 3.12", {"_TextTestResult": "unittest:TextTestResult"}),
    *moved(
        "urllib.request",
        "Python 3.8",
        {
            name: "urllib.parse:_" + name
            for name in (
                "splitattr splithost splitpasswd splitport splitquery splittag splittype "
                "splituser splitvalue to_bytes"
            ).split()
        },
    ),
]


@standing("locale.format", "Python 3.12", "locale.format is locale.format_string of one number")
def _locale_format(percent, value, grouping=False, monetary=False, *additional):
    import locale

    value = (value, *additional) if additional else value
    return locale.format_string(percent, value, grouping, monetary)


@standing("locale.resetlocale", "Python 3.13", "sets the locale that the environment names")
def _resetlocale(category=None):
    import locale

    locale.setlocale(locale.LC_ALL if category is None else category, "")


@made("ssl.wrap_socket", "Python 3.12", "wraps a socket by an SSLContext of these arguments")
def _wrap_socket(real):
    def wrap_socket(
        sock,
        keyfile=None,
        certfile=None,
        server_side=False,
        cert_reqs=real.CERT_NONE,
        ssl_version=real.PROTOCOL_TLS,
        ca_certs=None,
        do_handshake_on_connect=True,
        suppress_ragged_eofs=True,
        ciphers=None,
    ):
        if server_side and not certfile:
            raise ValueError("certfile must be specified for server-side operations")
        if keyfile and not certfile:
            raise ValueError("certfile must be specified")
        context = real.SSLContext(ssl_version)
        context.check_hostname = False
        context.verify_mode = cert_reqs
        if ca_certs:
            context.load_verify_locations(ca_certs)
        if certfile:
            context.load_cert_chain(certfile, keyfile)
        if ciphers:
            context.set_ciphers(ciphers)
        return context.wrap_socket(
            sock,
            server_side=server_side,
            do_handshake_on_connect=do_handshake_on_connect,
            suppress_ragged_eofs=suppress_ragged_eofs,
        )

    return wrap_socket


@made("ssl.RAND_pseudo_bytes", "Python 3.12", "random bytes, and whether they are strong")
def _pseudo_bytes(real):
    return lambda n: (real.RAND_bytes(n), True)


@standing("importlib.find_loader", "Python 3.12", "the loader of importlib.util.find_spec")
def _find_loader(name, path=None):
    import importlib.machinery
    import importlib.util

    if path is not None:
        spec = importlib.machinery.PathFinder.find_spec(name, path)
    else:
        spec = importlib.util.find_spec(name)
    return None if spec is None else spec.loader


@standing("pkgutil.find_loader", "Python 3.14", "the loader of importlib.util.find_spec")
def _pkgutil_find_loader(fullname):
    return _find_loader.provide(None)(fullname)


@standing("pkgutil.get_loader", "Python 3.14", "the loader of a module or of its name")
def _get_loader(module_or_name):
    import sys

    module = sys.modules.get(module_or_name, module_or_name)
    if module is None:
        return None
    if isinstance(module, str):
        return _find_loader.provide(None)(module)
    return getattr(module, "__loader__", None)


def _same(function):
    return function


_DECORATORS = [
    standing("importlib.util." + name, "Python 3.12", "a loader does this by itself")(_same)
    for name in ("module_for_loader", "set_loader", "set_package")
]


@standing("inspect.formatargspec", "Python 3.11", "the text of a function's arguments")
def _formatargspec(args, varargs=None, varkw=None, defaults=None, *ignored, **also_ignored):
    first = len(args) - len(defaults or ())
    shown = [
        name if at < first else f"{name}={defaults[at - first]!r}" for at, name in enumerate(args)
    ]
    shown += ["*" + varargs] if varargs else []
    shown += ["**" + varkw] if varkw else []
    return "(" + ", ".join(shown) + ")"


@made("inspect.ArgSpec", "Python 3.11", "what getargspec returns")
def _arg_spec(real):
    from tfgraphtools.compat.fixes.python import names

    return names.ArgSpec


@made("asyncio.coroutine", "Python 3.11", "a generator whose `yield from` awaits")
def _coroutine(real):
    import functools
    import inspect
    import types

    def coroutine(function):
        if inspect.iscoroutinefunction(function):
            return function
        if inspect.isgeneratorfunction(function):
            return types.coroutine(function)

        @functools.wraps(function)
        def generator(*arguments, **options):
            found = function(*arguments, **options)
            if inspect.isawaitable(found) or inspect.isgenerator(found):
                found = yield from found
            return found

        return types.coroutine(generator)

    return coroutine


@standing("os.stat_float_times", "Python 3.7", "times of files are floats; nothing is set")
def _stat_float_times(newvalue=None):
    return True


@standing("sys.setcheckinterval", "Python 3.9", "threads switch by time; nothing is set")
def _setcheckinterval(interval):
    return None


@standing("sys.getcheckinterval", "Python 3.9", "100, as it always was")
def _getcheckinterval():
    return 100


@standing("platform.dist", "Python 3.8", "name, version and code name of the system")
def _dist(*ignored, **also_ignored):
    from tfgraphtools.compat.fixes.python import names

    return names.linux_distribution()


def _calendar_month(name, number):
    why = f"calendar.{name} is {number}"
    return made("calendar." + name, "Python 3.12", why)(lambda real: number)


def _no_flag(name):
    provide = made("re." + name, "Python 3.13", "the flag changes nothing that matches")
    return provide(lambda real: real.RegexFlag(0))


_UNITTEST = {
    "makeSuite": "the tests of a class",
    "findTestCases": "the tests of a module",
    "getTestCaseNames": "the names of a class's tests",
}


def _loading_tests(name):
    """A function of unittest that a TestLoader does."""

    def provide(real):
        def call(*arguments, **options):
            loader = real.TestLoader()
            for option, attribute in (("prefix", "testMethodPrefix"), ("sortUsing", None)):
                value = options.pop(option, None)
                if value is not None and attribute:
                    setattr(loader, attribute, value)
            if name == "makeSuite":
                return loader.loadTestsFromTestCase(arguments[0])
            if name == "findTestCases":
                return loader.loadTestsFromModule(arguments[0])
            return loader.getTestCaseNames(arguments[0])

        return call

    return made("unittest." + name, "Python 3.13", _UNITTEST[name])(provide)


def _plist(old, new, binary):
    """A function of plistlib that takes a path or an open file."""

    def provide(real):
        function = getattr(real, new)

        def call(*arguments):
            if not binary:
                return function(*arguments)
            values, file = arguments[:-1], arguments[-1]
            if not isinstance(file, str):
                return function(*values, file)
            with open(file, "wb" if values else "rb") as opened:
                return function(*values, opened)

        return call

    why = f"plistlib.{old} is plistlib.{new}"
    return made("plistlib." + old, "Python 3.9", why)(provide)


@made("plistlib.Data", "Python 3.9", "plistlib.Data(x) is x itself")
def _plist_data(real):
    return bytes


def node_class(library, since, name, kinds, **others):
    """A class of ast, or of gast, that stood for constants of some types.

    Args:
      library, since: the module, and the version that dropped the class.
      name, kinds: the name of the class, and the types of its values.
      others: the other fields of a constant there.
    """

    def provide(real):
        class Meta(type):
            def __instancecheck__(cls, value):
                constant = getattr(value, "value", value)
                return isinstance(value, real.Constant) and type(constant) in kinds

            def __call__(cls, *arguments, **options):
                named = [options[key] for key in ("n", "s", "value") if key in options]
                return real.Constant(value=[*arguments, *named, ...][0], **others)

        return Meta(name, (), {})

    why = f"{library}.{name} is a kind of {library}.Constant"
    return made(f"{library}.{name}", since, why)(provide)


#: Classes of constants, and the types of their values.
NODES = {
    "Num": (int, float, complex),
    "Str": (str,),
    "Bytes": (bytes,),
    "NameConstant": (type(None), bool),
    "Ellipsis": (type(...),),
}


@made("urllib.request.URLopener", "Python 3.14", "opens and retrieves URLs by urlopen")
def _url_opener(real):
    class URLopener:
        """Opens URLs."""

        def __init__(self, *ignored, **also_ignored):
            self.addheaders = []

        def open(self, url, data=None):
            """The open response."""
            return real.urlopen(real.Request(url, data, dict(self.addheaders)))

        def addheader(self, *header):
            """Sends this header with every request."""
            self.addheaders.append(header)

        def retrieve(self, url, filename=None, reporthook=None, data=None):
            """Downloads to a file: (its name, the headers)."""
            return real.urlretrieve(url, filename, reporthook, data)

    return URLopener


@made("sqlite3.version", "Python 3.14", "the last version of the module")
def _sqlite_version(real):
    return "2.6.0"


@made("sqlite3.version_info", "Python 3.14", "the last version of the module")
def _sqlite_version_info(real):
    return (2, 6, 0)


TABLE = Table(
    "names that left Python 3",
    "names",
    [
        *MOVED,
        _locale_format,
        _resetlocale,
        _wrap_socket,
        _pseudo_bytes,
        _find_loader,
        _pkgutil_find_loader,
        _get_loader,
        *_DECORATORS,
        _formatargspec,
        _arg_spec,
        _coroutine,
        _stat_float_times,
        _setcheckinterval,
        _getcheckinterval,
        _dist,
        _no_flag("T"),
        _no_flag("TEMPLATE"),
        _calendar_month("January", 1),
        _calendar_month("February", 2),
        *[_loading_tests(name) for name in _UNITTEST],
        _plist("readPlist", "load", True),
        _plist("writePlist", "dump", True),
        _plist("readPlistFromBytes", "loads", False),
        _plist("writePlistToBytes", "dumps", False),
        _plist_data,
        *[node_class("ast", "Python 3.14", name, kinds) for name, kinds in NODES.items()],
        _url_opener,
        _sqlite_version,
        _sqlite_version_info,
    ],
)

_LOCALE_BYTES = "it returned bytes in the locale's encoding: use the function without l"

GONE = Table(
    "names that left Python 3 for good",
    "gone",
    [
        *[
            Row("gettext." + name, "Python 3.11", _LOCALE_BYTES)
            for name in "lgettext lngettext ldgettext ldngettext bind_textdomain_codeset".split()
        ],
        *[
            Row("binascii." + name, "Python 3.11", "BinHex is a format of old Macintoshes")
            for name in "a2b_hqx b2a_hqx rlecode_hqx rledecode_hqx".split()
        ],
    ],
)
