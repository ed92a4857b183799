# Python 2 on purpose: no Python 3 parses this file, and `tfgraphtools run` must. Whatever
# parses all files of the project (formatters, linters) leaves it out, as ruff.toml does.

# %% python2.syntax python2.print [not-on-1.15: it is Python 2]
import tensorflow as tf
with tf.Session() as sess:
    print 'sum', sess.run(tf.constant(1) + 2),
    print "of two"
    try:
        raise ValueError, "with a comma"
    except ValueError, error:
        print error, 0777, 10L, `[1]`, 1 <> 2, ur'\d'
    exec "x = 3" in globals()
    print x
def swap((a, b), c):
    return b, a, c
print swap((1, 2), 3)
print (1, 2)
#> sum 3 of two
#> with a comma 511 10 [1] True \d
#> 3
#> (2, 1, 3)
#> (1, 2)

# %% python2.syntax [not-on-1.15: TabError]
import tensorflow as tf
def build(n):
        if n:
	    return tf.constant(n)
        return tf.zeros([])
print(tf.Session().run(build(2)))
#> 2

# %% python2.division [not-on-1.15: it is Python 2]
import numpy as np
import tensorflow as tf
print 5 / 2, -5 / 2, 5 / 2.0, np.int32(5) / 2, np.array([5, 6]) / 2, np.array([5.0]) / 2
x = np.array([5, 7])
x /= 2
print x
sess = tf.Session()
print sess.run(tf.constant(5) / 2), sess.run(tf.constant(5.0) / 2), sess.run(tf.constant([7]) / [2])
#> 2 -3 2.5 2 [2 3] [2.5]
#> [2 3]
#> 2 2.5 [3]

# %% python2.lists [not-on-1.15: it is Python 2]
import tensorflow as tf
print map(abs, [-1]), filter(None, [0, 1]), zip([1], [2]), range(2) + [2]
d = {'a': 1, 'b': 2}
for key in d.keys():
    del d[key]
print d, len(map(None, [1], [2])), {'k': 1}.items()[0]
print tf.Session().run(tf.stack(map(tf.constant, [1, 2])))
#> [1] [1] [(1, 2)] [0, 1, 2]
#> {} 1 ('k', 1)
#> [1 2]

# %% python2.builtins [not-on-1.15: it is Python 2]
import tensorflow as tf
print round(2.5), round(-0.5), round(1.25, 1), tf.Session().run(tf.zeros([int(round(1.5))]))
#> 3.0 -1.0 1.3 [0. 0.]

# %% python2.classes [not-on-1.15: it is Python 2]
import tensorflow as tf
class Named(type):
    def __new__(mcs, name, bases, body):
        body['label'] = name.lower()
        return type.__new__(mcs, name, bases, body)
class Batches:
    __metaclass__ = Named
    def __init__(self): self.left = 2
    def __iter__(self): return self
    def next(self):
        if not self.left: raise StopIteration
        self.left -= 1
        return self.left
    def __nonzero__(self): return self.left > 0
    def __cmp__(self, other): return cmp(self.left, other.left)
b = Batches()
print b.label, bool(b), list(b), bool(b), b < Batches(), b == b
print tf.Session().run(tf.constant(list(Batches())))
#> batches True [1, 0] False True True
#> [1 0]

# %% python2.by_names builtins.xrange [not-on-1.15: NameError]
import tensorflow as tf
steps = 0
for i in xrange(10/4):
    steps += 1
print(steps + 7/2)
print(tf.Session().run(tf.constant(steps)))
#> 5
#> 2

# %% python2.implicit_relative_imports [not-on-1.15: it is Python 2]
import os, sys
import tensorflow as tf
os.mkdir('net')
for name, text in (('__init__', ''), ('layers', 'UNITS = 3\n'), ('model', 'import layers\nUNITS = layers.UNITS\n')):
    with open('net/%s.py' % name, 'w') as file:
        file.write(text)
import net.model
print(tf.Session().run(tf.constant(net.model.UNITS)), 'layers' in sys.modules)
#> 3 False

# %% python2.dict_iterators python2.has_key [not-on-1.15: AttributeError]
import tensorflow as tf
feeds = {'x': tf.constant(1.0)}
for name, tensor in feeds.iteritems():
    print(name, tf.Session().run(tensor))
