"""The versions to try after a pin that cannot be installed or imported: the nearest first.

A library keeps its API within a major version, if anywhere; the newest of all is the last resort.
"""

import re

_FIRST = re.compile(r"(===?|~=|>=?|<=)\s*v?(\d+)(?:\.(\d+))?")


def nearest(package, limit):
    """Returns requirements for the versions near a pin, the nearest first; none without a pin.

    Before 1.0 the minor version is what may break.

    Args:
      package: its name.
      limit: what is asked for, such as ``==5.1.2``.

    Example:
      >>> nearest("pyyaml", "==5.1.2"), nearest("scipy", "==0.19.1")
      (['pyyaml>=5,<6'], ['scipy>=0.19,<0.20', 'scipy<1'])
    """
    match = _FIRST.search(limit or "")
    if match is None:
        return []
    major, minor = int(match.group(2)), match.group(3)
    if major:
        return [f"{package}>={major},<{major + 1}"]
    of_minor = [f"{package}>=0.{minor},<0.{int(minor) + 1}"] if minor else []
    return [*of_minor, f"{package}<1"]
