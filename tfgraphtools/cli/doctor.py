"""``tfgraphtools doctor``: what a codebase uses of TF1, and whether `run` supports it."""

import argparse
import os

from tfgraphtools.cli import _outputs
from tfgraphtools.errors import UsageError

SUMMARY = "list what a codebase uses of TF1, and whether 'run' supports it"

#: What ``--format`` takes; the first is the default.
FORMATS = ("text", "json", "github", "sarif")
_GRAPHS = (".meta", ".pb")
_PLACES = 3  # that a line of the table shows


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="+",
        help="Python files, folders of them, or one .meta or .pb",
    )
    parser.add_argument("--all", action="store_true", help="also list names that work unchanged")
    parser.add_argument(
        "--format",
        choices=FORMATS,
        help="what to print: a table, JSON, annotations for GitHub Actions or SARIF",
    )
    parser.add_argument("--json", action="store_true", help="the same as --format json")
    parser.add_argument("--html", metavar="FILE", help="also write an HTML page")
    parser.add_argument(
        "--constraints",
        metavar="FILE",
        help="also write constraints for pip: versions of libraries that this code needs, and why",
    )
    _outputs.add_force(parser, "--html and --constraints")


def run(arguments: argparse.Namespace) -> int:
    """Prints what was found; 1 if a name is missing or not supported."""
    form = _format(arguments)
    paths, force = arguments.paths, arguments.force
    html = _outputs.claim("--html", arguments.html, paths, force)
    paths = [*paths, arguments.html]
    constraints = _outputs.claim("--constraints", arguments.constraints, paths, force)
    _require_code(arguments.paths)
    report = _examined(arguments.paths)
    if html:
        from tfgraphtools.compat.doctor.html_report import page

        html.write(page(report), _outputs.IN_HTML)
    if constraints:
        constraints.write("\n".join(report.constraints) + "\n", _outputs.IN_TEXT)
    _print(report, form, arguments.all)
    return 0 if report.ok else 1


def _format(arguments):
    if arguments.json and arguments.format not in (None, "json"):
        raise UsageError(
            "tfgraphtools doctor",
            "one format",
            f"--json and --format {arguments.format}",
            "Leave one of them out.",
        )
    return "json" if arguments.json else arguments.format or FORMATS[0]


def _print(report, form, everything):
    from tfgraphtools.cli._tables import print_json
    from tfgraphtools.compat.doctor import annotations

    if form == "json":
        print_json(report.as_dict())
    elif form == "sarif":
        print_json(annotations.sarif(report))
    else:
        is_github = form == "github"
        for line in annotations.github(report) if is_github else _lines(report, everything):
            print(line)


def _require_code(paths):
    """Raises `UsageError` where a path is that of a checkpoint, or a graph beside other paths."""
    for path in paths:
        is_checkpoint = path.endswith((".index", ".ckpt")) or os.path.isfile(path + ".index")
        if is_checkpoint and not os.path.isdir(path):
            prefix = path[: -len(".index")] if path.endswith(".index") else path
            raise UsageError(
                path,
                "code, or a graph: .meta or .pb",
                "a checkpoint",
                f"Write: tfgraphtools ckpt doctor {prefix} --graph {prefix}.meta",
            )
        if path.endswith(_GRAPHS) and len(paths) > 1:
            raise UsageError(
                path,
                "code, or one graph alone",
                "a graph and other paths",
                f"Write: tfgraphtools doctor {path}",
            )


def _examined(paths):
    from tfgraphtools import compat
    from tfgraphtools.cli import _tables
    from tfgraphtools.errors import ArgumentError

    if len(paths) == 1 and paths[0].endswith(_GRAPHS):
        return _graph(paths[0])
    if compat.is_tf1():
        raise ArgumentError(
            "tfgraphtools doctor " + " ".join(paths),
            "TensorFlow 2.16 or newer",
            "TensorFlow 1.15, on which this code runs unchanged",
            "Run it in the environment in which the code is to run.",
        )
    from tfgraphtools.compat import doctor
    from tfgraphtools.compat.engine import environment

    environment.require("tfgraphtools doctor")
    environment.prepare()
    return doctor.examine(paths, _tables.progress("doctor", unit="files"))


def _graph(path):
    """Returns the report on a graph: what of it this TensorFlow cannot load or run."""
    from tfgraphtools import checkpoints
    from tfgraphtools.compat.doctor import report, statuses

    ops, _ = checkpoints.lacking_ops(path)
    without = dict(checkpoints.unusable(path))
    place = (report.Place(path, 0),)
    entries = [statuses.Status(name, statuses.CANNOT, why) for name, why in without.items()]
    entries += [statuses.Status(op, statuses.WORKS) for op in ops if op not in without]
    return report.Report(path, 1, [report.Entry(status, place) for status in entries])


def _lines(report, everything):
    from tfgraphtools.cli import _tables
    from tfgraphtools.compat.doctor import statuses, upgrades

    shown = [e for e in report.entries if everything or e.status.status != statuses.WORKS]
    rows = [
        [
            status.name,
            status.status,
            upgrades.of(status),
            str(len(places)),
            _where(places),
            status.why,
        ]
        for status, places in shown
    ]
    headers = ["name", "status", "upgrade", "uses", "where", "why"]
    yield from _tables.table(headers, rows, _tables.terminal_width(), right=[3])
    if rows:
        yield ""
    for kind, (names, uses) in report.totals().items():
        if names:
            yield "{:<24} {:>5} {:>6}".format(
                kind, _tables.counted(names, "name"), _tables.counted(uses, "use")
            )
    files = _tables.counted(report.files, "file")
    yield f"{report.path}: {files}, {report.verdict}"
    for name, reason in report.not_applied.items():
        yield f"fix {name} is not applied: {reason}"
    if report.next_steps:
        yield from ["", "Next steps:", *("  " + command for command in report.next_steps)]
    if not report.path.endswith(_GRAPHS):
        yield report.about_upgrade


def _where(places):
    shown = ", ".join(map(str, places[:_PLACES]))
    return shown + (", ..." if len(places) > _PLACES else "")