print(feeds.has_key('x'), list(feeds.iterkeys()), len(list(feeds.itervalues())), len(feeds.viewkeys()))
#> x 1.0
#> True ['x'] 1 1

# %% python2.next [not-on-1.15: AttributeError]
import tensorflow as tf
batches = (i for i in [3, 4])
class Mine(object):
    def next(self): return 'mine'
print(batches.next(), tf.Session().run(tf.constant(batches.next())), Mine().next())
#> 3 4 mine

# %% python2.decode [not-on-1.15: AttributeError]
import tensorflow as tf
print('text'.decode('utf-8'), tf.Session().run(tf.constant('bytes')).decode('utf-8'))
#> text bytes

# %% python2.message [not-on-1.15: AttributeError]
import tensorflow as tf
try:
    tf.Session().run(tf.constant(1), feed_dict={tf.constant([1]).graph: 2})
except TypeError as error:
    print(len(error.message) > 10)
#> True

# %% python2.function_attributes [not-on-1.15: AttributeError]
import tensorflow as tf
def net(x): return x + 1
class Model:
    def loss(self): return tf.constant(2)
model = Model()
print(net.func_name, net.func_code.co_argcount, model.loss.im_self is model, model.loss.im_func.__name__)
print(tf.Session().run(net(tf.constant(1))))
#> net 1 True loss
#> 2

# %% python2.sort_by_cmp builtins.cmp [not-on-1.15: TypeError]
import tensorflow as tf
items = tf.Session().run(tf.constant([2, 3, 1])).tolist()
items.sort(cmp=lambda a, b: cmp(b, a))
print(items, sorted(items, lambda a, b: a - b))
#> [3, 2, 1] [1, 2, 3]

# %% python2.print_to_file [not-on-1.15: TypeError]
import sys
import tensorflow as tf
print >>sys.stdout, "loss", tf.Session().run(tf.constant(0.5))
#> loss 0.5

# %% python2.print_formatted [not-on-1.15: TypeError]
import tensorflow as tf
print("loss %.1f") % tf.Session().run(tf.constant(0.5))
print (1 + 2) * 4 - 2.0, "and", 3
#> loss 0.5
#> 10.0 and 3

# %% builtins.unicode builtins.basestring builtins.long builtins.unichr builtins.raw_input builtins.reduce builtins.file builtins.intern builtins.buffer builtins.apply builtins.reload builtins.execfile sys.setdefaultencoding sys.maxint sys.exc_clear [not-on-1.15: NameError]
import sys
reload(sys)
sys.setdefaultencoding('utf8')
import tensorflow as tf
with file('more.py', 'w') as f:
    f.write('y = 2\n')
execfile('more.py')
sys.exc_clear()
print(unicode(1), isinstance('a', basestring), isinstance(b'a', basestring), long(3), unichr(65))
print(reduce(lambda a, b: a * b, [2, 3]), isinstance(f, file), intern('a'), len(buffer(b'ab')), apply(max, [1, 2]), y)
print(callable(raw_input), sys.maxint > 2 ** 31, tf.Session().run(tf.constant(long(4))))
#> 1 True True 3 A
#> 6 True a 2 2 2
#> True True 4

# %% python2.used_as_list [not-on-1.15: Python 2]
from __future__ import print_function
import numpy as np
sizes = map(int, "256,128".split(","))
names = {"only": 1}.keys()
order = range(3)
order[0] = 7
print(len(sizes), sizes[0], names[0], order, np.array(map(float, [1, 2])).tolist())
#> 2 256 only [7, 1, 2] [1.0, 2.0]

# %% python2.by_company [not-on-1.15: it is Python 2]
import tensorflow as tf
with open('utils.py', 'w') as file:
    file.write('def half(n):\n    return n / 2\n')
with open('both.py', 'w') as file:
    file.write('from __future__ import division\ndef half(n):\n    return n / 2\n')
with open('three.py', 'w') as file:
    file.write('def half(n: int):\n    return n / 2\n')
import utils, both, three
print utils.half(5), both.half(5), three.half(5)
print tf.Session().run(tf.zeros([3]))[:utils.half(5)]
#> 2 2.5 2.5
#> [0. 0.]

