"""``tfgraphtools run``: an old TF1 script, unmodified, on today's TensorFlow."""

import argparse
import atexit
import os
import sys
from typing import Callable, Union

from tfgraphtools import environment_variables, files
from tfgraphtools.cli import _outputs, _tables
from tfgraphtools.errors import TfgraphtoolsError

SUMMARY = "run a TF1 script, unmodified, on today's TensorFlow"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command; everything after the script is a script argument."""
    parser.usage = "%(prog)s [OPTIONS] SCRIPT [ARGS...]"
    _add_behavior(parser)
    _add_reports(parser)
    _add_comparison(parser)
    _add_script(parser)


def _add_behavior(parser):
    parser.add_argument(
        "--seeds", choices=["tf1"], help="reproduce the random seeds of TF 1.15 (default: no)"
    )
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="FIX",
        help="disable this fix, the fixes of a library, or those of a pattern; can be repeated",
    )
    parser.add_argument(
        "--libraries",
        choices=["today"],
        help="disable every fix outside of TensorFlow, Keras and Python (default: no)",
    )
    parser.add_argument(
        "--v1-package",
        action="append",
        default=[],
        metavar="NAME",
        help="give the TF1 API to this installed package, too",
    )
    parser.add_argument(
        "--allow-pickle",
        action="store_true",
        help="let numpy.load read pickles, which can run any code (default: refused)",
    )
    parser.add_argument(
        "--no-v1-package",
        action="append",
        default=[],
        metavar="NAME",
        help="a package that gets the real TensorFlow, though it looks written for TF1",
    )
    parser.add_argument(
        "--v2-behavior",
        action="store_true",
        help="keep TF 2's behavior where code imports only tensorflow.compat.v1",
    )
    parser.add_argument(
        "--python2",
        action="store_true",
        help="the script was written for Python 2, even where Python 3 can parse it: "
        "1 / 2 is 0, map() gives a list",
    )
    parser.add_argument(
        "--no-inherit",
        action="store_true",
        help="leave Python processes that the script starts as they are",
    )
    parser.add_argument("--show-plots", action="store_true", help="let matplotlib open windows")


def _add_reports(parser):
    parser.add_argument(
        "--report", action="store_true", help="at the end, list the fixes that were used, on stderr"
    )
    parser.add_argument(
        "-q",
        "--quiet",
        action="store_true",
        help="print no notices: what the run cannot do as TF 1.15 did, packages that it takes for "
        "code of TF1, fixes that it cannot apply",
    )
    parser.add_argument("--report-to", metavar="FILE", help="write the report to a file")
    _outputs.add_force(parser, "--report-to")
    parser.add_argument("--list-fixes", action="store_true", help="list all fixes and exit")
    parser.add_argument(
        "--list-patches",
        action="store_true",
        help="at the end, list what is patched, by which fix and for whom, on stderr; without a "
        "script, list on stdout what importing TensorFlow patches",
    )
    parser.add_argument(
        "--why",
        metavar="NAME",
        help="say whether a file or module is user code and which fixes apply there, or what "
        "replaces a name such as np.bool, and exit",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print the result of --list-fixes, --list-patches, --report or --compare as JSON",
    )


def _add_comparison(parser):
    parser.add_argument(
        "--compare",
        metavar="PYTHON37",
        help="run the script under this Python with TF 1.15, too, and show the first difference "
        "between the printed numbers",
    )
    parser.add_argument(
        "--tolerance",
        type=float,
        default=1e-5,
        help="largest relative difference that --compare accepts; integers must be equal "
        "(default: 1e-5)",
    )
    parser.add_argument(
        "--ignore",
        action="append",
        default=[],
        metavar="PATTERN",
        help="text that --compare ignores: a regular expression, for times for example",
    )


def _add_script(parser):
    parser.add_argument(
        "-m", dest="as_module", action="store_true", help="run a module instead of a script"
    )
    parser.add_argument(
        "-c", dest="as_text", action="store_true", help="run Python code instead of a script"
    )
    parser.add_argument(
        "words",
        nargs=argparse.REMAINDER,
        metavar="SCRIPT [ARGS...]",
        help="the script ('-' is standard input; with -m the module, with -c the code) and the "
        "script arguments",
    )


def run(arguments: argparse.Namespace) -> Union[int, Callable[[], int]]:
    """Prepares the run; what it returns runs the script, whose errors are its own."""
    from tfgraphtools import compat, runner
    from tfgraphtools.compat.engine import environment, quiet, switches
    from tfgraphtools.runner import inherit

    if arguments.list_fixes:
        return _list_fixes(arguments.json)
    if arguments.why:
        return _why(arguments)
    if arguments.list_patches and not arguments.words:
        return _list_patches(arguments)
    _require_words(arguments)
    read = [] if arguments.as_module or arguments.as_text else arguments.words[:1]
    report_to = _outputs.claim("--report-to", arguments.report_to, read, arguments.force)
    if arguments.compare:
        return _compare(arguments)
    first, *script_arguments = arguments.words
    if arguments.as_text:
        program = runner.Program(
            "-c", script_arguments, source=first.encode("utf-8", "surrogateescape")
        )
    else:
        program = runner.Program(first, script_arguments, arguments.as_module)
    if arguments.allow_pickle:
        os.environ[environment_variables.ALLOW_PICKLE] = "1"  # child processes, too
    options = _options(arguments)
    if not compat.is_tf1():
        environment.require("tfgraphtools run")
        options = switches.with_project(options, program.folder)
        options = options._replace(tf2=_is_for_tf2(program, options))
    compat.activate(options, running_code=False)  # under TF 1.15 it checks the options only
    quiet.keep()
    if options.tf2:
        quiet.say(_STAYS_EAGER)
    atexit.register(_print_notices)
    if not compat.is_tf1() and not arguments.no_inherit:
        inherit.follow(options)
    if arguments.report or arguments.report_to:
        atexit.register(_print_report, report_to, arguments.json)
    if arguments.list_patches:
        atexit.register(lambda: sys.stderr.write(_patches(arguments.json)))
    return lambda: program.run(options)


_STAYS_EAGER = (
    "tfgraphtools: the program is code for TF 2 that uses tf.estimator: it stays eager and gets "
    "the estimator (--without tensorflow.compat.v2.estimator disables this)."
)


def _is_for_tf2(program, options):
    """Tells whether a script is code for TF 2 that uses ``tf.estimator``."""
    path = program.path or os.path.join(*program.target.split(".")) + ".py"  # of run -m
    if program.is_archive or not (path.endswith(".py") and os.path.isfile(path)):
        return False
    from tfgraphtools.upgrade.clues import estimator_programs

    return estimator_programs.ROW not in options.without and estimator_programs.is_for_tf2(path)


def _require_words(arguments):
    """Raises `UsageError` where nothing is named that could run, or -m has the name of a file."""
    from tfgraphtools.errors import UsageError

    option, expected = {
        (True, False): ("run -m", "the name of a module"),
        (False, True): ("run -c", "Python code"),
    }.get((arguments.as_module, arguments.as_text), ("run", "a script, or -m and a module"))
    example = "For example: tfgraphtools run train.py --steps 100"
    if not arguments.words:
        raise UsageError(option, expected, "none", example)
    first = arguments.words[0]
    if arguments.as_module and os.path.isfile(first):
        fix = f"Write: tfgraphtools run {first}"
        raise UsageError(f"run -m {first}", expected, "the path of a file", fix)
    if not (arguments.as_module or arguments.as_text) and _is_shell_script(first):
        fix = "Write 'tfgraphtools run' for 'python' in its lines, and start it with sh."
        raise UsageError(f"run {first}", "a Python script", "a script of a shell", fix)


def _is_shell_script(path):
    """Tells whether a file is a program for a shell, by its name and first line."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        first = file.readline(200)
    return path.endswith((".sh", ".bash")) or (first[:2] == b"#!" and first.strip()[-2:] == b"sh")


