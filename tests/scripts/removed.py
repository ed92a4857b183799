# %% random.sample random.shuffle random.randint random.randrange random.seed random.Random random.gammavariate random.betavariate
import random
import numpy as np
random.seed(np.int64(7))
print(random.sample({1, 2, 3, 4, 5}, 3), random.randint(1, 10.0), random.randrange(20.0))
values = list(range(8))
random.shuffle(values, lambda: 0.3)
print(values)
print("%.10f %.10f" % (random.gammavariate(1, 2.0), random.betavariate(1, 2)))
own = random.Random((1, 2).__len__())
print(own.sample(frozenset([4, 5, 6]), 2), own.randint(0.0, 9), isinstance(own, random.Random))
own.seed(np.int32(3))
print(own.random(), random.choice([1, 2, 3]))
# %% collections.AsyncGenerator collections.AsyncIterable collections.AsyncIterator collections.Awaitable collections.ByteString collections.Collection collections.Coroutine collections.Generator collections.Reversible
import collections
print([issubclass(list, getattr(collections, name)) for name in (
    "AsyncGenerator AsyncIterable AsyncIterator Awaitable ByteString Collection Coroutine "
    "Generator Reversible").split()])
# %% io.OpenWrapper tarfile.filemode sqlite3.OptimizedUnicode platform.popen wave.openfp aifc.openfp sunau.openfp
import aifc, io, platform, sqlite3, sunau, tarfile, wave
open("a", "w").write("abc")
with io.OpenWrapper("a") as file:
    print(file.read(), tarfile.filemode(0o100644), sqlite3.OptimizedUnicode is str)
print(platform.popen("echo 1").read())
print([callable(module.openfp) for module in (aifc, sunau, wave)])
# %% ntpath.splitunc email.utils.ecre [not-on-1.15: Python 3.7 dropped them]
import email.utils, ntpath
print(ntpath.splitunc("//host/mount/x"))
print(bool(email.utils.ecre.search("=?utf-8?q?a?=")))
#> ('//host/mount', '/x')
#> True
# %% urllib.request.splitattr urllib.request.splithost urllib.request.splitpasswd urllib.request.splitport urllib.request.splitquery urllib.request.splittag urllib.request.splittype urllib.request.splituser urllib.request.splitvalue urllib.request.to_bytes
from urllib.request import splitattr, splithost, splitpasswd, splitport, splitquery, splittag, splittype, splituser, splitvalue, to_bytes
print(splittype("http://a/b"), splithost("//a:80/b"), splitport("a:80"), splitquery("a?b=1"))
print(splitattr("/p;a=1"), splitpasswd("u:p"), splittag("a#b"), splituser("u@h"), splitvalue("a=b"), to_bytes("a"))
# %% inspect.formatargspec inspect.ArgSpec dummy_threading
import inspect, dummy_threading
def f(a, b=2, *c, **d): pass
spec = inspect.getargspec(f)
print(inspect.formatargspec(*spec), isinstance(spec, inspect.ArgSpec), spec)
made = dummy_threading.Thread(target=print, args=("in a thread",))
made.start(); made.join()
# %% plistlib.readPlistFromBytes plistlib.writePlistToBytes plistlib.Data
import plistlib
print(plistlib.readPlistFromBytes(plistlib.writePlistToBytes({"b": 1})))
print(bytes(plistlib.Data(b"x").data if hasattr(plistlib.Data(b"x"), "data") else plistlib.Data(b"x")))
# %% imp importlib.find_module [needs: imp]
import imp, pkgutil
open("single.py", "w").write("value = 3\n")
print(imp.load_source("other", "single.py").value, imp.find_module("single", ["."])[1:], imp.new_module("made").__name__)
print(imp.load_module("again", *imp.find_module("single", ["."])).value, imp.reload(__import__("single")).value, imp.PY_SOURCE)
for finder, name, is_package in pkgutil.iter_modules(["."]):
    if name == "single":
        print(finder.find_module(name).load_module(name).value, is_package)
# %% locale.format calendar.January calendar.February logging.warn re.template re.T re.TEMPLATE
import calendar, locale, logging, re
print(locale.format("%.2f", 3.14159), locale.format("%d", 12345, grouping=True))
print(calendar.January, calendar.February, re.template("a").match("aa").group(), re.compile("a", re.T).match("a").group(), re.TEMPLATE == re.T)
logging.basicConfig(format="%(message)s")
logging.warn("step %d", 3)
# %% unittest.TestCase unittest.makeSuite unittest.findTestCases unittest._TextTestResult configparser.SafeConfigParser
import configparser, io, sys, unittest
class Test(unittest.TestCase):
    def test_sums(self):
        self.assertEquals(1, 1)
        self.assertNotEquals(1, 2)
        self.assertAlmostEquals(1.0, 1.0 + 1e-9)
        self.assertRaisesRegexp(ValueError, "invalid", int, "x")
        self.assertRegexpMatches("abc", "b")
        self.assertDictContainsSubset({"a": 1}, {"a": 1, "b": 2})
        self.assert_(True)
suite = unittest.makeSuite(Test)
result = unittest.TextTestRunner(stream=io.StringIO(), resultclass=unittest._TextTestResult).run(suite)
print(result.testsRun, result.wasSuccessful(), suite.countTestCases())
print(unittest.findTestCases(sys.modules["__main__"]).countTestCases())
parser = configparser.SafeConfigParser({"a": "1"})
print(parser.defaults()["a"], isinstance(parser, configparser.ConfigParser))
# %% typing.io
from typing.io import TextIO
print(TextIO.__name__)
