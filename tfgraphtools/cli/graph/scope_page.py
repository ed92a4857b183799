"""The page of `graph show --html`: one file, which works offline."""

import html
import json
import pathlib
from typing import Any, Dict, Iterable, Iterator, List

from tfgraphtools import html_page
from tfgraphtools.cli import _tables
from tfgraphtools.cli.graph import tree
from tfgraphtools.cli.graph.tree import shape_text

_STYLE = """
table { width: auto; margin-top: 0; }
button { font: inherit; padding: .2rem .6rem; }
input { width: 24rem; max-width: 70%; }
#details, #matches { max-height: 9rem; overflow: auto; overflow-wrap: anywhere; }
svg { background: #fff; width: 100%; height: 75vh; border: 1px solid #ccc; touch-action: none;
      cursor: grab; }
svg text { font: 12px system-ui, sans-serif; text-anchor: middle; }
.box { cursor: pointer; }
.box rect { fill: #fff; stroke: #777; }
.scope rect { fill: #e3ecf7; stroke: #5b7ea8; }
.open > rect { fill-opacity: .35; }
svg .open text { text-anchor: start; }
.input rect { fill: #d9f0d3; }
.variable rect { fill: #fde5c8; }
.const rect { fill: #eee; stroke: #bbb; }
.chosen > rect { stroke: #c00; stroke-width: 3; }
.counts, .label { fill: #555; font-size: 10px !important; }
.label { paint-order: stroke; stroke: #fff; stroke-width: 3px; pointer-events: none; }
.edge { fill: none; stroke: #999; }
.control { stroke-dasharray: 3 3; stroke: #bbb; }
.chosen-part .edge { stroke: #c00; opacity: .6; pointer-events: none; }
"""

_HELP = (
    "Click a scope to open or close it, an op to see its inputs. Drag to move, turn the wheel to "
    "zoom. Dashed: control edges. Green: inputs; orange: variables."
)


def page(summary: Any) -> str:
    """Returns the page of a `Summary`."""
    tables = [
        ("inputs", ["tensor", "dtype", "shape", "op"], _tensors(summary.inputs)),
        ("likely outputs", ["tensor", "dtype", "shape", "op"], _tensors(summary.outputs)),
        (
            "variables",
            ["variable", "dtype", "shape", "in checkpoint"],
            [[row.name, row.dtype, shape_text(row.shape), row.saved] for row in summary.variables],
        ),
        (
            "only for training",
            ["", "count", "ops, scopes or names"],
            [[row.kind, str(row.count), ", ".join(row.names)] for row in summary.training],
        ),
        (
            "cannot leave Python or TF 1",
            ["op", "nodes", "reason"],
            [[row.op, ", ".join(row.nodes), row.reason] for row in summary.obstacles],
        ),
        ("ops", ["op", "count"], [[op, str(count)] for op, count in summary.ops.items()]),
    ]
    title = f"{summary.path}: {summary.kind}"
    version = f", written by TensorFlow {html.escape(summary.version)}" if summary.version else ""
    lines = [
        f"<h1>{html.escape(title, quote=False)}</h1>",
        f"<p>{summary.nodes} nodes{version}</p>",
        *_drawing(summary),
    ]
    for heading, headers, rows in tables:
        if rows:
            lines += [f"<h2>{heading}</h2>", *html_page.table(headers, rows)]
    whole = html_page.page(title, "\n".join(lines), _STYLE, _script())
    return whole.encode("utf-8", "backslashreplace").decode()


def _drawing(summary: Any) -> Iterator[str]:
    """Yields the part of the page that the script draws in, and the graph for it."""
    functions = len(summary.functions)
    more = f" Not drawn: the ops of {_tables.counted(functions, 'function')}." if functions else ""
    yield f"<p>{_HELP}{more}</p>"
    yield '<p><input id="text" placeholder="name"><button id="close">Close all</button></p>'
    yield '<div id="matches"></div>'
    yield '<svg id="drawing"><defs><marker id="arrow" viewBox="0 0 6 6" refX="6" refY="3"'
    yield ' markerUnits="userSpaceOnUse" markerWidth="8" markerHeight="8" orient="auto">'
    yield '<path d="M0,0L6,3L0,6z" fill="#777"/></marker></defs><g></g></svg>'
    yield '<div id="details"></div>'
    content = {"nodes": summary.node_list(), "counts": _scope_counts(summary.tree())}
    text = json.dumps(content, separators=(",", ":")).replace("<", "\\u003c")
    yield f'<script id="content" type="application/json">{text}</script>'


def _script() -> str:
    return pathlib.Path(__file__).with_name("scope_graph.js").read_text(encoding="utf-8")


def _scope_counts(root: Any) -> Dict[str, str]:
    """Returns {name of a scope: what is in it}."""
    counts, waiting = {}, [("", root)]
    while waiting:
        prefix, scope = waiting.pop()
        for part, child in scope.children.items():
            counts[prefix + part] = _counts(child)
            waiting.append((prefix + part + "/", child))
    return counts


def _counts(scope):
    parts = [_tables.counted(scope.ops, "op")]
    parts += [f"{scope.parameters:,} parameters"] if scope.parameters else []
    flops = tree.flops_text(scope.flops)
    return ", ".join(parts + ([f"{flops} FLOPs"] if flops else []))


def _tensors(listed: Iterable[Any]) -> List[List[str]]:
    return [[row.name, row.dtype or "?", shape_text(row.shape), row.op] for row in listed]
