"""Programs of Python 2: under run they print what Python 2.7 printed, or a notice says what not."""

import os
import sys

import pytest
import recorded_programs

if sys.version_info < (3, 10):
    pytest.skip("run needs Python 3.10", allow_module_level=True)

#: What the notices say of what `run` does not know, by a word of theirs.
UNICODE, LONG, ERRORS = "shows unicode strings", "long integers with an L", "texts of Python's own"
IS_UNICODE, IS_LONG, KIND = "isinstance(x, unicode)", "isinstance(x, long)", "FileNotFoundError"
IO_ERROR, EXEC, ORDER = "except IOError", "`exec` in a function", "behind tuples"
EQUAL = "bytes beyond ASCII are equal"
DECODED, ENCODED = "bytes beyond ASCII met unicode", "unicode beyond ASCII became bytes"
IS_STR = "isinstance(x, str)"
OLD_CLASS, ERROR_NAMES = "the type of an old class", "are one class in Python 3"

#: An error in place of an answer: nothing is silent about it.
ERROR = "uncaught"

#: program -> how a user learns of what differs.
DIFFERENT = {
    "bytes-and-unicode-equal": EQUAL,
    "bytes-of-unicode": IS_STR,
    "chained-comparisons-calls": ERROR,
    "class-names": OLD_CLASS,
    "cmp-floats": LONG,
    "coerce": ERROR,
    "complex-order": ERRORS,
    "decoded-bytes": DECODED,
    "decoded-bytes-in-methods": DECODED,
    "dict-order-and-mutation": LONG,
    "encoded-unicode": ENCODED,
    "error-of-re": ERRORS,
    "exception-hierarchy": ERROR_NAMES,
    "exception-messages": ERRORS,
    "exception-old-class": ERROR,
    "exception-types": KIND,
    "exec-code": ERROR,
    "exec-forms": ERROR,
    "hash-buckets": LONG,
    "int-conversions": ERROR,
    "itertools": ERROR,
    "long-repr": LONG,
    "long-type": LONG,
    "maxint": IS_LONG,
    "mixed-bisect": ERROR,
    "mixed-heapq": ERROR,
    "mixed-order-dicts": ERROR,
    "mixed-order-unicode": ORDER,
    "oct-hex": LONG,
    "oserror-or-ioerror": IO_ERROR,
    "re-digits": UNICODE,
    "re-words": UNICODE,
    "repr-quotes": UNICODE,
    "scopes-class-comprehension": ERROR,
    "scopes-print-misc": IS_LONG,
    "shadow-exec": EXEC,
    "sort-with-none": ORDER,
    "splitlines": UNICODE,
    "str-of-types": IS_UNICODE,
    "str-of-unicode": IS_STR,
    "string-format": LONG,
    "string-keys": UNICODE,
    "true-and-false": ERROR,
    "type-of-json": IS_STR,
    "unicode-files": ENCODED,
    "unicode-in-lists": UNICODE,
    "words-of-today": ERROR,
}


def differences(group, server, folder):
    """Returns ({program: (Python 2.7's output, ours)}, stderr) of a group under run."""
    done = server.run(folder, *recorded_programs.write(group, folder))
    assert done.code == 0, done.err
    ours, theirs = recorded_programs.printed(group, folder), recorded_programs.recorded()[group]
    return {name: (theirs[name], ours[name]) for name in ours if ours[name] != theirs[name]}, done


@pytest.mark.parametrize("group", recorded_programs.GROUPS)
def test_as_python27(group, compat_server, tmp_path):
    pytest.importorskip("fissix")
    found, done = differences(group, compat_server, tmp_path)
    unknown = {name: texts for name, texts in found.items() if name not in DIFFERENT}
    assert not unknown
    for name, (_, ours) in found.items():
        how = DIFFERENT[name]
        if how == ERROR:
            assert ERROR in ours, name
        else:
            assert how in done.err, name


def test_there_are_hundreds():
    programs = [
        name for group in recorded_programs.GROUPS for name in recorded_programs.programs_of(group)
    ]
    assert len(programs) > 300
    assert set(DIFFERENT) <= set(programs)


@pytest.mark.skipif(not os.environ.get("TFGRAPHTOOLS_WHOLE"), reason="records again")
@pytest.mark.parametrize("group", recorded_programs.GROUPS)
def test_recorded_by_python27(group, python27_path):
    assert recorded_programs.printed_by(python27_path, group) == recorded_programs.recorded()[group]
