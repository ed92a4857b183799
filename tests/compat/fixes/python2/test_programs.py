"""Programs of Python 2: ours print what they printed (the texts were checked against 2.7)."""

# ruff: noqa: E501 (programs and cases, each on its line)

import pytest

pytestmark = pytest.mark.quick

PROGRAMS = {
    # id: (source, what Python 2.7 prints)
    "print": (
        "print 'a', 1\nprint\nprint ('b')\nprint ('c'), 2\nprint (1, 2)\n",
        "a 1\n\nb\nc 2\n(1, 2)\n",
    ),
    "print-comma": ("print 'a',\nprint 'b'\nprint 1,\nprint\n", "a b\n1\n"),
    "print-comma-after-newline": ("print 'a\\n',\nprint 'b'\n", "a\nb\n"),
    "print-comma-after-space": ("print 'a ',\nprint 'b'\n", "a  b\n"),
    "print-comma-then-write": (
        "import sys\nprint 'a',\nsys.stdout.write('b\\n')\nprint 'c'\n",
        "ab\nc\n",
    ),
    "print-file": ("import sys\nprint >>sys.stdout, 'a', 'b'\nprint >>sys.stdout\n", "a b\n\n"),
    "print-file-comma": ("import sys\nprint >>sys.stdout, 'a',\nprint 'b'\n", "a b\n"),
    "print-percent": ("print '%d of %s' % (1, 'x')\nprint ('%d') % 3\n", "1 of x\n3\n"),
    "print-in-lambda-file": ("f = lambda: 1\nprint f(),; print f()\n", "1 1\n"),
    "print-function": (
        "from __future__ import print_function\nprint('a', 'b', sep='-')\nx = 0777\n",
        "a-b\n",
    ),
    "except": (
        "try:\n    1 / 0\nexcept ZeroDivisionError, e:\n    print 'caught', e is not None\n",
        "caught True\n",
    ),
    "except-keeps-the-name": (
        "try:\n    1 / 0\nexcept ZeroDivisionError, e:\n    pass\nprint e is not None\n"
        "def f():\n    try:\n        {}['a']\n    except KeyError as e:\n        e.x = 1\n    return e.x\nprint f()\n",
        "True\n1\n",
    ),
    "division-of-a-number-of-ones-own": (
        "class I(int):\n    def __div__(self, other): return 'mine'\nprint I(7) / 2, 7 / I(2), 7 / 2\n",
        "mine 3 3\n",
    ),
    "long-asks-the-class": (
        "class A(object):\n    def __long__(self): return 7L\n    def __int__(self): return 6\n"
        "print long(A()), int(A()), long('12'), isinstance(2 ** 70, long)\n",
        "7 6 12 True\n",
    ),
    "except-tuple": (
        "try:\n    raise IOError(1, 'x')\nexcept IOError, (code, text):\n    print code, text\n",
        "1 x\n",
    ),
    "except-several": (
        "try:\n    {}['a']\nexcept (KeyError, IndexError), e:\n    print repr(e.message)\n",
        "'a'\n",
    ),
    "raise": ("try:\n    raise ValueError, 'text'\nexcept ValueError, e:\n    print e\n", "text\n"),
    "raise-traceback": (
        "import sys\ntry:\n    try:\n        1 / 0\n    except ZeroDivisionError:\n"
        "        raise ValueError, 'x', sys.exc_info()[2]\nexcept ValueError, e:\n    print e\n",
        "x\n",
    ),
    "exec": ("exec 'x = 1'\nd = {}\nexec 'y = 2' in d\nprint x, d['y']\n", "1 2\n"),
    "backticks": ("print `1 + 1` + `'a'`\n", "2'a'\n"),
    "not-equal": ("print 1 <> 2, 1 <> 1\n", "True False\n"),
    "numbers": ("print 0777, 10L, 0xFFL, 0, 00L, 10L.real\n", "511 10 255 0 0 10\n"),
    "strings": (
        r"print len('\u0041'), len(u'\u0041'), len(ur'\d\u0041'), len('\N')" + "\n",
        "6 1 3 2\n",
    ),
    "tuple-parameters": (
        "def f(a, (b, (c, d)), e=1):\n    '''doc'''\n    return a + b + c + d + e\nprint f(1, (2, (3, 4)))\n"
        "print map(lambda (k, v): k * v, [(1, 2), (3, 4)])\n",
        "11\n[2, 12]\n",
    ),
    "lambda-tuples": (
        "class V(object):\n    k = 5\nprint sorted([('b', V()), ('a', V())], key=lambda (k, V): (V.k, k))[0][0]\n"
        "print reduce(lambda (a, b), (c, d): (a + c, b + d), [(1, 2), (3, 4)])\n"
        "print map(lambda (a, (b, c)), d=9: (c, d), [(1, (2, 3))]), (lambda (a, b)=(1, 2): b)(), (lambda (x): x)(7)\n"
        "print (lambda (k, v): dict(k=v, v=[k for k in v]))((1, (2, 3)))['v'], (lambda (a,), *b: (a, b))((4,), 5)\n"
        "print (lambda (i, a): lambda (a, i): (a, i))((1, 2))((3, 4)), (lambda (i, a): lambda (b, c): (a, b))((1, 2))((3, 4))\n",
        "a\n(4, 6)\n[(3, 9)] 2 7\n[2, 3] (4, (5,))\n(3, 4) (2, 3)\n",
    ),
    "except-targets": (
        "def f(error):\n    d = {}\n"
        "    try: raise error\n    except IOError as (n, m): print n, m\n"
        "    except KeyError, [k]: print 'key', k\n    except ValueError, d['e']: print type(d['e']).__name__\n"
        "    except TypeError, (a, (b, c)):\n        if a: print a, b, c\n"
        "    except IndexError, (e): print type(e).__name__\n    print 'end'\n"
        "f(IOError(1, 'x'))\nf(KeyError(2))\nf(ValueError())\nf(TypeError(1, (2, 3)))\nf(IndexError())\n",
        "1 x\nend\nkey 2\nend\nValueError\nend\n1 2 3\nend\nIndexError\nend\n",
    ),
    "lists": (
        "print map(None, [1, 2], [3]), filter(lambda c: c != 'a', 'abc'), filter(None, (0, 1))\n"
        "print zip([1, 2], 'ab')[0], range(3)[1:], range(3) + [9], range(0, 6, 2)\n",
        "[(1, 3), (2, None)] bc (1,)\n(1, 'a') [1, 2] [0, 1, 2, 9] [0, 2, 4]\n",
    ),
    "dicts": (
        "d = {'a': 1}\nprint d.has_key('a'), d.keys(), d.items()[0], d.values()\n"
        "for k in d.keys():\n    d['b' + k] = 2\nprint sorted(d.iteritems()), list(d.viewkeys()) == d.keys()\n",
        "True ['a'] ('a', 1) [1]\n[('a', 1), ('ba', 2)] True\n",
    ),
    "own-keys": ("class D:\n    def keys(self): return 'mine'\nprint D().keys()\n", "mine\n"),
    "sort": (
        "x = [3, 1, 2]\nx.sort(lambda a, b: cmp(b, a))\nprint x, sorted(x, cmp=cmp), sorted('ba', key=ord)\n"
        "x.sort(reverse=True)\nprint x\n",
        "[3, 2, 1] [1, 2, 3] ['a', 'b']\n[3, 2, 1]\n",
    ),
    "next": ("it = iter([1, 2])\nprint it.next(), next(it)\n", "1 2\n"),
    "round": (
        "print round(2.5), round(-2.5), round(2.675, 2), round(1e20), round(1234, -2)\n",
        "3.0 -3.0 2.67 1e+20 1200.0\n",
    ),
    "builtins": (
        "print unicode('a') == 'a', isinstance('a', basestring), long(3) == 3, unichr(65) == 'A'\n"
        "print reduce(lambda a, b: a + b, [1, 2]), cmp(1, 2), apply(max, (1, 2)), list(xrange(3))\n",
        "True True True True\n3 -1 2 [0, 1, 2]\n",
    ),
    "class-bool": (
        "class A:\n    def __nonzero__(self): return False\nprint bool(A()), not A()\n",
        "False True\n",
    ),
    "class-iterator": (
        "class A:\n    n = 2\n    def __iter__(self): return self\n    def next(self):\n"
        "        self.n -= 1\n        if self.n < 0: raise StopIteration\n        return self.n\nprint list(A())\n",
        "[1, 0]\n",
    ),
    "class-division": (
        "class A:\n    def __div__(self, o): return 'div'\n    def __rdiv__(self, o): return 'rdiv'\n"
        "print A() / 1, 1 / A()\n",
        "div rdiv\n",
    ),
    "class-in-place": (
        "class A:\n    def __idiv__(self, o): return 'idiv'\na = A()\na /= 2\nprint a\n",
        "idiv\n",
    ),
    "class-cmp": (
        "class A:\n    def __init__(self, n): self.n = n\n    def __cmp__(self, o): return cmp(self.n, o.n)\n"
        "print A(1) < A(2), A(1) == A(1), max(A(1), A(3)).n, A(2) >= A(3)\n",
        "True True 3 False\n",
    ),
    "class-slice": (
        "class A:\n    def __getslice__(self, i, j): return i, j if j < 99 else 'end'\n"
        "print A()[1:2], A()[:3], A()[1:]\n",
        "(1, 2) (0, 3) (1, 'end')\n",
    ),
    "metaclass": (
        "class M(type):\n    def __init__(cls, n, b, d): cls.made = n\nclass A:\n    __metaclass__ = M\nprint A.made\n",
        "A\n",
    ),
    "functions": (
        "def f(): pass\nprint f.func_name, f.func_defaults, f.func_code.co_name\n",
        "f None f\n",
    ),
    "words": ("def f(async=1, await=2): return async + await\nprint f(async=3)\n", "5\n"),
    "tabs": ("if 1:\n        x = 1\n\ty = 2\nprint x + y\n", "3\n"),
    "tabs-in-strings": (
        "x = '''\n\ta'''\nif 1:\n        print repr(x)\n\tprint 'b\tc'\n",
        "'\\n\\ta'\nb\tc\n",
    ),
    "line-ends": ("print 1\r\nif 1:\r\n    print 2\r\n", "1\n2\n"),
    "no-newline-at-the-end": ("print 1\nif 1:\n    print 2", "1\n2\n"),
    "division": (
        "print 5 / 2, -5 / 2, 5 / 2., 7 / 2 * 2, True / 2\nx = 7\nx /= 2\nprint x\n",
        "2 -3 2.5 6 0\n3\n",
    ),
    "division-of-the-future": (
        "from __future__ import division\nprint 5 / 2, 5 // 2\nx = 7\nx /= 2\nprint x\n",
        "2.5 2\n3.5\n",
    ),
    "division-in-place": (
        "class A: pass\na = A()\na.x = [7, 9]\ni = iter([0, 1])\na.x[i.next()] /= 2\na.x[i.next()] /= 2\nprint a.x\n",
        "[3, 4]\n",
    ),
    "private-in-place": (
        "class A:\n    def __init__(self):\n        self.__x = 7\n        self.__x /= 2\n        print self.__x\nA()\n",
        "3\n",
    ),
    "xrange-of-a-quotient": ("print len(xrange(100000 / 25))\n", "4000\n"),
    "shadowed": ("def map(f, x): return 'mine'\nprint map(1, 2)\n", "mine\n"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_prints_as_python2(name, ours):
    source, wanted = PROGRAMS[name]
    assert ours(source) == wanted


@pytest.mark.parametrize("name", PROGRAMS)
def test_oracle(name, python27):
    """The wanted texts are Python 2.7's own."""
    source, wanted = PROGRAMS[name]
    assert python27(source) == wanted