# %% python2.random [not-on-1.15: it is Python 2]
import random
from random import randint, sample
random.seed(7)
print [randint(1, 1000000) for _ in xrange(3)], random.choice(range(10 ** 6))
print sample(range(1000), 7), sample(xrange(10), 4), random.randrange(0, 100, 5)
items = range(8)
random.shuffle(items)
print items, "%.6f %.6f" % (random.random(), random.gauss(0, 1))
random.seed(7)
print '%.10f %.10f' % (random.betavariate(1, 2), random.gammavariate(1, 2.))
random.seed("text")
print randint(1, 10 ** 9), random.Random(3).sample(xrange(100000), 3)
#> [323833, 150850, 650935] 72436
#> [535, 365, 57, 507, 37, 433, 69] [0, 3, 6, 9] 20
#> [2, 4, 0, 7, 1, 3, 6, 5] 0.289609 0.308703
#> 0.6045635132 5.2500958162
#> 325292253 [23796, 54422, 36995]

# %% python2.math [not-on-1.15: it is Python 2]
import math
from math import floor
print math.floor(7.9) / 2, floor(-0.5), math.ceil(-0.5), math.ceil(2), math.floor(float('inf'))
print int(math.ceil(9 / 2.)) / 2, math.sqrt(4)
#> 3.5 -1.0 -0.0 2.0 inf
#> 2 2.0

# %% python2.bytes [not-on-1.15: Python 2 source]
import csv, os, struct, tempfile
import tensorflow as tf
path = os.path.join(tempfile.mkdtemp(), 'data')
with open(path, 'wb') as file:
    csv.writer(file).writerows([['name', 'size'], ['a', 3]])
rows = list(csv.reader(open(path, 'rb')))
with open(path, 'ab') as file:
    file.write(struct.pack('<i', 7))
data = open(path, 'rb').read()
print data.split('\r\n')[1], data[-4] == '\x07', tf.Session().run(tf.decode_raw(data[-4:], tf.int32))
print rows[1], u'\xe9'.encode('utf8')
#> a,3 True [7]
#> ['a', '3'] é

# %% python2.order python2.comprehension_variables python2.oct [not-on-1.15: it is Python 2]
import tensorflow as tf
best = None
for loss in 3, 4.5, tf.Session().run(tf.constant(4.0)):
    if loss > best: best = loss
print best, max(None, 1), sorted([3, None, 'a', (1, None), (1, 2)]), cmp(None, 'a')
kept = [step for step in range(3)]
print step, oct(8), tf.Session().run(tf.constant(2.0) < 3)
#> 4.5 1 [None, 3, 'a', (1, None), (1, 2)] -1
#> 2 010 True

# %% python2.exceptions python2.unicode [not-on-1.15: it is Python 2]
import sys
try:
    raise IOError(2, 'gone')
except IOError, error:
    code, text = error
    print error[0], text, issubclass(sys.exc_type, IOError)
class Named(object):
    def __unicode__(self): return u'text'
    def __str__(self): return 'bytes'
print unicode(Named()), str(Named()), 'a-b'.translate(None, '-')
#> 2 gone True
#> text bytes ab

# %% operator.irepeat string.splitfields string.center string.rsplit string.index_error string.atoi_error string.atof_error string.atol_error [not-on-1.15: it is Python 2]
import operator, string
print operator.irepeat([1], 2)
print string.splitfields('a b'), string.center('a', 3) + '|', string.rsplit('a b')
for error in string.index_error, string.atoi_error, string.atof_error, string.atol_error:
    print error is ValueError,
#> [1, 1]
#> ['a', 'b']  a | ['a', 'b']
#> True True True True

# %% os.path.walk os.tmpfile threading._sleep weakref.ReferenceError types.BufferType types.DictProxyType types.DictionaryType types.UnboundMethodType types.XRangeType urllib.basejoin urllib.splittype urllib.splithost urllib.splitport urllib.splitquery urllib.splittag urllib.splituser urllib.splitattr urllib.splitnport urllib.splitpasswd urllib.splitvalue urllib.unwrap [not-on-1.15: it is Python 2]
import os, tempfile, threading, types, urllib, weakref
folder = tempfile.mkdtemp()
os.mkdir(os.path.join(folder, 'e'))
def visit(seen, path, names):
    seen.append((path[len(folder):], names))
