# %% Queue ConfigParser StringIO cStringIO cPickle copy_reg __builtin__ [not-on-1.15: Python 2's modules]
import __builtin__, ConfigParser, copy_reg, cPickle, Queue, cStringIO, StringIO
import tensorflow as tf
q = Queue.Queue()
q.put(tf.Session().run(tf.constant(3)))
print(q.get(), __builtin__.len([1]), ConfigParser.ConfigParser().sections(), callable(copy_reg.pickle))
print(cPickle.loads(cPickle.dumps([1], protocol=2)))
s = StringIO.StringIO()
s.write(b'\x89PNG')
t = cStringIO.StringIO('a\nb')
print(s.getvalue(), [line.strip() for line in t], t.tell())
#> 3 1 [] True
#> [1]
#> b'\x89PNG' ['a', 'b'] 3

# %% urllib2 urlparse httplib cookielib Cookie HTMLParser htmlentitydefs robotparser xmlrpclib BaseHTTPServer SimpleHTTPServer SocketServer [not-on-1.15: Python 2's modules]
import BaseHTTPServer, Cookie, HTMLParser, SimpleHTTPServer, SocketServer, cookielib
import htmlentitydefs, httplib, robotparser, urllib2, urlparse, xmlrpclib
import tensorflow as tf
print(urlparse.urlparse('http://a.b/c').netloc, callable(urllib2.urlopen), urllib2.URLError.__name__)
print(httplib.OK == 200, cookielib.CookieJar.__name__, Cookie.SimpleCookie.__name__, HTMLParser.HTMLParser.__name__)
print(htmlentitydefs.name2codepoint['amp'], robotparser.RobotFileParser.__name__, xmlrpclib.Fault.__name__)
print(BaseHTTPServer.HTTPServer.__name__, SimpleHTTPServer.SimpleHTTPRequestHandler.__name__, SocketServer.TCPServer.__name__)
print(tf.Session().run(tf.constant(1)))
#> a.b True URLError
#> True CookieJar SimpleCookie HTMLParser
#> 38 RobotFileParser Fault
#> HTTPServer SimpleHTTPRequestHandler TCPServer
#> 1

# %% popen2 email.Encoders email.MIMEAudio email.MIMEBase email.MIMEImage email.MIMEMultipart email.MIMEText email.Utils [not-on-1.15: Python 2's modules]
import commands, ConfigParser, popen2, sys
from StringIO import StringIO
import email.Encoders, email.MIMEBase, email.MIMEAudio, email.MIMEImage
from email.MIMEText import MIMEText
from email.MIMEMultipart import MIMEMultipart
from email.Utils import formatdate
import tensorflow as tf
print(popen2.popen2('echo x')[0].read().strip(), len(popen2.popen4('true')), MIMEText('body').get_payload(), MIMEMultipart().is_multipart())
c = ConfigParser.SafeConfigParser()
c.readfp(StringIO('[a]\nb = 1 ; x\nc = 2;3\n'))
print(c.items('a'), commands.getstatusoutput('exit 3'))
print(email.Encoders.encode_base64.__name__, callable(formatdate), tf.Session().run(tf.constant(1)))
#> x 2 body True
#> [('b', '1'), ('c', '2;3')] (768, '')
#> encode_base64 True 1

# %% sets sets.Set sets.ImmutableSet exceptions dumbdbm whichdb CGIHTTPServer DocXMLRPCServer SimpleXMLRPCServer urllib.getproxies urllib.pathname2url urllib.url2pathname [not-on-1.15: Python 2's modules]
import CGIHTTPServer, DocXMLRPCServer, SimpleXMLRPCServer, dumbdbm, exceptions, urllib, whichdb
from sets import ImmutableSet, Set
import tensorflow as tf
print(sorted(Set([2, 1, 2])), hash(ImmutableSet([1])) == hash(frozenset([1])), exceptions.ValueError is ValueError)
print(whichdb.whichdb('nothing'), callable(dumbdbm.open), CGIHTTPServer.CGIHTTPRequestHandler.__name__)
print(DocXMLRPCServer.DocXMLRPCServer.__name__, SimpleXMLRPCServer.SimpleXMLRPCServer.__name__)
print(urllib.pathname2url('a b'), urllib.url2pathname('a%20b'), type(urllib.getproxies()).__name__, tf.Session().run(tf.constant(1)))
#> [1, 2] True True
#> None True CGIHTTPRequestHandler
#> DocXMLRPCServer SimpleXMLRPCServer
#> a%20b a b dict 1

