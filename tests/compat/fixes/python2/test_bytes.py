"""Text where Python 2 had bytes: lines whose values 2.7 says itself."""

# ruff: noqa: E501 (programs, each on its line)

import builtins

import pytest

from tfgraphtools.compat.fixes import python2

pytestmark = pytest.mark.quick

#: id -> (statements, expression)
CASES = {
    "write": (
        "f = open(P, 'wb'); f.write('%d\\n' % 3); f.writelines(['a b\\n', 'c']); f.close()",
        "open(P).read(), [line.strip().split(' ') for line in open(P, 'rb')]",
    ),
    "write-through-print": (
        "f = open(P, 'ab'); print >>f, 'x', 1; f.close()",
        "open(P).read()[-4:]",
    ),
    "file": ("f = file(P, 'wb'); f.write('a'); f.close()", "file(P).read(), isinstance(f, file)"),
    "mixed": (
        "f = open(P, 'wb'); f.write('a\\n'); f.write(struct.pack('<i', 3)); f.close()",
        "open(P, 'rb').read() == 'a\\n\\x03\\x00\\x00\\x00', len(open(P, 'rb').read())",
    ),
    "binary-data": (
        "f = open(P, 'wb'); f.write(struct.pack('3B', 0x89, 200, 10)); f.close(); s = open(P, 'rb').read()",
        "s[0] == '\\x89', ord(s[1]), [ord(c) for c in s], s.find('\\n'), struct.unpack('3B', s), s[:2] == s[0] + s[1], bytearray(s)[1]",
    ),
    "read-and-write": (
        "f = open(P, 'w+b'); f.write('abc'); f.seek(1)",
        "f.read(1), f.readline(), f.name == P, f.closed",
    ),
    "words": (
        "open(P, 'wb').write('b 1\\na 2\\n'); lines = open(P, 'rb').readlines(); d = dict(l.split() for l in lines)",
        "sorted(d.items()), d['a'], int(d['b']) + float(d['a']), 'a' in lines[1], '%s|%5s' % (d['a'], lines[0].strip()), '-'.join([str(x) for x in lines[0].split()]), lines[0] < 'c', sorted(lines), lines[0].replace('b', 'c'), lines[0][:1] + 'x', 'x' + lines[0][0], lines[0].startswith(('a', 'b')), lines[0].upper(), lines[0].decode('utf8').strip() == 'b 1'",
    ),
    "text-wants-text": (
        "import sys; open(P, 'wb').write('b 1\\na 2\\n'); words = [l.strip() for l in open(P, 'rb')]; f = open(P + 't', 'w'); sys.stdout.write(words[0]); f.write(words[0] + '\\n'); f.write('c'); f.close()",
        "','.join(words), ''.join(w for w in words), '-'.join(words[0]), os.path.join('a', 'b'), ' '.join(['a', u'b']), open(P + 't').read()",
    ),
    "readers-of-libraries": (
        "f = open(P, 'wb'); cPickle.dump([1, 'a'], f, 2); f.close(); g = open(P + 'j', 'wb'); json.dump([1], g); g.close()",
        "cPickle.load(open(P, 'rb')), json.load(open(P + 'j', 'rb'))",
    ),
    "csv": (
        "f = open(P, 'wb'); w = csv.writer(f); w.writerow(['a', 1]); w.writerows([['b,c', 2.5]]); f.close()",
        "open(P, 'rb').read(), list(csv.reader(open(P, 'rb'))), [r['a'] for r in csv.DictReader(open(P, 'rb'))], list(csv.reader(['x,y']))",
    ),
    "csv-by-names": (
        "f = open(P, 'wb'); w = csv.DictWriter(f, ['a']); w.writeheader(); w.writerow({'a': 1}); f.close()\nclass R(csv.DictReader): pass",
        "[r['a'] for r in R(open(P, 'rb'), delimiter=',')]",
    ),
    "formatted": (
        "s = u'caf\\xe9'.encode('utf8')",
        "'%s|%s' % (s, 1), '%(k)s' % {'k': s}, str(s), '%s' % [1], '%d%%' % 3",
    ),
    "translated-without-punctuation": (
        "import string; s = u'A caf\\xe9.'.encode('utf8').lower()",
        "'%s' % s.translate(None, string.punctuation), '%s' % s.translate(None, 'a')",
    ),
    "encoded-keys": (
        "d = dict((k.encode('UTF-8'), v) for k, v in json.loads('{\"a\": 1}').items()); s = u'caf\\xe9 x'.encode('utf8')",
        "d['a'], 'a' in d, d[u'a'], d, 'b'.encode('utf8') == 'b', s.split(' ')[1] == 'x', len(s), s.decode('utf8') == u'caf\\xe9 x', 'c' + u'd'.encode('ascii')",
    ),
    "compressed": (
        "import gzip; f = gzip.open(P, 'wb'); f.write('ab\\n'); f.close()",
        "''.join([gzip.open(P).read()]), 1",
    ),
    "bytearray": (
        "b = bytearray('ab'); b += bytearray('c')",
        "b[0], len(b), str(bytes('ab')), bytes(5)",
    ),
    "universal-lines": (
        "f = open(P, 'wb'); f.write('a\\r\\nb\\r'); f.close()",
        "open(P, 'rU').read(), [l.strip() for l in open(P, 'U')]",
    ),
    "sockets": (
        "import socket; a, b = socket.socketpair(); a.send('x'); a.sendall('y'); a.close()",
        "''.join([b.recv(1)]), 1",
    ),
}

_IMPORTS = "import base64, binascii, cPickle, csv, json, os, struct, subprocess, tempfile, zlib\n"


@pytest.fixture
def importing(monkeypatch):
    """Has a Python 2 module import what it gets under compat."""
    plain = builtins.__import__

    def find(name, globals=None, locals=None, fromlist=(), level=0):
        name = {"cPickle": "pickle"}.get(name, name)
        return python2.library_modules.module_for(name, globals) or plain(
            name, globals, locals, fromlist, level
        )

    monkeypatch.setattr(builtins, "__import__", find)


@pytest.mark.parametrize("name", CASES)
def test_as_python27(name, tmp_path, ours, python27, importing):
    statements, expression = CASES[name]
    source = _IMPORTS.replace("cPickle", "pickle as cPickle")
    source += f"P = {str(tmp_path / 'p')!r}\n{statements}\nfor x in {expression},: print x\n"
    wanted = python27(source)
    assert "Error" not in wanted
    assert ours(source) == wanted