seen = []
os.path.walk(folder, visit, seen)
print seen, threading._sleep(0), weakref.ReferenceError is ReferenceError
file = os.tmpfile()
file.write(b'ab')
file.seek(0)
print file.read() == b'ab'
print types.DictionaryType is dict, bool(types.XRangeType and types.BufferType and types.UnboundMethodType and types.DictProxyType)
print urllib.basejoin('http://a/b', 'c')
print urllib.splittype('http://a'), urllib.splithost('//a/b'), urllib.splitport('a:1'), urllib.splitquery('a?b'), urllib.splittag('a#b'), urllib.splituser('u@h')
print urllib.splitattr('a;b'), urllib.splitnport('a:1'), urllib.splitpasswd('u:p'), urllib.splitvalue('a=b'), urllib.unwrap('<URL:http://a>')
#> [('', ['e']), ('/e', [])] None True
#> True
#> True True
#> http://a/c
#> ('http', '//a') ('a', '/b') ('a', '1') ('a', 'b') ('a', 'b') ('u', 'h')
#> ('a', ['b']) ('a', 1) ('u', 'p') ('a', 'b') http://a

# %% dummy_thread [not-on-1.15: it is Python 2]
import dummy_thread
print callable(dummy_thread.allocate_lock)
#> True

# %% ScrolledText Tkconstants tkColorChooser tkCommonDialog tkFont tkSimpleDialog ttk [not-on-1.15: it is Python 2] [needs: _tkinter]
import ScrolledText, Tkconstants, tkColorChooser, tkCommonDialog, tkFont, tkSimpleDialog, ttk
print ScrolledText.ScrolledText.__name__, Tkconstants.LEFT, tkColorChooser.Chooser.__name__, tkCommonDialog.Dialog.__name__
print tkFont.Font.__name__, tkSimpleDialog.Dialog.__name__, ttk.Button.__name__
#> ScrolledText left Chooser Dialog
#> Font Dialog Button

# %% python2.iterators [not-on-1.15: it is Python 2]
import tensorflow as tf
class Batches(object):
    def __init__(self, count):
        self.count = count
    def __iter__(self):
        return self
    def next(self):
        if self.count == 0:
            raise StopIteration
        self.count -= 1
        return self.count
class Table(object):
    def __iter__(self):
        return iter([7])
    def next(self):
        return 8
print(tf.Session().run(tf.add_n([tf.constant(n) for n in Batches(4)])))
print(sum(Batches(3)) + list(Table())[0])
#> 6
#> 10

# %% python2.bytes urllib2.Request md5 sha [not-on-1.15: Python 2 source]
import hashlib, zlib, struct, md5, sha, binascii, base64, hmac
def show(f):
    try:
        r = f()
        print repr(r)
    except Exception as e:
        print type(e).__name__
show(lambda: hashlib.md5("abc").hexdigest())
show(lambda: hashlib.md5(u"abc").hexdigest())
show(lambda: hashlib.new("sha1", "abc").hexdigest())
def up(m, *t):
    for x in t: m.update(x)
    return m.hexdigest()
show(lambda: up(hashlib.md5(), "a", u"b", "c"))
show(lambda: up(hashlib.sha256("x"), str(12), "%d" % 3))
show(lambda: up(md5.new(), "a"))
show(lambda: md5.md5("a").hexdigest())
show(lambda: md5.new("a").digest() == hashlib.md5("a").digest())
show(lambda: sha.new("a").hexdigest())
show(lambda: up(md5.new("a").copy(), "b"))
show(lambda: zlib.decompress(zlib.compress("aaaa")))
show(lambda: zlib.decompress(zlib.compress(u"aaaa")))
show(lambda: zlib.crc32("abc"))
show(lambda: zlib.adler32(u"abc"))
c = zlib.compressobj()
show(lambda: zlib.decompress(c.compress("abc" * 10) + c.flush()))
d = zlib.decompressobj()
show(lambda: d.decompress(zlib.compress("hello")) + d.flush())
show(lambda: struct.unpack("<I", "abcd"))
show(lambda: struct.unpack(u"<I", "abcd"))
show(lambda: struct.pack("4sI", "abcd", 3))
show(lambda: struct.pack(">3sx", str("abc")))
show(lambda: struct.pack("c", "a"))
show(lambda: struct.pack("10p", "abc"))
s = struct.Struct("<2sH")
show(lambda: s.pack("ab", 7))
show(lambda: s.unpack("abcd"))
show(lambda: struct.unpack_from("<H", "xxab", 2))
show(lambda: struct.calcsize("4s"))
show(lambda: binascii.hexlify("abc"))
show(lambda: base64.b64encode("abc"))
show(lambda: hmac.new("key", "msg", hashlib.md5).hexdigest())
show(lambda: hmac.new("key", "msg").hexdigest())
import urllib2
r = urllib2.Request("http://example.com:80/a?b=1", "x=1")
show(lambda: (r.get_host(), r.get_type(), r.get_selector(), r.get_data(), r.has_data(), r.get_origin_req_host(), r.is_unverifiable(), r.get_full_url(), r.get_method()))
def add():
    r.add_data("y=2"); return r.get_data(), r.data
