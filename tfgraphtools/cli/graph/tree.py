"""The tree of name scopes of `graph show --tree`."""

from typing import Any, List

from tfgraphtools.cli import _tables

_NOTE = (
    "FLOPs: 2 for each product of MatMul, BatchMatMul and convolutions, gradients included; other "
    "ops are not counted.",
    "N: the first size of an op's output or input where it is unknown, mostly the batch.",
)


def lines(root: Any) -> List[str]:
    """Returns the lines of a tree.

    Args:
      root: a `Scope`.
    """
    marks = ("├─ ", "└─ ", "│  ") if _tables.can_print("├└│") else ("|- ", "`- ", "|  ")
    rows = [["(all)", *_cells(root)]]
    _add(rows, root, "", marks)
    headers = ["scope", "ops", "parameters", "FLOPs"]
    table = _tables.table(headers, rows, _tables.terminal_width(), right=[1, 2, 3])
    return table + list(_NOTE[: 1 + bool(root.flops.per_row)])


def _add(rows, scope, indent, marks):
    for i, (part, child) in enumerate(scope.children.items()):
        is_last = i == len(scope.children) - 1
        rows.append([indent + marks[is_last] + part, *_cells(child)])
        _add(rows, child, indent + ("   " if is_last else marks[2]), marks)


def _cells(scope):
    parameters = f"{scope.parameters:,}" if scope.parameters else ""
    return [str(scope.ops), parameters, flops_text(scope.flops)]


def flops_text(flops: Any) -> str:
    """Returns ``1.2M + 3.4M N + 2 unknown``."""
    parts = [short(flops.fixed)] if flops.fixed else []
    parts += [short(flops.per_row) + " N"] if flops.per_row else []
    parts += [f"{flops.unknown} unknown"] if flops.unknown else []
    return " + ".join(parts)


def short(count: int) -> str:
    """Returns a number with three digits and its unit: ``27.7M``."""
    value = float(count)
    for unit in ("", "k", "M", "G", "T"):
        if value < 999.5 or unit == "T":
            return f"{value:.3g}{unit}" if unit else str(count)
        value /= 1000
    raise AssertionError("the last unit returns")
