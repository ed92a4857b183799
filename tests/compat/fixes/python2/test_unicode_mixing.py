"""What `run` says of bytes beyond ASCII that meet unicode, which Python 2 refused."""

import sys

import pytest

pytest.importorskip("fissix")
if sys.version_info < (3, 10):
    pytest.skip("run needs Python 3.10", allow_module_level=True)

_START = "# -*- coding: utf-8 -*-\nu, b = u'caf\\xe9', '\\xc3\\xa9'\n"
_DECODED, _ENCODED = "UnicodeDecodeError", "UnicodeEncodeError"

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
}


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