# %% operator.div operator.idiv operator.isCallable operator.repeat operator.sequenceIncludes [not-on-1.15: Python 2's names]
import operator
import tensorflow as tf
print(operator.div(7, 2), operator.idiv(7, 2), operator.div(7.0, 2), operator.isCallable(len))
print(operator.repeat('ab', 2), operator.sequenceIncludes([1], 1), tf.Session().run(tf.constant(1)))
#> 3 3 3.5 True
#> abab True 1

# %% commands repr thread thread.start_new anydbm UserDict UserDict.IterableUserDict UserList UserString os.getcwdu os.errno [not-on-1.15: Python 2's modules]
import anydbm, commands, os, repr, thread
from UserDict import IterableUserDict, UserDict
from UserList import UserList
from UserString import UserString
import tensorflow as tf
print(commands.getoutput('echo hi'), commands.getstatusoutput('true'))
print(repr.repr(1), callable(thread.start_new_thread), thread.start_new is thread.start_new_thread)
print(dict(UserDict(a=1)), dict(IterableUserDict(a=1)), list(UserList([1])), UserString('s'), callable(anydbm.open))
print(os.getcwdu() == os.getcwd(), os.errno.ENOENT)
print(tf.Session().run(tf.constant(1)))
#> hi (0, '')
#> 1 True True
#> {'a': 1} {'a': 1} [1] s True
#> True 2
#> 1

# %% Tkinter tkFileDialog tkMessageBox [not-on-1.15: Python 2's modules] [needs: _tkinter]
import Tkinter, tkFileDialog, tkMessageBox
import tensorflow as tf
print(Tkinter.Tk.__name__, callable(tkFileDialog.askopenfilename), callable(tkMessageBox.showinfo))
print(tf.Session().run(tf.constant(1)))
#> Tk True True
#> 1

# %% xml.etree.cElementTree xml.getchildren
import xml.etree.cElementTree as ET
import tensorflow as tf
root = ET.fromstring('<a><b size="3"/><c/></a>')
print([child.tag for child in root.getchildren()], len(list(root.getiterator('b'))))
print(tf.Session().run(tf.constant(int(root.find('b').get('size')))))

# %% mock [not-on-1.15: not installed there]
import sys
sys.modules['mock'] = None  # as if it were not installed
import mock
import tensorflow as tf
session = mock.Mock()
session.run.return_value = tf.Session().run(tf.constant(1))
print(session.run())
#> 1

# %% collections.Callable collections.Container collections.Hashable collections.Iterable collections.Iterator collections.ItemsView collections.KeysView collections.Mapping collections.MappingView collections.MutableMapping collections.MutableSequence collections.MutableSet collections.Sequence collections.Set collections.Sized collections.ValuesView
import collections
import tensorflow as tf
print(isinstance([1], collections.Iterable), isinstance({}, collections.Mapping), isinstance('a', collections.Sequence))
for name in ('Callable Container Hashable Iterator ItemsView KeysView MappingView MutableMapping '
             'MutableSequence MutableSet Set Sized ValuesView').split():
    print(getattr(collections, name).__name__)
print(tf.Session().run(tf.constant(1)), collections.OrderedDict(a=1)['a'])

# %% itertools.izip itertools.imap itertools.ifilter itertools.ifilterfalse itertools.izip_longest [not-on-1.15: Python 2's names]
import itertools
from itertools import izip
import tensorflow as tf
print(list(izip([1], [2])), list(itertools.imap(abs, [-1])), list(itertools.ifilter(None, [0, 1])))
print(list(itertools.ifilterfalse(None, [0, 1])), list(itertools.izip_longest([1], [])))
print(tf.Session().run(tf.constant(1)))
#> [(1, 2)] [1] [1]
#> [0] [(1, None)]
#> 1

