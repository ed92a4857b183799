"""A report as annotations of lines: GitHub's workflow commands, and SARIF for other tools."""

import os
import pathlib
from urllib.parse import quote

from tfgraphtools import _version
from tfgraphtools.compat.doctor import statuses

#: {status: level, in the words of both formats}; what works, patched or not, has none.
_LEVELS = {
    statuses.MISSING: "error",
    statuses.CANNOT: "error",
    statuses.NOT_INSTALLED: "warning",
    statuses.DIFFERS: "warning",
}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def github(report):
    """Yields a workflow command for each use that `run` does not support, or that differs.

    Source: GitHub, "Workflow commands for GitHub Actions".
    """
    for status, place in _uses(report):
        line = f",line={place.line}" if place.line else ""
        yield "::{} file={}{},title={}::{}".format(
            _LEVELS[status.status],
            _property(_relative(place)),
            line,
            _property(f"tfgraphtools doctor: {status.status}"),
            _escaped(_message(status)),
        )


def sarif(report):
    """Returns the same uses as a log of SARIF 2.1.0: plain data, for JSON.

    Source: OASIS, "Static Analysis Results Interchange Format Version 2.1.0".
    """
    rules, results = {}, []
    for status, place in _uses(report):
        rules.setdefault(status.name, _rule(status))
        results.append(
            {
                "ruleId": status.name,
                "level": _LEVELS[status.status],
                "message": {"text": _message(status)},
                "locations": [{"physicalLocation": _location(place)}],
            }
        )
    driver = {
        "name": "tfgraphtools doctor",
        "version": _version.__version__,
        "rules": list(rules.values()),
    }
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }


def _uses(report):
    for status, places in report.entries:
        if status.status in _LEVELS:
            for place in places:
                yield status, place


def _message(status):
    known = status.install is None or status.install in status.why
    remedy = "" if known else f" ({status.install})"
    return f"{status.name}: {status.why or status.status}{remedy}"


def _rule(status):
    return {
        "id": status.name,
        "shortDescription": {"text": f"{status.name}: {status.status}"},
        "defaultConfiguration": {"level": _LEVELS[status.status]},
    }


def _location(place):
    """Returns where a use is; a use of the whole file stands at its first line."""
    path = _relative(place)
    uri = pathlib.Path(path).as_uri() if os.path.isabs(path) else quote(path)
    return {"artifactLocation": {"uri": uri}, "region": {"startLine": max(place.line, 1)}}


def _relative(place):
    """Returns the path from the working folder, with slashes, if it is below it; else the whole."""
    path = place.file or place.path
    relative = os.path.relpath(path)
    is_below = relative.split(os.sep)[0] != os.pardir
    return relative.replace(os.sep, "/") if is_below else os.path.abspath(path)


def _escaped(text):
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text):
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
