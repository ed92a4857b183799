"""`graph show`: what is in the graph of a file."""

import sys
from typing import Any

from tfgraphtools.cli import _outputs, _tables
from tfgraphtools.cli.graph.tree import shape_text
from tfgraphtools.errors import UsageError

_MOST_ROWS = 20


def add_subcommand(subparsers: Any) -> None:
    """Adds the subcommand to the parser."""
    show = subparsers.add_parser(
        "show",
        help="show inputs, outputs, variables, ops and what only trains",
        description="Show inputs, outputs, variables and ops of a graph, what only trains, and "
        "what cannot leave Python or TF 1.",
    )
    show.add_argument(
        "file",
        metavar="FILE",
        help=".meta, .pb, .pbtxt, SavedModel, TF-Hub module, event file, or a checkpoint's prefix",
    )
    show.add_argument(
        "--checkpoint",
        metavar="PATH",
        help="a checkpoint of the variables (default: the one beside FILE)",
    )
    show.add_argument("--tags", metavar="TAGS", help="of a SavedModel's graph, separated by commas")
    show.add_argument("--all", action="store_true", help=f"all rows, not {_MOST_ROWS} of a table")
    show.add_argument(
        "--tree", action="store_true", help="show name scopes with ops, parameters and FLOPs"
    )
    show.add_argument("--depth", type=int, metavar="N", help="depth of the tree (implies --tree)")
    show.add_argument("--html", metavar="PATH", help="also write a page that draws the graph")
    _outputs.add_force(show, "--html")
    show.add_argument("--json", action="store_true", help="print JSON")
    show.set_defaults(subcommand=_show)


def _show(arguments):
    from tfgraphtools import graphs

    if arguments.depth is not None and arguments.depth < 0:
        raise UsageError("--depth", "0 or more", str(arguments.depth), "1 shows the outer scopes.")
    inputs = [arguments.file, arguments.checkpoint]
    html = _outputs.claim("--html", arguments.html, inputs, arguments.force)
    tags = None if arguments.tags is None else [tag for tag in arguments.tags.split(",") if tag]
    summary = graphs.show(arguments.file, arguments.checkpoint, tags)
    has_tree = arguments.tree or arguments.depth is not None
    root = summary.tree(arguments.depth) if has_tree else None
    if html:
        from tfgraphtools.cli.graph import scope_page

        html = _outputs.claim("--html", html.shown, [*inputs, summary.checkpoint], html.force)
        html.write(scope_page.page(summary), _outputs.IN_HTML)
    if arguments.json:
        printed = summary.as_dict()
        if has_tree:
            printed["tree"] = root.as_dict()
        _tables.print_json(printed)
        return 0
    for note in summary.notes:
        print("note: " + note, file=sys.stderr)
    if has_tree:
        from tfgraphtools.cli.graph import tree

        lines = tree.lines(root, len(summary.functions))
    else:
        lines = _Page(summary, None if arguments.all else _MOST_ROWS).lines
    sys.stdout.write("".join(line + "\n" for line in lines))
    return 0


