"""``tfgraphtools run``: an old TF1 script, unmodified, on today's TensorFlow."""

import argparse
import atexit
import sys

SUMMARY = "run a TF1 script, unmodified, on today's TensorFlow"


def add_arguments(parser):
    """Adds the words of the command; all words after the script are the script's."""
    parser.add_argument("--seeds", choices=["tf1"], help="derive op seeds as TF 1.15 did")
    parser.add_argument(
        "--without", action="append", default=[], metavar="FIX", help="go without this fix"
    )
    parser.add_argument(
        "--v1-package",
        action="append",
        default=[],
        metavar="NAME",
        help="an installed package that was written for TF1",
    )
    parser.add_argument(
        "--report", action="store_true", help="at the end, list the fixes that were used, on stderr"
    )
    parser.add_argument("--report-to", metavar="FILE", help="the same, written to a file")
    parser.add_argument("--list-fixes", action="store_true", help="list all fixes, and stop")
    parser.add_argument("--show-plots", action="store_true", help="let matplotlib open windows")
    parser.add_argument(
        "--compare",
        metavar="PYTHON37",
        help="run it under this Python with TF 1.15 too; show where the printed numbers part",
    )
    parser.add_argument(
        "--tolerance", type=float, default=1e-5, help="of --compare (default: 1e-5)"
    )
    parser.add_argument(
        "--ignore",
        action="append",
        default=[],
        metavar="PATTERN",
        help="of --compare: leave out what this regular expression matches, such as times",
    )
    parser.add_argument(
        "-m", dest="as_module", action="store_true", help="run a module instead of a script"
    )
    parser.add_argument(
        "words",
        nargs=argparse.REMAINDER,
        metavar="SCRIPT [ARGS...]",
        help="the script, or with -m the module, and the words that it gets",
    )


def run(arguments):
    """Prepares the run; what it returns runs the script, whose errors are its own."""
    from tfgraphtools import compat, runner
    from tfgraphtools.errors import UsageError

    if arguments.list_fixes:
        return _list_fixes()
    if not arguments.words:
        raise UsageError(
            "tfgraphtools run",
            "a script, or -m and a module",
            "neither",
            "For example: tfgraphtools run train.py --steps 100",
        )
    if arguments.compare:
        return _compare(arguments)
    program = runner.Program(arguments.words[0], arguments.words[1:], arguments.as_module)
    if not compat.is_tf1():
        runner.prepare_environment(arguments.seeds)
    options = compat.Options(
        script_folder=program.folder,
        packages=tuple(arguments.v1_package),
        without=tuple(arguments.without),
        seeds=arguments.seeds,
        show_plots=arguments.show_plots or None,
    )
    compat.activate(options, running_code=False)
    if arguments.report or arguments.report_to:
        atexit.register(_print_report, arguments.report_to)
    return lambda: program.run(options)


def _compare(arguments):
    from tfgraphtools.compat import compare

    options = ["--seeds=" + arguments.seeds] if arguments.seeds else []
    options += [f"--without={row}" for row in arguments.without]
    options += [f"--v1-package={name}" for name in arguments.v1_package]
    words = ["-m", *arguments.words] if arguments.as_module else arguments.words
    found = compare.run(arguments.compare, words, options, arguments.tolerance, arguments.ignore)
    print(found)
    return 0 if found.same else 1


def _list_fixes():
    from tfgraphtools.compat.engine import rows

    for table in rows.tables():
        print(table.title)
        for row in table.rows:
            print(f"  {row.name}  [{row.since}]  {row.why}")
    return 0


def _print_report(destination):
    from tfgraphtools.compat.engine import rows

    used = rows.report()
    lines = [f"tfgraphtools run: {len(used)} fixes used"]
    lines += [f"  {row.name}  [{row.since}]  {row.why}" for row in used]
    text = "\n".join(lines) + "\n"
    if destination is None:
        sys.stderr.write(text)
    else:
        with open(destination, "w", encoding="utf-8") as file:
            file.write(text)
