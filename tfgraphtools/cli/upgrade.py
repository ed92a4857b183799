"""``tfgraphtools upgrade``: rewrite TF1 code for today's TensorFlow."""

import argparse
import re
import sys

from tfgraphtools import environment_variables
from tfgraphtools.cli import _outputs, _tables
from tfgraphtools.errors import UsageError

SUMMARY = "rewrite TF1 code so that it runs on today's TensorFlow under plain Python"

_SHOWN = 20  # uses that the summary lists


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    parser.usage = "%(prog)s [OPTIONS] PATH... [--verify -- COMMAND...]"
    parser.add_argument(
        "paths", metavar="PATH", nargs="*", help="Python files, notebooks, or folders of them"
    )
    parser.add_argument(
        "--write", action="store_true", help="change the files (default: print the diff)"
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="exit with 1 if something would change, is left or was not looked at; no diff",
    )
    parser.add_argument(
        "--ignore-missing-imports",
        action="store_true",
        help="for --check: uses of packages that are not installed here do not count",
    )
    parser.add_argument(
        "--diff", action="store_true", help="print the diff with --write or --check, too"
    )
    _add_choices(parser)
    parser.add_argument(
        "--force",
        action="store_true",
        help="write files that git cannot restore, too: with uncommitted changes, untracked, "
        "ignored, or outside a git checkout; and let --html replace a file that tfgraphtools did "
        "not write, or that was changed",
    )
    parser.add_argument(
        "--backup",
        action="store_true",
        help="keep a copy of each changed file as NAME.orig; files that git does not track then "
        "need no --force",
    )
    parser.add_argument(
        "--recover",
        action="store_true",
        help="put back the old files of an upgrade that was interrupted while it wrote, and exit",
    )
    parser.add_argument(
        "--list-unseen",
        action="store_true",
        help="list the fixes of 'run' whose uses the source does not always show, and exit",
    )
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.add_argument("--html", metavar="FILE", help="also write an HTML page")
    _add_verification(parser)


def _add_choices(parser):
    """Adds the options that choose fixes."""
    parser.add_argument(
        "--select",
        action="append",
        default=[],
        metavar="FIX",
        help="use only this fix, or the fixes whose names begin with FIX; can be repeated",
    )
    parser.add_argument(
        "--skip",
        action="append",
        default=[],
        metavar="FIX",
        help="do not use this fix, or the fixes whose names begin with FIX; can be repeated",
    )
    parser.add_argument(
        "--no-runtime",
        action="store_true",
        help="never import tfgraphtools.tf1: write small modules of plain source (MNIST's reader, "
        "scipy.misc's images, ...) beside the files that need them, and list what is left",
    )
    parser.add_argument(
        "--no-copies",
        action="store_true",
        help="--no-runtime without these modules; list what would need them, too",
    )
    parser.add_argument(
        "--keras",
        choices=("legacy", "tf_keras"),
        help="what 'import keras' of Keras 1 or 2 becomes: Keras 2.2.4 itself, with the same "
        "numbers, or tf_keras, with a list of calls that differ (default: legacy, or tf_keras with "
        "--no-runtime); if given, files that could mean Keras 3 count as Keras 2's",
    )


def _add_verification(parser):
    """Adds ``--verify`` and its options."""
    parser.add_argument(
        "--python37",
        metavar="PYTHON",
        help="for --verify: run the old code under this Python with TF 1.15, not under 'run'",
    )
    parser.add_argument(
        "--run-option",
        action="append",
        default=[],
        metavar="OPTION",
        help="for --verify: run the old code with this option of 'run' (--run-option=--python2); "
        "can be repeated",
    )
    parser.add_argument(
        "--ignore",
        action="append",
        default=[],
        metavar="PATTERN",
        help="text that --verify ignores: a regular expression, for times for example",
    )
    parser.add_argument(
        "--verify",
        nargs=argparse.REMAINDER,
        metavar="-- COMMAND",
        help="run a command on copies of this folder, before and after, and compare",
    )


def run(arguments: argparse.Namespace) -> int:
    """Prints the diff or writes the files; 1 if a file changes, is unreadable, or a use is left."""
    from tfgraphtools import upgrade

    if arguments.list_unseen:
        return _list_unseen(arguments.json)
    _require_consistent(arguments)
    if arguments.recover:
        return _recover(arguments)
    html = _outputs.claim("--html", arguments.html, arguments.paths, arguments.force)
    report = upgrade.examine(
        arguments.paths,
        select=arguments.select,
        skip=arguments.skip,
        runtime=not (arguments.no_runtime or arguments.no_copies),
        copies=not arguments.no_copies,
        keras=arguments.keras,
        progress=_tables.progress("upgrade", unit="files"),
    )
    if html:
        from tfgraphtools.upgrade.html_report import page

        html.write(page(report), _outputs.IN_HTML)
    if arguments.verify is not None:
        return _verify(arguments, report)
    if arguments.write:
        report.write(force=arguments.force, backup=arguments.backup)
    if arguments.json:
        _tables.print_json(report.as_dict())
    elif arguments.diff or not (arguments.write or arguments.check):
        _print_diff(report)
    for line in _summary(report, arguments):
        print(line, file=sys.stderr)
    if report.errors:
        return 1
    unseen = report.unseen and not arguments.ignore_missing_imports
    return 1 if arguments.check and (report.changed or report.left or unseen) else 0


def _recover(arguments):
    from tfgraphtools import upgrade

    paths = upgrade.recover(arguments.paths)
    if arguments.json:
        _tables.print_json({"restored": paths})
    else:
        for path in paths:
            print(f"{_printable(path)}: the old file is back")
        print(f"{_tables.counted(len(paths), 'file')} put back", file=sys.stderr)
    return 0