# %% string.letters string.lowercase string.uppercase string.maketrans string.atoi string.atol string.atof string.join string.capitalize string.count string.expandtabs string.find string.index string.ljust string.lower string.lstrip string.replace string.rfind string.rindex string.rjust string.rstrip string.split string.strip string.swapcase string.translate string.upper string.zfill [not-on-1.15: Python 2's names]
import string
import tensorflow as tf
print(len(string.letters), string.lowercase[:2], string.uppercase[:2], string.atoi('3'), string.atol('4'), string.atof('.5'))
print(string.translate('abc', string.maketrans('a', 'b')), string.join(['a', 'b']), string.join(['a', 'b'], '-'))
print(string.capitalize('ab'), string.count('aa', 'a'), string.expandtabs('\t', 2) == '  ', string.find('ab', 'b'), string.index('ab', 'b'))
print(string.ljust('a', 3) + '|', string.lower('A'), string.lstrip(' a'), string.replace('ab', 'b', 'c'), string.rfind('aba', 'a'))
print(string.rindex('aba', 'a'), string.rjust('a', 3), string.rstrip('a '), string.split('a b'), string.strip(' a '), string.swapcase('aB'))
print(string.upper('a'), string.zfill('1', 3), tf.Session().run(tf.constant(string.digits)))
#> 52 ab AB 3 4 0.5
#> bbc a b a-b
#> Ab 2 True 1 1
#> a | a a ac 2
#> 2   a a ['a', 'b'] a Ab
#> A 001 b'0123456789'

# %% urllib.urlopen urllib.urlretrieve urllib.urlcleanup urllib.quote urllib.quote_plus urllib.unquote urllib.unquote_plus urllib.urlencode urllib.URLopener [not-on-1.15: Python 2's names]
import urllib
import tensorflow as tf
print(urllib.quote('a b'), urllib.quote_plus('a b'), urllib.unquote('a%20b'), urllib.unquote_plus('a+b'), urllib.urlencode({'a': 1}))
print(callable(urllib.urlopen), callable(urllib.urlretrieve), callable(urllib.urlcleanup), callable(urllib.URLopener))
print(tf.Session().run(tf.constant(1)))
#> a%20b a+b a b a b a=1
#> True True True True
#> 1

# %% types.BooleanType types.FileType types.ComplexType types.DictType types.FloatType types.IntType types.ListType types.LongType types.ObjectType types.SliceType types.StringType types.StringTypes types.TupleType types.TypeType types.ClassType types.UnicodeType [not-on-1.15: Python 2's names]
import types
import tensorflow as tf
print(isinstance(True, types.BooleanType), type(1j) is types.ComplexType, type({}) is types.DictType, type(.5) == types.FloatType)
print(type(1) is types.IntType, type([]) is types.ListType, isinstance(1, types.LongType), isinstance(1, types.ObjectType))
print(isinstance('a', types.StringType), isinstance('a', types.StringTypes), isinstance((), types.TupleType), isinstance(int, types.TypeType))
print(isinstance(int, types.ClassType), isinstance('a', types.UnicodeType), isinstance(slice(1), types.SliceType))
print(tf.Session().run(tf.constant(1)), types.FileType is file, types.BufferType is buffer)
#> True True True True
#> True True True True
#> True True True True
#> True True True
#> 1 True True

# %% time.clock fractions.gcd inspect.getargspec
import fractions, inspect, time
import tensorflow as tf
def model(x, units=3, *layers, **options): pass
print(time.clock() >= 0, fractions.gcd(12, 18), fractions.gcd(4, -6), inspect.getargspec(model).args)
print(inspect.getargspec(model).defaults, inspect.getargspec(model)[1:3], tf.Session().run(tf.constant(1)))

# %% cgi.escape base64.encodestring base64.decodestring array.tostring threading.isAlive
import array, base64, cgi, threading
import tensorflow as tf
encoded = base64.encodestring(b'abc')
a = array.array('B')
a.fromstring(b'ab')
print(cgi.escape('<'), encoded, base64.decodestring(encoded), a.tostring(), threading.Thread().isAlive())
print(tf.Session().run(tf.constant(1)))

# %% json.load json.loads json.dump json.dumps [not-on-1.15: json.dumps(encoding=) is Python 2's]
import json
import tensorflow as tf
with open('f.json', 'w') as f:
    json.dump({'units': 3}, f, encoding='utf-8')
with open('f.json') as f:
    units = json.load(f, encoding='utf-8')['units']
print(json.loads('[1]', encoding='utf-8'), json.dumps([1], encoding='utf-8'), tf.Session().run(tf.constant(units)))
#> [1] [1] 3

