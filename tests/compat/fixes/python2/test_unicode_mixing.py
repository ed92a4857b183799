"""What `run` says of bytes beyond ASCII that meet unicode, which Python 2 refused."""

import sys

import pytest

pytest.importorskip("fissix")
if sys.version_info < (3, 10):
    pytest.skip("run needs Python 3.10", allow_module_level=True)

_START = "# -*- coding: utf-8 -*-\nu, b = u'caf\\xe9', '\\xc3\\xa9'\n"
_DECODED, _ENCODED = "UnicodeDecodeError", "UnicodeEncodeError"
_BESIDE = "text of ASCII that may be unicode"

#: id -> (line 3 of a program, what its notice names; None where there is none)
CASES = {
    "in": ("b in u", _DECODED),
    "in-bytes": ("u in b", _DECODED),
    "sum": ("u + b", _DECODED),
    "replace": ("u.replace(b, 'x')", _DECODED),
    "find": ("b.find(u)", _DECODED),
    "format": ("u'{}\\xe9'.format(b)", _DECODED),
    "less": ("u < b", _DECODED),
    "join": ("u.join([b, 'a'])", _DECODED),
    "str": ("str(u)", _ENCODED),
    "format-str": ("'{}'.format(u)", _ENCODED),
    "write": ("open('x.txt', 'w').write(u)", _ENCODED),
    "key": ("{b: 1}.get(u'\\xe9')", "are equal to the unicode text"),
    "bytes": ("isinstance(u'a', bytes)", "isinstance(x, str)"),
    "print": ("print u, b, [b]", None),
    "format-unicode": ("(u'%s' % u, u'x' + u, '%s' % u, u'{}'.format(u))", None),
    "default": ("import sys; reload(sys); sys.setdefaultencoding('utf-8'); b in u, u + b", None),
    "both-types": ("isinstance(u'a', (str, unicode))", None),
    "format-of-a-variable": ("t = u'{}'; t.format(u)", None),
    "base": ("isinstance(u'a', basestring)", None),
    "beside-a-text": ("v = 'abc'.decode(); f = lambda v: v + b; f(v)", _BESIDE),
    "beside-a-text-after": ("v = 'abc'.decode(); f = lambda v: b + v; f(v)", _BESIDE),
    "joined-by-a-text": ("v = 'abc'.decode(); f = lambda v: v.join([b, b]); f(v)", _BESIDE),
    "joins-a-text": ("v = 'abc'.decode(); f = lambda v: b.join([v, v]); f(v)", _BESIDE),
    "in-a-text": ("v = 'abc'.decode(); f = lambda v: b in v; f(v)", _BESIDE),
    "text-in": ("v = 'abc'.decode(); f = lambda v: v in b; f(v)", _BESIDE),
    "formats-a-text": ("v = 'abc'.decode(); f = lambda v: '%s %s' % (b, v); f(v)", _BESIDE),
    "replaced-by-a-text": ("v = 'abc'.decode(); f = lambda v: b.replace('a', v); f(v)", _BESIDE),
    "beside-a-literal": (
        "(b + ' ', ', '.join([b, b]), '%s!' % b, 'a' in b, b.replace('a', ''))",
        None,
    ),
}

#: What Python 2 refused: beside a literal of unicode, run does, too.
REFUSED = ("u'x' + b", "b + u'x'", "u', '.join([b, b])", "u'abc'.replace('a', b)", "u'%s' % b")


@pytest.mark.parametrize("expression", REFUSED)
def test_a_literal_of_unicode_refuses_bytes(expression, compat_server, tmp_path):
    (tmp_path / "old.py").write_text(
        f"{_START}try: {expression}\nexcept UnicodeDecodeError: print 'refused'\n"
    )
    done = compat_server.run(tmp_path, "old.py")
    assert done.out == "refused\n", done.err


def test_text_without_unicode_has_no_notice(compat_server, tmp_path):
    """Where the program makes no unicode, each text of ASCII is str."""
    (tmp_path / "old.py").write_text(
        "b, v = '\\xc3\\xa9', str(12)\nf = lambda v: (b + v, v.join([b, b]), v in b)\nprint f(v)\n"
    )
    done = compat_server.run(tmp_path, "old.py")
    assert done.out and "old.py:2" not in done.err, done.err


@pytest.mark.parametrize("case", CASES)
def test_a_notice_has_the_line(case, compat_server, tmp_path):
    line, words = CASES[case]
    (tmp_path / "old.py").write_text(_START + line + "\nprint 'end'\n")
    done = compat_server.run(tmp_path, "old.py")
    assert done.out.endswith("end\n"), done.err
    told = [text for text in done.err.splitlines() if "old.py:3: " in text]
    if words is None:
        assert not told
    else:
        assert len(told) == 1 and words in told[0], done.err


def test_bytes_is_a_dtype(compat_server, tmp_path):
    """`bytes` as a dtype is what it was: texts of bytes, not of unicode."""
    (tmp_path / "old.py").write_text(
        "import numpy as np\n"
        "a = np.array(['ab'], dtype=bytes)\n"
        "print a.dtype.kind, np.array(['a']).astype(bytes).dtype.kind,\n"
        "print isinstance(a[0], bytes), isinstance(np.array(['a'], bytes)[0], str)\n"
    )
    done = compat_server.run(tmp_path, "old.py")
    assert done.out == "S S True True\n", done.err
