"""`ckpt verify`, `ckpt diff`, `ckpt doctor`: exit 1 if something is damaged or differs."""

import sys
from typing import Any

from tfgraphtools import checkpoints
from tfgraphtools.cli import _outputs, _tables
from tfgraphtools.cli._tables import print_json
from tfgraphtools.cli.ckpt import checkpoint_sources
from tfgraphtools.errors import UsageError

_LARGE = 1 << 26  # bytes to check, which take a moment


def add_subcommands(subparsers: Any) -> None:
    """Adds the subcommands to the parser."""
    _add_verify(subparsers)
    _add_diff(subparsers)
    _add_doctor(subparsers)


def _add_verify(subparsers):
    verify = subparsers.add_parser(
        "verify",
        help="check every byte; name the damaged tensors",
        description="Check every byte against its checksum and list the damaged tensors.",
    )
    verify.add_argument("checkpoint", help="a checkpoint: its prefix, .index file or folder")
    verify.add_argument("--salvage", metavar="OUT", help="write the intact tensors to this prefix")
    verify.add_argument("--force", action="store_true", help="let --salvage replace existing files")
    verify.add_argument(
        "--against",
        metavar="OTHER",
        help="compare with a converted copy instead, tensor by tensor, bit for bit",
    )
    verify.add_argument(
        "--map",
        metavar="FILE",
        help="JSON file of the names in the other checkpoint (default: the same names)",
    )
    verify.add_argument(
        "--tolerance",
        type=float,
        default=0.0,
        metavar="X",
        help="largest difference to accept (default: 0, bit for bit)",
    )
    verify.add_argument(
        "--ignore", action="append", metavar="PATTERN", help="tensors not to compare"
    )
    verify.add_argument("--json", action="store_true", help="print JSON")
    verify.set_defaults(subcommand=_verify)


def _add_diff(subparsers):
    diff = subparsers.add_parser(
        "diff",
        help="compare two checkpoints, by recorded checksum",
        description="Compare two checkpoints by the checksums that were recorded when they were "
        "written. Their data is not read, unless a side has no checksums: --verify reads it.",
    )
    diff.add_argument("a", metavar="checkpoint", help="a checkpoint")
    diff.add_argument("b", metavar="other", help="another checkpoint")
    diff.add_argument(
        "--deep",
        action="store_true",
        help="compare values, and show how many differ and by how much",
    )
    diff.add_argument(
        "--verify",
        action="store_true",
        help="read every byte of both first, and name the tensors whose data is damaged",
    )
    diff.add_argument("--json", action="store_true", help="print JSON")
    diff.set_defaults(subcommand=_diff)


def _add_doctor(subparsers):
    doctor = subparsers.add_parser(
        "doctor",
        help="compare a checkpoint with a graph",
        description="Compare a checkpoint with the variables of a graph; find renames that fix it.",
    )
    doctor.add_argument("checkpoint", help="a checkpoint: its prefix, .index file or folder")
    doctor.add_argument(
        "--graph", required=True, metavar="FILE", help="the model: a .meta or a .pb"
    )
    doctor.add_argument(
        "--write-map", metavar="FILE", help="write the renames as JSON, for ckpt rename --map"
    )
    _outputs.add_force(doctor, "--write-map")
    doctor.add_argument(
        "--ops",
        action="store_true",
        help="also list the ops that the installed TensorFlow lacks (imports it)",
    )
    doctor.add_argument("--json", action="store_true", help="print JSON")
    doctor.set_defaults(subcommand=_doctor)


def _verify(arguments):
    if not arguments.tolerance >= 0:
        raise UsageError("--tolerance", "0 or more", str(arguments.tolerance), "Omit it for 0.")
    checkpoint_sources.announce(arguments.checkpoint)
    if arguments.against:
        return _verify_against(arguments)
    if arguments.map or arguments.ignore or arguments.tolerance:
        raise UsageError(
            "ckpt verify",
            "--against OTHER",
            "--map, --ignore or --tolerance without --against",
            "Add --against, the checkpoint to compare with.",
        )
    report = checkpoints.verify(arguments.checkpoint, _tables.progress("verify"))
    if arguments.json:
        print_json(
            {
                "prefix": report.prefix,
                "ok": report.ok,
                "tensors": report.tensors,
                "bytes": report.bytes,
                "crc_by": report.crc_by,
                "damages": [damage._asdict() for damage in report.damages],
            }
        )
    else:
        print(report)
        _say_crc(report)
    if arguments.salvage and not report.ok:
        checkpoints.salvage(arguments.checkpoint, arguments.salvage, overwrite=arguments.force)
        if not arguments.json:
            print(f"{arguments.salvage}: {report.tensors - len(report.damaged)} intact tensors")
    return 0 if report.ok else 1


def _say_crc(report):
    """Says, where it takes time, which package computed checksums; NumPy is 10 times slower."""
    if report.bytes >= _LARGE:
        advice = "; pip install google-crc32c is faster" if report.crc_by == "NumPy" else ""
        print(f"note: checksums by {report.crc_by}{advice}", file=sys.stderr)


