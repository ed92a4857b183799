"""``open(path, "rU")``: a text file has been read with universal newlines since Python 3.0.

Python 3.11 dropped the letter, which asks for what is so anyway.
"""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import in_place_of


@in_place_of(
    "builtins.open io.open codecs.open os.fdopen",
    "Python 3.11",
    'the mode "rU" reads with universal newlines, as "r" does',
)
def _open(original, used, *arguments, **options):
    arguments = list(arguments)
    holder, place = (arguments, 1) if len(arguments) > 1 else (options, "mode")
    mode = arguments[1] if len(arguments) > 1 else options.get("mode")
    if isinstance(mode, str) and "U" in mode:
        used()
        holder[place] = mode.replace("U", "" if "r" in mode else "r")
    return original(*arguments, **options)


TABLE = Table("files that are opened with universal newlines", "calls", _open)