def _options(arguments):
    from tfgraphtools import compat

    return compat.Options(
        packages=tuple(arguments.v1_package),
        modern_packages=tuple(arguments.no_v1_package),
        v2_behavior=arguments.v2_behavior,
        without=tuple(arguments.without),
        libraries=arguments.libraries,
        seeds=arguments.seeds,
        show_plots=arguments.show_plots or None,
        tells_versions=True,
        python2=arguments.python2,
        quiet=arguments.quiet,
    )


def _why(arguments):
    from tfgraphtools import compat
    from tfgraphtools.compat.engine import environment, switches
    from tfgraphtools.errors import ArgumentError

    if compat.is_tf1():
        raise ArgumentError(
            "run --why " + arguments.why,
            "TensorFlow 2.16 or newer",
            "TensorFlow 1.15, on which `run` changes nothing",
            "Ask in the environment in which the code is to run.",
        )
    environment.require("tfgraphtools run")
    environment.prepare()
    from tfgraphtools.compat.doctor import why

    lines = why.explain(arguments.why, switches.with_project(_options(arguments), ""))
    if arguments.json:
        _tables.print_json(lines)
    else:
        print("\n".join(lines))
    return 0


def _compare(arguments):
    from tfgraphtools.runner import tf1_comparison
    from tfgraphtools.upgrade.trees import tf1_side

    options = ["--seeds=" + arguments.seeds] if arguments.seeds else []
    options += ["--python2"] if arguments.python2 else []
    options += [f"--without={row}" for row in arguments.without]
    options += ["--libraries=today"] if arguments.libraries else []
    options += [f"--v1-package={name}" for name in arguments.v1_package]
    words = ["-m", *arguments.words] if arguments.as_module else arguments.words
    comparison = tf1_comparison.run(
        arguments.compare,
        words,
        options,
        arguments.tolerance,
        arguments.ignore,
        tf1_side.rewriter,
    )
    if arguments.json:
        _tables.print_json(comparison.as_dict())
    else:
        print(comparison)
    return 0 if comparison.same else 1