def _list_unseen(as_json):
    from tfgraphtools.upgrade.clues import unseen

    groups = unseen.unseen()
    if as_json:
        _tables.print_json([row._asdict() for _, group in groups for row in group])
        return 0
    for title, group in groups:
        print(title)
        for row in group:
            print(f"  {row.name}  [{row.since}]  {row.why}")
            if row.remedy:
                print(f"    {row.remedy}")
    return 0


def _require_consistent(arguments):
    """Raises `UsageError` where an option asks for what another excludes, or for nothing."""
    if not arguments.paths:
        verify = "" if arguments.verify is None else " --verify -- python train.py"
        raise UsageError(
            "upgrade",
            "PATH: Python files, notebooks, or folders" + (", before --verify" if verify else ""),
            "none",
            f"For example: tfgraphtools upgrade src{verify}",
        )
    if arguments.python37 and arguments.verify is None:
        raise UsageError(
            "--python37",
            "--verify, which runs the old code under this Python",
            "no --verify",
            "For example: tfgraphtools upgrade . --python37 PYTHON --verify -- python train.py",
        )
    for option in ("run_option", "ignore"):
        if getattr(arguments, option) and arguments.verify is None:
            name = "--" + option.replace("_", "-")
            raise UsageError(
                name,
                "--verify, which it is about",
                "no --verify",
                f"For example: tfgraphtools upgrade . {name}=... --verify -- python train.py",
            )
    if arguments.ignore_missing_imports and not arguments.check:
        raise UsageError(
            "--ignore-missing-imports",
            "--check, whose exit code it is about",
            "no --check",
            "For example: tfgraphtools upgrade src --check --ignore-missing-imports",
        )
    if arguments.write and arguments.check:
        raise UsageError(
            "upgrade",
            "--write or --check",
            "both",
            "Leave out --check: its exit code says whether --write would change files.",
        )


def _print_diff(report):
    coloured = sys.stdout.isatty() and not environment_variables.is_set("NO_COLOR")
    for line in report.diff():
        print(_coloured(line) if coloured else _printable(line))


def _printable(line):
    return line if _tables.can_print(line) else line.encode("ascii", "backslashreplace").decode()


def _coloured(line):
    for beginning, colour in (("+++", 1), ("---", 1), ("@@", 36), ("+", 32), ("-", 31)):
        if line.startswith(beginning):
            return f"\x1b[{colour}m{_printable(line)}\x1b[0m"
    return _printable(line)


def _summary(report, arguments):
    from tfgraphtools.upgrade.findings import REWRITTEN, RUNTIME

    changed = len(report.changed)
    counts = report.counts()
    did = "rewritten" if arguments.write else "would be rewritten"
    yield "{} of {} {}; {} rewritten, {} of them through tfgraphtools.tf1, {} left{}".format(
        changed,
        _tables.counted(len(report.files), "file"),
        did,
        _tables.counted(counts[REWRITTEN] + counts[RUNTIME], "use"),
        counts[RUNTIME],
        report.left,
        f", {report.unseen} not looked at" if report.unseen else "",
    )
    unresolved = report.unresolved()
    for path, finding in unresolved[:_SHOWN]:
        yield f"  {path}:{finding.line}: {finding.name}: {finding.reason}"
    if unresolved[_SHOWN:]:
        yield f"  and {len(unresolved) - _SHOWN} more: --json lists them all"
    yield from report.notes
    if changed:
        yield _NOT_COUNTED
    yield from _next_steps(report, arguments)


#: What no analysis of source can count.
_NOT_COUNTED = (
    "not counted: fixes of 'run' that depend on values: 'tfgraphtools upgrade --list-unseen' lists "
    "them, 'tfgraphtools run --report SCRIPT' those that a program uses"
)


def _next_steps(report, arguments):
    """Lines that name the commands to run next."""
    from tfgraphtools.compat import legacy

    texts = [file.new for file in report.changed]
    if any(_OF_LEGACY.search(text) for text in texts) and legacy.find() is None:
        yield (
            "next: 'tfgraphtools legacy install': this code imports TF 1.15's contrib, examples or "
            "estimator, and none is installed"
        )
    fixes = {finding.fix for file in report.changed for finding in file.findings}
    if not arguments.write and any(_COMPUTES.search(fix) for fix in fixes):
        started = [file.shown for file in report.changed if _starts(file)]
        yield "next: compare old and new: 'tfgraphtools upgrade {} --verify -- python {}'".format(
            " ".join(arguments.paths), started[0] if started else "SCRIPT"
        )


#: What comes from the legacy installation.
_OF_LEGACY = re.compile(r"tfgraphtools\.tf1\b.*\b(contrib|estimator|examples)\b")

#: The fixes of libraries that may compute other numbers than they did.
_COMPUTES = re.compile(r"keras|pandas|sklearn|seeds")


def _starts(file):
    return any(finding.fix == "tensorflow.entry" for finding in file.findings)


def _verify(arguments, report):
    from tfgraphtools.upgrade import verify

    if not arguments.verify:
        raise UsageError(
            "--verify",
            "a command after it",
            "none",
            "For example: tfgraphtools upgrade . --verify -- python train.py --steps 20",
        )
    proof = verify.verify(
        report,
        arguments.verify,
        python37=arguments.python37,
        options=arguments.run_option,
        ignore=arguments.ignore,
    )
    if arguments.json:
        _tables.print_json(proof.as_dict())
    else:
        print("\n".join(proof.lines()))
    return 0 if proof.holds else 1
