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
# %% io.OpenWrapper tarfile.filemode sqlite3.OptimizedUnicode platform.popen platform.dist wave.openfp aifc.openfp sunau.openfp
import aifc, io, platform, sqlite3, sunau, tarfile, wave
open("a", "w").write("abc")
with io.OpenWrapper("a") as file:
    print(file.read(), tarfile.filemode(0o100644), sqlite3.OptimizedUnicode is str)
print(platform.popen("echo 1").read(), len(platform.dist()))
print([callable(module.openfp) for module in (aifc, sunau, wave)])
# %% ntpath.splitunc os.stat_float_times asyncio.compat email.utils.ecre [not-on-1.15: Python 3.7 dropped them]
import asyncio.compat, email.utils, ntpath, os
print(ntpath.splitunc("//host/mount/x"), os.stat_float_times(), asyncio.compat.PY35)
print(bool(email.utils.ecre.search("=?utf-8?q?a?=")))
#> ('//host/mount', '/x') True True
#> True
# %% urllib.request.splitattr urllib.request.splithost urllib.request.splitpasswd urllib.request.splitport urllib.request.splitquery urllib.request.splittag urllib.request.splittype urllib.request.splituser urllib.request.splitvalue urllib.request.to_bytes
from urllib.request import splitattr, splithost, splitpasswd, splitport, splitquery, splittag, splittype, splituser, splitvalue, to_bytes
print(splittype("http://a/b"), splithost("//a:80/b"), splitport("a:80"), splitquery("a?b=1"))
print(splitattr("/p;a=1"), splitpasswd("u:p"), splittag("a#b"), splituser("u@h"), splitvalue("a=b"), to_bytes("a"))
# %% inspect.formatargspec inspect.ArgSpec asyncio.coroutine sys.setcheckinterval sys.getcheckinterval dummy_threading
import asyncio, inspect, sys, dummy_threading
def f(a, b=2, *c, **d): pass
spec = inspect.getargspec(f)
print(inspect.formatargspec(*spec), isinstance(spec, inspect.ArgSpec), spec)
@asyncio.coroutine
def work():
    yield from asyncio.sleep(0)
    return 3
print(asyncio.new_event_loop().run_until_complete(work()))
sys.setcheckinterval(100)
print(sys.getcheckinterval())
made = dummy_threading.Thread(target=print, args=("in a thread",))
made.start(); made.join()
# %% plistlib.readPlist plistlib.writePlist plistlib.readPlistFromBytes plistlib.writePlistToBytes plistlib.Data plistlib.load plistlib.loads
import plistlib
plistlib.writePlist({"a": [1, 2]}, "list.plist")
print(plistlib.readPlist("list.plist"), plistlib.readPlistFromBytes(plistlib.writePlistToBytes({"b": 1})))
print(bytes(plistlib.Data(b"x").data if hasattr(plistlib.Data(b"x"), "data") else plistlib.Data(b"x")))
print(plistlib.load(open("list.plist", "rb"), use_builtin_types=True), plistlib.loads(plistlib.dumps([1]), use_builtin_types=True))
# %% asyncio.sleep asyncio.gather asyncio.wait asyncio.wait_for asyncio.shield asyncio.as_completed asyncio.Queue asyncio.LifoQueue asyncio.PriorityQueue asyncio.Lock asyncio.Event asyncio.Condition asyncio.Semaphore asyncio.BoundedSemaphore
import asyncio
loop = asyncio.new_event_loop()
async def one():
    await asyncio.sleep(0, loop=loop)
    return 1
async def main():
    for cls in (asyncio.Queue, asyncio.LifoQueue, asyncio.PriorityQueue, asyncio.Lock, asyncio.Event,
                asyncio.Condition, asyncio.Semaphore, asyncio.BoundedSemaphore):
        cls(loop=loop)
    print(await asyncio.gather(one(), one(), loop=loop), await asyncio.wait_for(one(), 1, loop=loop))
    print(await asyncio.shield(one(), loop=loop), len(await asyncio.wait([loop.create_task(one())], loop=loop)))
    for future in asyncio.as_completed([one()], loop=loop):
        print(await future)