class _Page:
    """The text of a summary: a section for everything that the graph has."""

    def __init__(self, summary, most):
        self._most = most
        self.lines = _head(summary)
        self._signatures(summary.signatures)
        self._tensors("inputs", summary.inputs)
        self._tensors("likely outputs", summary.outputs)
        self._variables(summary)
        self._section("collections", [_collection(row) for row in summary.collections])
        self._control_flow(summary)
        rows = [[part.kind, str(part.count), _listed(part.names)] for part in summary.training]
        self._table("only for training", ["", "count", "ops, scopes or names"], rows, [1])
        rows = [[row.op, _listed(row.nodes), row.reason] for row in summary.obstacles]
        self._table("cannot leave Python or TF 1", ["op", "nodes", "reason"], rows)
        ops = [f"{op} x {count}" for op, count in summary.ops.items()]
        self._section(f"ops of {len(ops)} types", [_listed(ops, self._most)])

    def _section(self, title, lines):
        if lines:
            self.lines += ["", title, *("  " + _tables.printable(line) for line in lines)]

    def _table(self, title, headers, rows, right=()):
        if not rows:
            return
        shown = rows[: self._most]
        width = _tables.terminal_width()
        lines = _tables.table(headers, shown, width and width - 2, right)
        if len(rows) > len(shown):
            lines.append(f"... and {len(rows) - len(shown)} more: --all shows them")
        self.lines += ["", title, *("  " + line for line in lines)]

    def _tensors(self, title, listed):
        rows = [[row.name, row.dtype or "?", shape_text(row.shape), row.op] for row in listed]
        self._table(title, ["tensor", "dtype", "shape", "op"], rows)

    def _signatures(self, signatures):
        for signature in signatures:
            borders = [("input", signature.inputs), ("output", signature.outputs)]
            rows = [
                [kind, key, row.name, row.dtype, shape_text(row.shape)]
                for kind, tensors in borders
                for key, row in sorted(tensors.items())
            ]
            title = f"signature {signature.name} ({signature.method or 'no method'})"
            headers = ["", "key", "tensor", "dtype", "shape"]
            self._table(_tables.printable(title), headers, rows)

    def _variables(self, summary):
        if not summary.variables:
            return
        headers = ["variable", "dtype", "shape", "size", "trainable", "slot"]
        rows = [
            [
                row.name,
                row.dtype,
                shape_text(row.shape),
                _tables.size(row.bytes),
                {True: "yes", False: "no", None: "?"}[row.trainable],
                row.slot,
            ]
            for row in summary.variables
        ]
        if summary.checkpoint:
            headers.append("in checkpoint")
            for row, variable in zip(rows, summary.variables):
                row.append(variable.saved)
        title = f"{_tables.counted(len(rows), 'variable')}, {_total(summary.variables)}"
        self._table(title, headers, rows, [3])

    def _control_flow(self, summary):
        flow = summary.control_flow
        lines = [
            f"{name}: {_listed([f'{op} x {count}' for op, count in sorted(ops.items())])}"
            for name, ops in (("v1", flow.v1), ("v2", flow.v2), ("calls", flow.calls))
            if ops
        ]
        if flow.loops:
            lines.append(f"loops: {_listed(flow.loops)}")
        if flow.tensor_arrays:
            lines.append(f"tensor arrays: {flow.tensor_arrays}")
        self._section("control flow", lines)
        rows = [[row.name, str(row.nodes), str(row.calls)] for row in summary.functions]
        self._table("functions", ["name", "nodes", "called by"], rows, [1, 2])


def _head(summary):
    version = f", written by TensorFlow {summary.version}" if summary.version else ""
    producer = f", graph version {summary.producer}" if summary.producer is not None else ""
    tags = f", tags [{', '.join(summary.tags)}]" if summary.tags else ""
    count, size = summary.constants
    constants = f", of which {_tables.counted(count, 'constant')} of {_tables.size(size)}"
    lines = [
        f"{summary.path}: {summary.kind}{version}{producer}{tags}",
        _tables.counted(summary.nodes, "node") + (constants if count else ""),
    ]
    if summary.checkpoint:
        saved = sum(row.saved == "yes" for row in summary.variables)
        total = _tables.counted(len(summary.variables), "variable")
        lines.append(f"checkpoint {summary.checkpoint}: has {saved} of {total}")
    return [_tables.printable(line) for line in lines]


def _total(variables):
    known = [row.bytes for row in variables if row.bytes is not None]
    unknown = len(variables) - len(known)
    text = _tables.size(sum(known))
    return f"{text} and {unknown} of unknown size" if unknown else text


def _collection(row):
    return f"{row.name}: {row.count} {row.kind}"


def _listed(names, most=6):
    shown = ", ".join(names if most is None else names[:most])
    more = 0 if most is None else len(names) - most
    return f"{shown}, and {more} more" if more > 0 else shown
