"""Names that left modules of the standard library from Python 3.7 to 3.14.

`scripts/removals` finds them: it compares what every Python has. Those before 3.7
and the commonest are in `names`.
"""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes import removed
from tfgraphtools.compat.fixes.build import moved

MOVED = [
    *moved(
        "calendar",
        "Python 3.12",
        {"January": "calendar:JANUARY", "February": "calendar:FEBRUARY"},
    ),
    *moved("configparser", "Python 3.12", {"SafeConfigParser": "configparser:ConfigParser"}),
    *moved("io", "Python 3.10", {"OpenWrapper": "io:open"}),
    *moved("ntpath", "Python 3.7", {"splitunc": "ntpath:splitdrive"}),
    *moved("platform", "Python 3.8", {"popen": "os:popen"}),
    *moved("plistlib", "Python 3.9", {"Data": "builtins:bytes"}),
    *moved(
        "re",
        "Python 3.13",
        {
            "template": "re:compile",
            "T": "re:RegexFlag.NOFLAG",
            "TEMPLATE": "re:RegexFlag.NOFLAG",
        },
    ),
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


TABLE = Table("names that left Python 3", "names", MOVED)

_MODULES = (
    "ast asyncio binascii contextlib gettext importlib locale operator os pkgutil platform "
    "plistlib ssl string subprocess sys unittest urllib"
).split()

GONE = Table(
    "names that left Python 3 without a replacement", "gone", removed.gone_of(*_MODULES).rows
)