loop.run_until_complete(main())
# %% traceback.print_exception traceback.format_exception traceback.format_exception_only
import sys, traceback
try:
    1 // 0
except ZeroDivisionError:
    kind, value, where = sys.exc_info()
print(traceback.format_exception(etype=kind, value=value, tb=None), traceback.format_exception_only(etype=kind, value=value))
traceback.print_exception(etype=kind, value=value, tb=None, file=sys.stdout)
# %% fileinput.input fileinput.FileInput bz2.BZ2File
import bz2, fileinput
open("lines", "w").write("a\nb\n")
print(list(fileinput.input(["lines"], bufsize=0)), list(fileinput.FileInput(["lines"], bufsize=0)))
with bz2.BZ2File("x.bz2", "w", buffering=0) as file: file.write(b"12")
print(bz2.BZ2File("x.bz2", buffering=0).read())
# %% collections.namedtuple [not-on-1.15: Python 3.7 dropped it]
import collections
print(collections.namedtuple("P", "x y", verbose=False)(1, 2))
#> P(x=1, y=2)
# %% html.unescape
import array, threading, xml.etree.ElementTree as ET
from html.parser import HTMLParser
print(array.array("b", [1, 2]).tobytes(), len(ET.fromstring("<a><b/></a>")))
print(threading.current_thread().is_alive(), HTMLParser().unescape("&lt;&eacute;"))
# %% imp importlib.find_loader importlib.find_module importlib.util.module_for_loader importlib.util.set_loader importlib.util.set_package [needs: imp]
import imp, importlib, importlib.util, pkgutil, sys
open("single.py", "w").write("value = 3\n")
print(imp.load_source("other", "single.py").value, imp.find_module("single", ["."])[1:], imp.new_module("made").__name__)
print(imp.load_module("again", *imp.find_module("single", ["."])).value, imp.reload(__import__("single")).value, imp.PY_SOURCE)
print(importlib.find_loader("json") is not None, importlib.find_loader("nothing"), imp.find_module("sys")[2])
for finder, name, is_package in pkgutil.iter_modules(["."]):
    if name == "single":
        print(finder.find_module(name).load_module(name).value, is_package)
class Loader(object):
    @importlib.util.set_package
    @importlib.util.set_loader
    @importlib.util.module_for_loader
    def load_module(self, module):
        return module
print(callable(Loader().load_module))
# %% locale.format calendar.January calendar.February logging.warn re.template re.T re.TEMPLATE gzip.filename
import calendar, gzip, locale, logging, re
print(locale.format("%.2f", 3.14159), locale.format("%d", 12345, grouping=True))
print(calendar.January, calendar.February, re.template("a").match("aa").group(), re.compile("a", re.T).match("a").group(), re.TEMPLATE == re.T)
logging.basicConfig(format="%(message)s")
logging.warn("step %d", 3)
with gzip.open("a.gz", "wb") as file:
    file.write(b"x")
print(gzip.GzipFile("a.gz").filename)
# %% unittest.TestCase unittest.makeSuite unittest.findTestCases unittest.getTestCaseNames unittest._TextTestResult configparser.SafeConfigParser
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
print(result.testsRun, result.wasSuccessful(), unittest.getTestCaseNames(Test, "test"), suite.countTestCases())
print(unittest.findTestCases(sys.modules["__main__"]).countTestCases())
parser = configparser.SafeConfigParser({"a": "1"})
print(parser.defaults()["a"], isinstance(parser, configparser.ConfigParser))
# %% ssl.RAND_pseudo_bytes ssl.wrap_socket typing.io
import socket, ssl
from typing.io import TextIO
left, right = socket.socketpair()
wrapped = ssl.wrap_socket(left, do_handshake_on_connect=False)
print(type(wrapped).__name__, wrapped.context.verify_mode == ssl.CERT_NONE, len(ssl.RAND_pseudo_bytes(4)[0]), TextIO.__name__)