show(add)
q = urllib2.Request("http://example.com/")
show(lambda: (q.has_data(), q.get_data(), q.get_method()))
import bz2
show(lambda: bz2.decompress(bz2.compress("abc" * 3)))
c = bz2.BZ2Compressor()
show(lambda: bz2.decompress(c.compress("text") + c.flush()))
d = bz2.BZ2Decompressor()
show(lambda: d.decompress(bz2.compress(u"hello")) + "!")
#> '900150983cd24fb0d6963f7d28e17f72'
#> '900150983cd24fb0d6963f7d28e17f72'
#> 'a9993e364706816aba3e25717850c26c9cd0d89d'
#> '900150983cd24fb0d6963f7d28e17f72'
#> 'a166ea7aef8fa5172bb82006d309b9b713f035a569525c1e16a43e7b28b1b289'
#> '0cc175b9c0f1b6a831c399e269772661'
#> '0cc175b9c0f1b6a831c399e269772661'
#> True
#> '86f7e437faa5a7fce15d1ddcb9eaeaea377667b8'
#> '187ef4436122d1cc2f40dc2b92f0eba0'
#> 'aaaa'
#> 'aaaa'
#> 891568578
#> 38600999
#> 'abcabcabcabcabcabcabcabcabcabc'
#> 'hello'
#> (1684234849,)
#> (1684234849,)
#> 'abcd\x03\x00\x00\x00'
#> 'abc\x00'
#> 'a'
#> '\x03abc\x00\x00\x00\x00\x00\x00'
#> 'ab\x07\x00'
#> ('ab', 25699)
#> (25185,)
#> 4
#> '616263'
#> 'YWJj'
#> '18e3548c59ad40dd03907b7aeee71d67'
#> '18e3548c59ad40dd03907b7aeee71d67'
#> ('example.com:80', 'http', '/a?b=1', 'x=1', True, 'example.com', False, 'http://example.com:80/a?b=1', 'POST')
#> ('y=2', 'y=2')
#> (False, None, 'GET')
#> 'abcabcabc'
#> 'text'
#> 'hello!'

# %% re.compile re.match re.search re.sub re.subn re.findall re.finditer [not-on-1.15: Python 2 source]
def show(f):
    try:
        r = f()
        print repr(r)
    except Exception as e:
        print type(e).__name__
import re
show(lambda: re.compile("^(?i)step").match("STEP 3").group())
show(lambda: re.match(r"\s*(?i)loss", " Loss").group())
show(lambda: re.search("(foo)(?i)", "xFOO").group(1))
show(lambda: re.sub("a(?i)b", "-", "AB", 1))
show(lambda: re.findall("l(?m)$", "l\nl"))
show(lambda: re.subn("a(?s).(?i)b", "-", "A\nB"))
show(lambda: re.split(",(?i)x", "1,X2"))
show(lambda: [m.start() for m in re.finditer("a(?x) b  # b", "ab")])
show(lambda: re.compile("[(?i)]").pattern)
show(lambda: re.compile("(?i)a(?m)b").flags & re.M != 0)
#> 'STEP'
#> ' Loss'
#> 'FOO'
#> '-'
#> ['l', 'l']
#> ('-', 1)
#> ['1', '2']
#> [0]
#> '[(?i)]'
#> True

# %% optparse.Values.__str__ [not-on-1.15: Python 2 source]
import optparse
parser = optparse.OptionParser()
parser.add_option("--lr", type="float", default=.1)
parser.add_option("-n", dest="steps", type="int", default=3)
parser.add_option("-v", action="store_true", dest="verbose")
options, args = parser.parse_args(["--lr", "0.5", "rest"])
print options, args
#> {'steps': 3, 'lr': 0.5, 'verbose': None} ['rest']
