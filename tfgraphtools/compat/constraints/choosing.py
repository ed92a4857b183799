"""The lines of a constraints file that a codebase needs, each with its reason."""

import sys
from typing import NamedTuple, Tuple

from tfgraphtools.compat.constraints import tables

#: How many places a reason lists.
_PLACES = 3


class Use(NamedTuple):
    """The reason why a package counts: it is imported at this place, and uses these changes.

    Fields:
      place: where it is imported, "FILE:LINE".
      changes: (place, `Change`) pairs.
    """

    place: str
    changes: Tuple


def lines(uses, pins, python=None):
    """Returns the lines of a file for ``pip install -c FILE``.

    Args:
      uses: {package: its `Use`}.
      pins: the repository's `Pins`.
      python: as (3, 11); the running one by default.

    Returns:
      a list of lines: comments with the reasons, and after them the constraint.
    """
    python = tuple(python or sys.version_info[:2])
    written = [
        f"# For Python {python[0]}.{python[1]}, by 'tfgraphtools doctor': pip install -c FILE ...",
        "# Last commit: " + (pins.date or "unknown, no git history"),
    ]
    needed = {}  # package -> the package that needs it
    for package in sorted(uses):
        if uses[package].changes:
            chosen = _chosen(package, pins, python)
            written += _reasons(package, uses[package], pins)
            if chosen is None:
                written.append(_missing(package, python))
                continue
            written.append(f"{package}=={chosen.version}")
            needed.update(dict.fromkeys(chosen.needs, f"{package} {chosen.version}"))
        elif package in tables.ceilings():
            written += [_pinned(package, pins, uses[package].place), *_ceiling(package)]
    done = {package for package in uses if uses[package].changes}
    return list(filter(None, written)) + _needed(needed, done, pins, python)


def _needed(needed, done, pins, python):
    written = []
    while set(needed) - done:
        package = min(set(needed) - done)
        done.add(package)
        chosen = _chosen(package, pins, python)
        if chosen is None:
            written += _ceiling(package)
            continue
        written += [
            f"# {needed[package]} needs it of its own years",
            f"{package}=={chosen.version}",
        ]
        needed.update({other: f"{package} {chosen.version}" for other in chosen.needs})
    return written


def _chosen(package, pins, python):
    """Returns the newest version that is not above the pin, or the last commit; else the oldest."""
    versions = [v for v in tables.versions() if v.package == package and v.runs_on(python)]
    pin = pins.packages.get(package)
    limit = tables.numbers(pin.limit) if pin and pin.limit[:2] in ("==", "<=", "~=") else None
    if limit is not None:
        fitting = [v for v in versions if tables.numbers(v.version)[: len(limit)] <= limit]
    else:
        fitting = [v for v in versions if v.released <= (pins.date or "")]
    return (fitting or versions[:1] or [None])[-1]


def _reasons(package, use, pins):
    """Comments: the repository's own pin, and each change with its first places."""
    written = [_pinned(package, pins, use.place)]
    by_change = {}
    for place, change in use.changes:
        by_change.setdefault(change, []).append(place)
    for change, places in by_change.items():
        more = f" and {len(places) - _PLACES} more" if len(places) > _PLACES else ""
        shown = ", ".join(places[:_PLACES]) + more
        written.append(f"# {shown}: {change.name.lstrip('.')}: {change.why}, since {change.since}")
    return written


def _pinned(package, pins, place):
    pin = pins.packages.get(package)
    if pin is None:
        return f"# {place} imports {package}"
    return f"# {pin.place} asks for {package}{pin.limit}"


def _ceiling(package):
    ceiling = tables.ceilings().get(package)
    return [f"# {ceiling.why}", package + ceiling.limit] if ceiling else []


def _missing(package, python):
    version = [v for v in tables.versions() if v.package == package]
    if not version:
        return "# no older version is known to run here"
    last = ".".join(map(str, version[-1].pythons[1]))
    return (
        f"# no version of {package} before this has wheels for Python "
        f"{python[0]}.{python[1]}: use Python {last}"
    )
