"""A plan, shown or carried out: how every subcommand that writes a checkpoint ends."""

import argparse
import collections
import sys
from typing import Any

from tfgraphtools.cli import _tables
from tfgraphtools.cli._tables import print_json
from tfgraphtools.errors import UsageError


def finish(arguments: argparse.Namespace, plan: Any, destination: str) -> int:
    """Shows the plan, or carries it out and says what was done."""
    _require_prefix(arguments, destination)
    for note in plan.notes:
        print("note: " + note, file=sys.stderr)
    if arguments.dry_run:
        plan.check()
        show_plan(arguments, plan)
        return 0
    result = plan.apply(
        destination,
        compact=arguments.compact,
        overwrite=arguments.force or arguments.in_place,
        link=not arguments.copy,
        progress=_tables.progress("write"),
    )
    is_checked = getattr(arguments, "verify", False)
    is_unchecked = not is_checked and any(
        piece.kept for target in plan.targets for piece in target.parts
    )
    if arguments.json:
        print_json(dict(result._asdict(), checked=not is_unchecked))
    else:
        dead = f"; {_tables.size(result.dead)} dead, --compact frees them" if result.dead else ""
        print(
            "{}: {}, {} linked, {} written{}{}".format(
                result.prefix,
                _tables.counted(result.tensors, "tensor"),
                _tables.size(result.linked),
                _tables.size(result.written),
                dead,
                "; unchanged data not checked, 'ckpt verify' checks it" if is_unchecked else "",
            )
        )
    return 0


def _require_prefix(arguments, destination):
    """Refuses a TF checkpoint called model.npz, which would not be what its name says."""
    from tfgraphtools.checkpoints.read.archive_names import ENDINGS

    for ending in ENDINGS:
        if destination is not None and str(destination).endswith(ending):
            raise UsageError(
                destination,
                "the prefix of a TensorFlow checkpoint to write",
                f"a name that ends in {ending}",
                f"Write {str(destination)[: -len(ending)]} first; 'tfgraphtools ckpt convert' "
                "makes an archive of it.",
            )


def show_rows(plan: Any, singular: str, many: str, as_json: bool) -> None:
    """Prints a plan for a model: one row for each weight or entry, then what is left out."""
    for note in plan.notes:
        print("note: " + note, file=sys.stderr)
    if as_json:
        rows = [dict(row._asdict(), shape=list(row.shape)) for row in plan.rows()]
        facts = [fact._asdict() for fact in plan.facts]
        print_json({many: rows, "dropped": plan.dropped, "notes": plan.notes, "facts": facts})
        return
    rows = [
        [row[0], row.dtype, str(list(row.shape)), " + ".join(row.sources), row.how, row.step]
        for row in plan.rows()
    ]
    rows += [["-", "", "", name, "dropped", ""] for name in plan.dropped]
    headers = [singular, "dtype", "shape", "from", "by", "conversion"]
    for line in _tables.table(headers, rows, _tables.terminal_width()):
        print(line)
    _show_facts(plan.facts)


def _show_facts(facts):
    """Prints what no tensor says: one row for each value, and the file that says it."""
    layers = collections.OrderedDict()
    for fact in facts:
        value = f"{fact.value:.7g}" if isinstance(fact.value, float) else str(fact.value)
        layers.setdefault((fact.question, value, fact.source), []).append(fact.layer)
    rows = []
    for (question, value, source), names in layers.items():
        more = f" and {len(names) - 2} more" if len(names) > 2 else ""
        rows.append([question, value, source, ", ".join(names[:2]) + more])
    if rows:
        print()
        for line in _tables.table(["fact", "value", "from", "of"], rows, _tables.terminal_width()):
            print(line)


def show_plan(arguments: argparse.Namespace, plan: Any) -> None:
    """Prints every tensor of a plan: where it comes from, and what is done to it."""
    if arguments.json:
        print_json(
            [
                {
                    "name": name,
                    "dtype": dtype,
                    "shape": shape and list(shape),
                    "sources": list(sources),
                    "steps": list(steps),
                }
                for name, dtype, shape, sources, steps in plan.rows()
            ]
        )
        return
    rows = [
        [
            name or "-",
            dtype or "",
            "" if shape is None else str(list(shape)),
            " + ".join(sources) if sources != (name,) else "",
            "; ".join(steps),
        ]
        for name, dtype, shape, sources, steps in plan.rows()
    ]
    for line in _tables.table(
        ["name", "dtype", "shape", "from", "steps"], rows, _tables.terminal_width()
    ):
        print(line)
