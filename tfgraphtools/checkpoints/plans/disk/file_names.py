"""Names that Windows takes for something else than a file: devices, streams, patterns."""

import os
import re

_DEVICE = re.compile(
    r"(con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])", re.I
)
_RESERVED = re.compile(r'[<>:"|?*\x00-\x1f]')


def problem(name, system=os.name):
    """Says why a file cannot have a name on a system; None if it can.

    Args:
      name: without a folder.
      system: as `os.name`: only "nt" reserves names.
    """
    if system != "nt":
        return None
    reserved = _RESERVED.search(name)
    if reserved:
        return f"the character {reserved.group()!r}, which Windows reserves"
    if _DEVICE.fullmatch(name.split(".")[0].rstrip(" ")):
        return "the name of a device of Windows"
    if name.endswith((" ", ".")):
        return "a space or a dot at the end, which Windows drops"
    return None
