"""Functions of ``plistlib``."""

from tfgraphtools.compat.fixes.build import made


def _plist(old, new, binary):
    """A function of plistlib that takes a path or an open file."""

    def provide(real):
        function = getattr(real, new)

        def call(*arguments):
            if not binary:
                return function(*arguments)
            values, file = arguments[:-1], arguments[-1]
            if not isinstance(file, str):
                return function(*values, file)
            with open(file, "wb" if values else "rb") as opened:
                return function(*values, opened)

        return call

    why = f"plistlib.{old} is plistlib.{new}"
    return made("plistlib." + old, "Python 3.9", why)(provide)


@made("plistlib.Data", "Python 3.9", "plistlib.Data(x) is x itself")
def _plist_data(real):
    return bytes


ROWS = [
    _plist("readPlist", "load", True),
    _plist("writePlist", "dump", True),
    _plist("readPlistFromBytes", "loads", False),
    _plist("writePlistToBytes", "dumps", False),
    _plist_data,
]