def _list_fixes(as_json):
    from tfgraphtools.compat.engine import rows

    not_applied = _not_applied()
    if as_json:
        fixes = [_fix(row, table) for table in rows.tables() for row in table.rows]
        for fix in fixes:
            if fix["name"] in not_applied:
                fix["not_applied"] = not_applied[fix["name"]]
        _tables.print_json(fixes)
        return 0
    for table in rows.tables():
        print(table.title)
        for row in table.rows:
            print(f"  {row.name}  [{row.since}]  {row.why}")
    for name, reason in not_applied.items():
        print(f"fix {name} is not applied: {reason}")
    return 0


def _list_patches(arguments):
    from tfgraphtools import compat
    from tfgraphtools.compat.engine import environment, views

    environment.require("tfgraphtools run")
    environment.prepare()
    if not compat.is_tf1():
        with compat.activate(_options(arguments), running_code=False):
            views.module("tensorflow").Session  # noqa: B018  # what is lazy is loaded now
            text = _patches(arguments.json)
    else:
        text = _patches(arguments.json)
    sys.stdout.write(text)
    return 0


def _patches(as_json):
    """Returns the table of what is patched now: place, fix, for whom."""
    from tfgraphtools.compat.engine import state

    patches = sorted(set(state.patches()))
    if as_json:
        return _tables.as_json([patch._asdict() for patch in patches]) + "\n"
    lines = [f"tfgraphtools run: {_tables.counted(len(patches), 'change')} in force"]
    lines += [f"  {patch.place}  [{patch.fix}]  for {patch.audience}" for patch in patches]
    return "\n".join(lines) + "\n"


def _not_applied():
    """Returns {fix: why it cannot be applied}: tried on an untested or a loaded TensorFlow only."""
    from tfgraphtools.compat import tf_version
    from tfgraphtools.compat.engine import activation, quiet

    version = tf_version.tensorflow_version()
    if version is None or version < tf_version.OLDEST:
        return {}
    if version <= tf_version.NEWEST and "tensorflow" not in sys.modules:
        return {}
    with quiet.quiet_stderr():
        return activation.not_applied()


def _fix(row, table=None):
    columns = {"name": row.name, "since": row.since, "why": row.why}
    return columns if table is None else dict(columns, kind=table.title)


def _print_notices():
    """Prints what the run has said, together and below one line."""
    from tfgraphtools.compat.engine import quiet, rows

    lines = quiet.kept()
    if lines:
        count = _tables.counted(len(lines), "notice")
        sys.stderr.write(
            f"tfgraphtools run: {count} (-q hides them); fixes used: {len(rows.report())}, which "
            "'tfgraphtools run --report' lists\n" + "".join(line + "\n" for line in lines)
        )


def _print_report(destination, as_json):
    from tfgraphtools.compat.engine import rows

    used = rows.report()
    lines = [f"tfgraphtools run: {len(used)} fixes used"]
    lines += [f"  {row.name}  [{row.since}]  {row.why}" for row in used]
    fixes = [_fix(row) for row in used]
    if destination is None:
        sys.stderr.write(_tables.as_json(fixes) + "\n" if as_json else "\n".join(lines) + "\n")
        return
    try:
        if as_json:
            marked = [dict(fix, written_by=files.MARK) for fix in fixes[-1:]]
            destination.write_json(fixes[:-1] + marked)
        else:
            destination.write("\n".join(lines) + "\n", _outputs.IN_TEXT)
    except (TfgraphtoolsError, OSError) as error:  # the script is done: its exit code stays
        sys.stderr.write(f"tfgraphtools run: {error}\n")