def _verify_against(arguments):
    from tfgraphtools.cli.ckpt.maps import read_names

    checkpoint_sources.announce(arguments.against)
    verification = checkpoints.verify_against(
        arguments.checkpoint,
        arguments.against,
        read_names(arguments.map) if arguments.map else None,
        arguments.tolerance,
        arguments.ignore or (),
    )
    if arguments.json:
        print_json(verification.as_dict())
    else:
        print("\n".join(_against_lines(verification)))
    return 0 if verification.ok else 1


def _against_lines(verification):
    rows = [[change.name, change.what, _how(change), change.to] for change in verification.changed]
    rows += [[name, "missing", "it is not in the second", ""] for name in verification.missing]
    rows += [[name, "extra", "the first has no source for it", ""] for name in verification.extra]
    yield from _tables.table(["name", "difference", "", "to"], rows, _tables.terminal_width())
    summary = "{} same, {} changed, {} missing, {} extra, {} left out by the map"
    kinds = (
        verification.same,
        verification.changed,
        verification.missing,
        verification.extra,
        verification.left_out,
    )
    yield summary.format(*map(len, kinds))


def _diff(arguments):
    checkpoint_sources.announce(arguments.a)
    checkpoint_sources.announce(arguments.b)
    difference = checkpoints.diff(arguments.a, arguments.b, arguments.deep, arguments.verify)
    if arguments.json:
        print_json(
            {
                "a": difference.a,
                "b": difference.b,
                "same": difference.same,
                "missing": difference.missing,
                "extra": difference.extra,
                "renamed": difference.renamed,
                "changed": [change._asdict() for change in difference.changed],
                "damaged": [tensor._asdict() for tensor in difference.damaged],
                "by_recorded_checksum": difference.unread,
            }
        )
    else:
        print("\n".join(_diff_lines(difference)))
    return 1 if difference else 0


def _diff_lines(difference):
    rows = [[change.name, change.what, _how(change)] for change in difference.changed]
    rows += [[old, "renamed", "now " + new] for old, new in difference.renamed]
    rows += [[name, "missing", "only in the first"] for name in difference.missing]
    rows += [[name, "extra", "only in the second"] for name in difference.extra]
    ordinal = {"a": "the first", "b": "the second"}
    rows += [
        [tensor.name or "-", "damaged", f"in {ordinal[tensor.side]}: {tensor.what}"]
        for tensor in difference.damaged
    ]
    yield from _tables.table(["name", "difference", ""], rows, _tables.terminal_width())
    kinds = ["same", "changed", "renamed", "missing", "extra"] + ["damaged"] * bool(
        difference.damaged
    )
    summary = ", ".join(f"{len(getattr(difference, kind))} {kind}" for kind in kinds)
    how = "; by recorded checksums, data not read (--verify reads it)" if difference.unread else ""
    yield summary + how


def _how(change):
    if change.what != "values":
        return f"{change.a} -> {change.b}"
    if change.elements is None:
        return ""
    counted = _tables.counted(change.elements, "element")
    if change.max_abs is None:
        return counted
    by, relative = _tables.number(change.max_abs), _tables.number(change.max_rel)
    return f"{counted}: by at most {by}, relative {relative}"


def _doctor(arguments):
    inputs = [arguments.checkpoint, arguments.graph]
    written_map = _outputs.claim("--write-map", arguments.write_map, inputs, arguments.force)
    checkpoint_sources.announce(arguments.checkpoint)
    diagnosis = checkpoints.doctor(arguments.checkpoint, arguments.graph, ops=arguments.ops)
    if written_map:
        from tfgraphtools.cli.ckpt import maps

        maps.write_map(diagnosis.renames, written_map)
    if arguments.json:
        print_json(diagnosis.as_dict())
    else:
        print("\n".join(_doctor_lines(diagnosis)))
    return 0 if diagnosis.ok else 1


def _doctor_lines(diagnosis):
    rows = [
        [name, "shape", f"{list(have)} in the checkpoint, {list(want)} in the model"]
        for name, have, want in diagnosis.shapes
    ]
    rows += [
        [name, "type", f"{have} in the checkpoint, {want} in the model"]
        for name, have, want in diagnosis.dtypes
    ]
    renamed = {new: old for old, new in diagnosis.renames.items()}
    for name in diagnosis.missing:
        near = diagnosis.nearest.get(name, [])
        advice = (
            f"rename {renamed[name]}"
            if name in renamed
            else ("like {}?".format(" or ".join(near)) if near else "")
        )
        if not advice and name in diagnosis.state:
            advice = f"{diagnosis.state[name]}: initialize it"
        rows.append([name, "missing", advice])
    rows += [
        [name, "extra", "not in the model"]
        for name in diagnosis.extra
        if name not in diagnosis.renames
    ]
    rows += [[op, "op", where] for op, where in diagnosis.ops]
    yield from _tables.table(["name", "problem", ""], rows, _tables.terminal_width())
    summary = "{} would restore, {} missing ({} of them fixed by renames), {} of another shape"
    yield (summary + " or type, {} extra").format(
        len(diagnosis.fitting),
        len(diagnosis.missing),
        len(diagnosis.renames),
        len(diagnosis.shapes) + len(diagnosis.dtypes),
        len(diagnosis.extra),
    )
    if set(diagnosis.state) - set(renamed):
        yield (
            "The checkpoint lacks this optimizer's state or these averages: initialize the graph "
            "(tf.global_variables_initializer), and load the rest with checkpoints.restore."
        )
