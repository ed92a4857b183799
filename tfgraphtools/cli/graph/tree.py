"""The tree of name scopes of `graph show --tree`, and numbers as people write them."""

from typing import Any, List

from tfgraphtools.cli import _tables

_FLOPS = (
    "FLOPs: 2 for each product of MatMul, BatchMatMul and convolutions, gradients included; other "
    "ops are not counted. The body of a loop counts once."
)
_ROWS = "N: the first size of an op's output or input where it is unknown, mostly the batch."


def lines(root: Any, functions: int) -> List[str]:
    """Returns the lines of a tree, and notes.

    Args:
      root: a `Scope`.
      functions: how many functions the graph has, whose ops are not in the tree.
    """
    marks = ("├─ ", "└─ ", "│  ") if _tables.can_print("├└│") else ("|- ", "`- ", "|  ")
    rows = [["(all)", *_cells(root)]]
    _add(rows, root, "", marks)
    headers = ["scope", "ops", "parameters", "FLOPs"]
    table = _tables.table(headers, rows, _tables.terminal_width(), right=[1, 2, 3])
    notes = [_FLOPS, _ROWS if root.flops.per_row else ""]
    notes.append(f"The ops of {_tables.counted(functions, 'function')} are not counted.")
    return table + [note for note in notes[: 2 + bool(functions)] if note]


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


def shape_text(shape: Any) -> str:
    """Returns a shape as people write it: ``[?, 28, 28, 1]``; "?" for an unknown rank."""
    if shape is None:
        return "?"
    return "[{}]".format(", ".join("?" if size is None else str(size) for size in shape))
