"""Calls that the standard library took until Python 3.9 to 3.14."""

import functools
import math

from tfgraphtools.compat.engine.rewrites.kinds import Call, old_call
from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import made

# random ---------------------------------------------------------------------


def _whole(value):
    """A float that is an integer, as an int; NumPy's numbers too."""
    if isinstance(value, float) and value == int(value):
        return int(value)
    return value


def old_methods(plain, used):
    """The methods of random.Random that took more; `plain` looks up today's."""

    def sample(population, k, **options):
        if isinstance(population, (set, frozenset)) or not hasattr(population, "__getitem__"):
            used("sample")
            population = tuple(population)
        return plain("sample")(population, _whole(k), **options)

    def shuffle(x, random=None):
        if random is None:
            return plain("shuffle")(x)
        used("shuffle")
        for last in reversed(range(1, len(x))):
            other = int(random() * (last + 1))
            x[last], x[other] = x[other], x[last]

    def randrange(start, stop=None, step=1):
        values = [start, stop, step]
        fixed = [_whole(value) for value in values]
        if any(a is not b for a, b in zip(values, fixed)):
            used("randrange")
        return plain("randrange")(*fixed)

    def randint(a, b):
        if _whole(a) is not a or _whole(b) is not b:
            used("randint")
        return plain("randint")(_whole(a), _whole(b))

    def seed(a=None, version=2):
        if a is not None and not isinstance(a, (int, float, str, bytes, bytearray)):
            used("seed")
            a = hash(a)
        return plain("seed")(a, version)

    def gammavariate(alpha, beta):
        if alpha != 1.0:
            return plain("gammavariate")(alpha, beta)
        used("gammavariate")
        u = plain("random")()
        while u <= 1e-7:
            u = plain("random")()
        return -math.log(u) * beta

    def betavariate(alpha, beta):
        y = gammavariate(alpha, 1.0)
        return y / (y + gammavariate(beta, 1.0)) if y else 0.0

    methods = (sample, shuffle, randrange, randint, seed, gammavariate, betavariate)
    return {f.__name__: f for f in methods}


_RANDOM = {
    "sample": "draws from sets, too, in the order of list(set)",
    "shuffle": "takes random=, too",
    "randrange": "takes floats without a fraction, too",
    "randint": "takes floats without a fraction, too",
    "gammavariate": "draws the same numbers as until Python 3.7",
    "betavariate": "draws the same numbers as until Python 3.7",
    "seed": "takes any hashable value (NumPy integers, tuples)",
}


def _random_row(name):
    def provide(real, used):
        def plain(method):
            return getattr(real, method)

        return functools.wraps(getattr(real, name))(old_methods(plain, lambda _: used())[name])

    since = "Python 3.8" if name in ("gammavariate", "betavariate") else "Python 3.11"
    return made("random." + name, since, _RANDOM[name])(provide)


@made(
    "random.Random",
    "Python 3.8",
    "its methods take the arguments that the functions of random took",
)
def _random_class(real, used):
    def method(name):
        def call(self, *arguments, **options):
            def plain(other):
                return functools.partial(getattr(real.Random, other), self)

            return old_methods(plain, lambda _: used())[name](*arguments, **options)

        return functools.wraps(getattr(real.Random, name))(call)

    methods = {name: method(name) for name in _RANDOM}
    return type("Random", (real.Random,), dict(methods, __module__="random"))


# Arguments ------------------------------------------------------------------


def _dropping(name, since, dropped, why):
    """A function or class without arguments that it no longer takes."""

    def provide(real, used):
        plain = getattr(real, name.rpartition(".")[2])

        def without(options):
            if not dropped.isdisjoint(options):
                used()
            return {key: value for key, value in options.items() if key not in dropped}

        if not isinstance(plain, type):
            return functools.wraps(plain)(lambda *a, **options: plain(*a, **without(options)))

        def __init__(self, *arguments, **options):
            plain.__init__(self, *arguments, **without(options))

        return type(plain)(plain.__name__, (plain,), {"__init__": __init__})

    return made(name, since, why, Call(keywords=dict.fromkeys(sorted(dropped))))(provide)


#: How gettext was to encode what it gave.
_CODES = {"codeset", "unicode"}

_LOOP = [
    _dropping("asyncio." + name, "Python 3.10", {"loop"}, "accepts loop= and uses the running loop")
    for name in (
        "sleep gather wait_for shield as_completed Queue LifoQueue PriorityQueue Lock Event "
        "Condition Semaphore BoundedSemaphore"
    ).split()
]


@made("asyncio.get_event_loop", "Python 3.14", "creates a loop if the thread has none")
def _get_event_loop(real, used):
    def get_event_loop():
        try:
            return real.get_event_loop()
        except RuntimeError:
            used()
            real.set_event_loop(real.new_event_loop())
            return real.get_event_loop()

    return get_event_loop


def _exception_row(name):
    def provide(real, used):
        function = getattr(real, name)

        @functools.wraps(function)
        def call(*arguments, **options):
            if "etype" in options:
                used()
                arguments = (options.pop("etype"), *arguments)
            return function(*arguments, **options)

        return call

    why = "takes etype=, which is exc= now"
    full = "traceback." + name
    return made(full, "Python 3.10", why, old_call(full, "etype"))(provide)


@made(
    "urllib.request.urlopen",
    "Python 3.13",
    "takes cafile= and capath=, which set up the SSL context",
    old_call("urllib.request.urlopen", "cafile", "capath", "cadefault"),
)
def _urlopen(real, used):
    @functools.wraps(real.urlopen)
    def urlopen(url, data=None, *arguments, **options):
        places = {key: options.pop(key, None) for key in ("cafile", "capath")}
        options.pop("cadefault", None)
        if any(places.values()):
            import ssl

            used()
            options["context"] = ssl.create_default_context(**places)
        return real.urlopen(url, data, *arguments, **options)

    return urlopen


@made("math.factorial", "Python 3.10", "takes floats without a fraction, too")
def _factorial(real, used):
    def factorial(x):
        if isinstance(x, float) and x == int(x):
            used()
            x = int(x)
        return real.factorial(x)

    return factorial


CALLS = Table(
    "old calls of Python 3",
    "calls",
    [
        *[_random_row(name) for name in _RANDOM],
        _random_class,
        *_LOOP,
        _get_event_loop,
        *[_exception_row("print_exception"), _exception_row("format_exception")],
        _exception_row("format_exception_only"),
        _urlopen,
        _factorial,
        _dropping("gettext.install", "Python 3.0", _CODES, "texts are Unicode"),
        _dropping("gettext.translation", "Python 3.0", _CODES, "texts are Unicode"),
        _dropping(
            "collections.namedtuple",
            "Python 3.7",
            {"verbose"},
            "accepts verbose=, which has no effect",
        ),
        _dropping(
            "fileinput.input", "Python 3.8", {"bufsize"}, "accepts bufsize=, which has no effect"
        ),
        _dropping(
            "fileinput.FileInput",
            "Python 3.8",
            {"bufsize"},
            "accepts bufsize=, which has no effect",
        ),
        _dropping(
            "bz2.BZ2File", "Python 3.9", {"buffering"}, "accepts buffering=, which has no effect"
        ),
        _dropping(
            "plistlib.load",
            "Python 3.9",
            {"use_builtin_types"},
            "accepts use_builtin_types=, which has no effect",
        ),
        _dropping(
            "plistlib.loads",
            "Python 3.9",
            {"use_builtin_types"},
            "accepts use_builtin_types=, which has no effect",
        ),
    ],
)
