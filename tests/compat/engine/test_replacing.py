"""Attributes of a library that are replaced for user code: who gets what, and the way back.

The library, and another one that calls it, lie in a folder of installed packages; the user's
module beside it calls both. Each probe is read by all, before, while and after compat is active.
"""

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

LIBRARY = """
def twice(x):
    return 2 * x

alias = twice

def four_times(x):
    return twice(twice(x))

def alone(x):
    return x

def around(x):
    return alone(x)

def even(x):
    return x

def hand_on(function, x):
    return function(x)

class Thing:
    def method(self, x):
        return x

    @classmethod
    def of_class(cls, x):
        return x

    @staticmethod
    def static(x):
        return x

    @property
    def size(self):
        return 1

class Child(Thing):
    pass
"""

PROBES = {
    "a function": "library.twice(1)",
    "an alias of it": "library.alias(1)",
    "a function that the library calls": "library.four_times(1)",
    "a function that gets it": "library.hand_on(library.twice, 1)",
    "the caller's own function": "library.hand_on(lambda x: library.twice(x), 1)",
    "through functools": "functools.partial(library.twice, 1)()",
    "an argument by name": "library.twice(x=1)",
    "a method": "library.Thing().method(1)",
    "an inherited method": "library.Child().method(1)",
    "a class method": "library.Thing.of_class(1)",
    "a static method": "library.Thing.static(1)",
    "a property": "library.Thing().size",
    "a direct call": "library.alone(1)",
    "no direct call": "library.around(1)",
    "what it works on is the user's": "library.even(2)",
    "what it works on is another's": "library.even(3)",
    "an added method": "library.Thing().gone(1)",
    "an added property": "library.Thing().old_size",
    "hasattr": "hasattr(library.Thing, 'gone'), hasattr(library.Thing(), 'old_size')",
    "its signature": "str(inspect.signature(library.twice))",
    "its name": "library.twice.__qualname__, library.twice.__module__",
    "pickled": "pickle.loads(pickle.dumps(library.twice)) is library.twice",
}

#: What user code gets where it is not what others get.
OF_USERS = {
    "a function": 1002,
    "an alias of it": 1002,
    "a function that the library calls": 3004,
    "a function that gets it": 1002,
    "the caller's own function": 1002,
    "through functools": 1002,
    "an argument by name": 1002,
    "a method": 1001,
    "an inherited method": 1001,
    "a class method": 1001,
    "a static method": 1001,
    "a property": 1001,
    "a direct call": 1001,
    "what it works on is the user's": 1002,
    "an added method": 1001,
    "an added property": 1000,
    "hasattr": (True, True),
}

READER = """
import functools, inspect, pickle
import library

def read(probes):
    def result(text):
        try:
            return eval(text, globals())
        except AttributeError as error:
            return str(error)
    return {name: result(text) for name, text in probes.items()}
"""

SCRIPT = """
import sys
sys.path.insert(0, "site-packages")
import reader_before, other
from tfgraphtools import compat
from tfgraphtools.compat.engine import replacing, state

def add(target, **options):
    def function(original, *arguments, **given):
        return original(*arguments, **given) + 1000
    return replacing.replaces("library:" + target, since="1.0", why="", **options)(function)

@replacing.adds("library:Thing.gone", since="1.0", why="")
def gone(self, x):
    gone.used()
    return x + 1000

@replacing.adds("library:Thing.old_size", since="1.0", why="")
@property
def old_size(self):
    return 1000

is_users = {{2: True}}  # of what `even` works on
fixes = [add("alone", through=()), add("even", when=lambda x: reading and is_users.get(x, False))]
fixes += [add("twice", also=["library:alias", "library:four_times"]), gone, old_size]
fixes += [add("Thing." + name) for name in ("method", "of_class", "static", "size")]
probes = {probes!r}
reading = False
plain = other.read(probes)
for attempt in range(2):
    handle = compat.activate()
    replacing.install_after_import(*fixes)
    import reader_after
    for reader in (reader_before, reader_after):
        reading = True
        seen = reader.read(probes)
        reading = False
        print({{name: seen[name] for name in probes if seen[name] != plain[name]}})
    print(other.read(probes) == plain)
    handle.deactivate()
    print(other.read(probes) == plain, reader_before.read(probes) == plain)
"""


@pytest.fixture(scope="module")
def printed(compat_server, tmp_path_factory):
    folder = tmp_path_factory.mktemp("replacing")
    installed = folder / "site-packages"
    installed.mkdir()
    (installed / "library.py").write_text(LIBRARY)
    (installed / "other.py").write_text(READER)
    (folder / "reader_before.py").write_text(READER)
    (folder / "reader_after.py").write_text(READER)
    (folder / "check.py").write_text(SCRIPT.format(probes=PROBES))
    done = compat_server.run_python(folder, "check.py")
    assert done.code == 0, done.err[-3000:]
    return [eval(line) if line.startswith("{") else line for line in done.out.splitlines()]


@pytest.mark.parametrize("reader", [0, 1], ids=["loaded before", "loaded after"])
@pytest.mark.parametrize("attempt", [0, 1], ids=["first", "second"])
def test_user_code_gets_the_replacement(reader, attempt, printed):
    assert printed[4 * attempt + reader] == OF_USERS


def test_libraries_get_the_original(printed):
    assert printed[2] == printed[6] == "True"


def test_all_get_the_original_afterwards(printed):
    assert printed[3] == printed[7] == "True True"
