"""The page of `graph show --html`: one file, which works offline."""

import html
from typing import Any, Iterable, Iterator, List

from tfgraphtools import html_page
from tfgraphtools.cli.graph import tree
from tfgraphtools.cli.graph.tree import shape_text

_STYLE = """
table { width: auto; }
details { margin-left: 1rem; border-left: 1px solid #8888; padding-left: .6rem; }
summary, .leaf { padding: .1rem 0; }
summary { cursor: pointer; }
.leaf { margin-left: 2.6rem; }
.n { opacity: .75; margin-left: .8rem; }
input { width: 100%; }
[hidden] { display: none; }
"""

_SCRIPT = """
const scopes = [...document.querySelectorAll("[data-scope]")];
document.getElementById("text").addEventListener("input", event => {
  const text = event.target.value.toLowerCase();
  for (const scope of scopes) {
    const is_shown = [scope, ...scope.querySelectorAll("[data-scope]")]
      .some(inner => inner.dataset.scope.toLowerCase().includes(text));
    scope.hidden = !is_shown;
    if (text && scope.open !== undefined) scope.open = is_shown;
  }
});
"""


def page(summary: Any, root: Any) -> str:
    """Returns the page of a `Summary` and of its tree of scopes."""
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
    lines = [
        f"<h1>{html.escape(title, quote=False)}</h1>",
        f"<p>{summary.nodes} nodes. {html.escape(summary.version)}</p>",
        '<h2>scopes</h2><p><input id="text" placeholder="scope"></p>',
        *_scopes(root),
    ]
    for heading, headers, rows in tables:
        if rows:
            lines += [f"<h2>{heading}</h2>", *html_page.table(headers, rows)]
    whole = html_page.page(title, "\n".join(lines), _STYLE, _SCRIPT)
    return whole.encode("utf-8", "backslashreplace").decode()


def _scopes(root: Any) -> Iterator[str]:
    """Yields the lines of a tree; without recursion, as a hostile graph has deep scopes."""
    waiting: List[Any] = _children("", root)
    while waiting:
        name, path, scope = waiting.pop()
        if scope is None:
            yield "</details>"
            continue
        label = f"{html.escape(name)}<span class=n>{html.escape(_counts(scope))}</span>"
        at = html.escape(path)
        if not scope.children:
            yield f'<div class="leaf" data-scope="{at}">{label}</div>'
            continue
        yield f'<details data-scope="{at}"><summary>{label}</summary>'
        waiting.append((name, path, None))
        waiting += _children(path + "/", scope)


def _children(prefix, scope):
    """Returns [(last part of the name, name, scope)], the last one first."""
    children = list(scope.children.items())
    return [(part, prefix + part, child) for part, child in reversed(children)]


def _counts(scope):
    parts = [f"{scope.ops} ops"]
    parts += [f"{scope.parameters:,} parameters"] if scope.parameters else []
    flops = tree.flops_text(scope.flops)
    return ", ".join(parts + ([f"{flops} FLOPs"] if flops else []))


def _tensors(listed: Iterable[Any]) -> List[List[str]]:
    return [[row.name, row.dtype or "?", shape_text(row.shape), row.op] for row in listed]
