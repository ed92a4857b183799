"""``tfgraphtools doctor``: what a codebase uses of TF1, and what `run` will make of it."""

SUMMARY = "say what a codebase uses of TF1, and what will become of it under 'run'"

_GRAPHS = (".meta", ".pb")
_PLACES = 3  # that a line of the table shows


def add_arguments(parser):
    """The words of the command."""
    parser.add_argument(
        "path", metavar="PATH", help="a Python file, a folder of them, or a .meta or .pb"
    )
    parser.add_argument("--all", action="store_true", help="also list names that work unchanged")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--html", metavar="FILE", help="also write an HTML page")


def run(arguments):
    """Prints what was found; 1 if something cannot run."""
    from tfgraphtools.cli._tables import print_json

    report = _examined(arguments.path)
    if arguments.html:
        from tfgraphtools.compat.doctor.page import page

        with open(arguments.html, "w", encoding="utf-8") as file:
            file.write(page(report))
    if arguments.json:
        print_json(report.as_dict())
    else:
        print("\n".join(_lines(report, arguments.all)))
    return 0 if report.ok else 1


def _examined(path):
    from tfgraphtools import compat
    from tfgraphtools.cli import _tables
    from tfgraphtools.errors import ArgumentError

    if path.endswith(_GRAPHS):
        return _graph(path)
    if compat.is_tf1():
        raise ArgumentError(
            "tfgraphtools doctor " + path,
            "today's TensorFlow, of which it asks what old code gets",
            "TF 1.15, on which that code runs as it is",
            "Run it in an environment with TF 2.",
        )
    from tfgraphtools.compat import doctor
    from tfgraphtools.compat.engine import environment
    from tfgraphtools.compat.engine.quiet import quiet_stderr

    environment.require_legacy_keras()
    environment.prepare()
    with quiet_stderr():
        doctor.load_tensorflow()
    return doctor.examine(path, _tables.progress("doctor", unit="files"))


def _graph(path):
    """The report on a graph: its ops that this TensorFlow does not have."""
    from tfgraphtools import checkpoints
    from tfgraphtools.compat.doctor import fates, report

    ops, lacking = checkpoints.lacking_ops(path)
    place = (report.Place(path, 0),)
    where = dict(lacking)
    entries = [report.Entry(_fate_of_op(op, where, fates), place) for op in ops]
    return report.Report(path, 1, entries)


def _fate_of_op(op, lacking, fates):
    if op not in lacking:
        return fates.Fate(op, fates.AS_IS)
    why = f"an op of {lacking[op]}" if lacking[op] else "an op that this TensorFlow does not have"
    return fates.Fate(op, fates.CANNOT, why)


def _lines(report, everything):
    from tfgraphtools.cli import _tables
    from tfgraphtools.compat.doctor import fates

    shown = [e for e in report.entries if everything or e.fate.kind != fates.AS_IS]
    rows = [
        [fate.name, fate.kind, str(len(places)), _where(places), fate.why] for fate, places in shown
    ]
    headers = ["name", "fate", "uses", "where", "why"]
    yield from _tables.table(headers, rows, _tables.terminal_width(), right=[2])
    if rows:
        yield ""
    for kind, (names, uses) in report.totals().items():
        if names:
            yield "{:<24} {:>5} {:>6}".format(
                kind, _tables.counted(names, "name"), _tables.counted(uses, "use")
            )
    files = _tables.counted(report.files, "file")
    verdict = "nothing that cannot run" if report.ok else "some of it cannot run"
    yield f"{report.path}: {files}, {verdict}"


def _where(places):
    shown = ", ".join(map(str, places[:_PLACES]))
    return shown + (", ..." if len(places) > _PLACES else "")