# %% pickle.load pickle.loads pickle.dump [not-on-1.15: UnicodeDecodeError]
import pickle
import numpy as np
import tensorflow as tf
old = b"\x80\x02}q\x00U\x04nameq\x01U\x03\x93\xe9aq\x02s."  # {'name': '\x93\xe9a'} of Python 2
with open('old.pkl', 'wb') as f:
    f.write(old)
print(len(pickle.load(open('old.pkl', 'rb'))['name']), len(pickle.load(open('old.pkl'))['name']), len(pickle.loads(old)['name']))
with open('new.pkl', 'w') as f:
    pickle.dump([1, 2], f)
print(tf.Session().run(tf.constant(pickle.load(open('new.pkl', 'rb')))))
#> 3 3 3
#> [1 2]

# %% python.stop_iteration [not-on-1.15: Python 3.6]
import tensorflow as tf

def pairs(numbers):
    """Two at a time."""
    while True:
        yield next(numbers), next(numbers)

def first(numbers, most):
    for place, number in enumerate(numbers):
        if place == most:
            raise StopIteration
        yield number

class Reader(object):
    def lines(self, items):
        items = iter(items)
        try:
            while True:
                line = items.__next__()
                yield [word for word in line.split()]
        finally:
            print("closed")

print(list(pairs(iter(range(5)))), pairs.__doc__, list(Reader().lines(["a b", "c"])))
data = tf.data.Dataset.from_generator(lambda: first([4, 5, 6], 2), tf.int64)
following = data.make_one_shot_iterator().get_next()
with tf.Session() as session:
    print(session.run(following), session.run(following))
#> closed
#> [(0, 1), (2, 3)] Two at a time. [['a', 'b'], ['c']]
#> 4 5

# %% re.split [not-on-1.15: Python 3.6]
import re
import tensorflow as tf
text = tf.Session().run(tf.constant("Mary went. Where?")).decode()
print([word for word in re.split(r'(\W+)?', text) if word.strip()])
print(re.split(r'\s*', 'a b  c'), re.split(r',', 'a,b'), re.split(r'x*', 'axbxc', 1))
#> ['Mary', 'went', '. ', 'Where', '?']
#> ['a', 'b', 'c'] ['a', 'b'] ['a', 'bxc']

# %% asyncio.Lock
import asyncio, contextlib
import tensorflow as tf

async def opened():
    return contextlib.closing(open(__file__))

async def worker(lock, shown, number):
    with await lock:
        shown.append(number)
        await asyncio.sleep(0.01)
        shown.append(number)
    with await opened() as file:
        shown.append(file.readable())

async def program():
    for make in (asyncio.Lock, lambda: asyncio.Semaphore(1), asyncio.Condition, lambda: asyncio.BoundedSemaphore(2)):
        lock, shown = make(), []
        await asyncio.gather(*(worker(lock, shown, number) for number in range(3)))
        print(sorted(shown) if isinstance(lock, asyncio.BoundedSemaphore) else shown, lock.locked())
        try:
            with await lock:
                raise KeyError(4)
        except KeyError as error:
            print(error, lock.locked())

asyncio.get_event_loop().run_until_complete(program())
print(tf.Session().run(tf.constant(1)))
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

# %% HTMLParser.unescape
try:
    from HTMLParser import HTMLParser
except ImportError:
    from html.parser import HTMLParser
class Own(HTMLParser):
    def handle_data(self, data):
        print(data)
print(HTMLParser().unescape("a &lt; b &amp;&#39;c&#x41;"), Own().unescape("&gt;"))
unescape = HTMLParser().unescape
print(unescape("&quot;"))
Own().feed("<b>x</b>")

# %% argparse.Namespace.__repr__ collections.namedtuple
import argparse, collections
import tensorflow as tf
parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=2)
parser.add_argument("--batch", type=int, default=tf.Session().run(tf.constant(3)).item())
args = parser.parse_args([])
print(args)
print("%s" % args, [args], "{}".format(args))
Record = collections.namedtuple("Record", "steps batch")
record = Record(**vars(args))
print(record._asdict(), list(record._asdict().items()), Record.__module__)
#> Namespace(batch=3, steps=2)
#> Namespace(batch=3, steps=2) [Namespace(batch=3, steps=2)] Namespace(batch=3, steps=2)
#> OrderedDict([('steps', 2), ('batch', 3)]) [('steps', 2), ('batch', 3)] __main__
