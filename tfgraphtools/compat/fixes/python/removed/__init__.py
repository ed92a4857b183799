"""Names that left modules of the standard library from Python 3.7 to 3.14.

`scripts/removals` finds them: it compares what every Python has. Those before 3.7
and the commonest are in `names`.
"""

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.build import made, moved
from tfgraphtools.compat.fixes.python.removed import (
    constant_nodes,
    functions,
    importing,
    loading_tests,
    network,
    plists,
    system,
)

MOVED = [
    *moved("configparser", "Python 3.12", {"SafeConfigParser": "configparser:ConfigParser"}),
    *moved("io", "Python 3.10", {"OpenWrapper": "io:open"}),
    *moved("ntpath", "Python 3.7", {"splitunc": "ntpath:splitdrive"}),
    *moved("platform", "Python 3.8", {"popen": "os:popen"}),
    *moved("re", "Python 3.13", {"template": "re:compile"}),
    *moved("sqlite3", "Python 3.10", {"OptimizedUnicode": "builtins:str"}),
    *moved("tarfile", "Python 3.8", {"filemode": "stat:filemode"}),
    *moved("wave", "Python 3.9", {"openfp": "wave:open"}),
    *moved("sunau", "Python 3.9", {"openfp": "sunau:open"}),
    *moved("aifc", "Python 3.9", {"openfp": "aifc:open"}),
    *moved("logging", "Python 3.13", {"warn": "logging:warning"}),
    *moved("email.utils", "Python 3.7", {"ecre": "email.header:ecre"}),
    *moved("unittest", "Python 3.12", {"_TextTestResult": "unittest:TextTestResult"}),
    *moved(
        "urllib.request",
        "Python 3.8",
        {
            name: "urllib.parse:_" + name
            for name in (
                "splitattr splithost splitpasswd splitport splitquery splittag splittype "
                "splituser splitvalue to_bytes"
            ).split()
        },
    ),
]


def _calendar_month(name, number):
    why = f"calendar.{name} is {number}"
    return made("calendar." + name, "Python 3.12", why)(lambda real: number)


def _no_flag(name):
    provide = made("re." + name, "Python 3.13", "the flag changes no match")
    return provide(lambda real: real.RegexFlag(0))


TABLE = Table(
    "names that left Python 3",
    "names",
    [
        *MOVED,
        *system.ROWS,
        *network.ROWS,
        *importing.ROWS,
        *functions.ROWS,
        _no_flag("T"),
        _no_flag("TEMPLATE"),
        _calendar_month("January", 1),
        _calendar_month("February", 2),
        *loading_tests.ROWS,
        *plists.ROWS,
        *constant_nodes.ROWS,
    ],
)

_LOCALE_BYTES = "it returned bytes in the locale's encoding: use the function without l"

GONE = Table(
    "names that left Python 3 without a replacement",
    "gone",
    [
        *[
            Row("gettext." + name, "Python 3.11", _LOCALE_BYTES)
            for name in "lgettext lngettext ldgettext ldngettext bind_textdomain_codeset".split()
        ],
        *[
            Row("binascii." + name, "Python 3.11", "BinHex is a format of old Macintoshes")
            for name in "a2b_hqx b2a_hqx rlecode_hqx rledecode_hqx".split()
        ],
    ],
)
