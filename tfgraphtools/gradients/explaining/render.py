"""An explanation as text, as Graphviz dot and as a page of HTML."""

import collections
import html as _html
import itertools

from tfgraphtools.gradients.explaining import causes, drawing

#: One line of a tree: how deep, what it shows, and whether the gradient is there.
Row = collections.namedtuple("Row", "depth, name, type, label, state, note")

_MOST_ROWS = 80
_MOST_BLOCKERS = 20
_MOST_LINKS = 300
_OTHER_WAYS = "Other ways from x to y, without a gradient:"
_SAYS = {
    "live": "the gradient is live",
    "none": "the gradient is None",
    "zero": "the gradient is a structural zero: tf.gradients returns zeros that pose as one "
    "(wherever all values are finite)",
    "unknown": "it is unknown whether there is a gradient",
}


class Tree:
    """The ways from y back to one x: rows for text and HTML, links for a picture."""

    def __init__(self, flow, path, gradient, start, blockers):
        self._flow, self._path, self._gradient, self._start = flow, path, gradient, start
        self._numbers = {
            (blocker.op_name, blocker.cause): number for number, blocker in enumerate(blockers, 1)
        }
        self.links = []  # (source, target, label, is the gradient there)
        self.kinds = {}  # name -> (op type, is the gradient there)
        self.hidden = 0
        self.rows = _fold(list(self._walk()))

    def _walk(self):
        seen, waiting, shown = set(), [(self._flow.y, 0, "", True)], 0
        while waiting:
            key, depth, label, live = waiting.pop()
            again = (key, live) in seen or (key, True) in seen
            seen.add((key, live))
            below, stops = ([], []) if again else self._below(key, live)
            shown += 1
            if shown <= _MOST_ROWS:
                note = ["x"] if key == self._start else ["as above"] if again else []
                note += [f"stops here [{number}]" for number in sorted(set(stops))]
                yield Row(
                    depth,
                    self._name(key),
                    self._type(key),
                    label,
                    "live" if live else "cut",
                    ", ".join(note),
                )
            below.sort(key=lambda child: not child[2])  # first where the gradient is
            deeper = depth + (1 if len(below) > 1 else 0)
            waiting.extend((key, deeper, label, on) for key, label, on in reversed(below))
        self.hidden = max(0, shown - _MOST_ROWS)

    def _below(self, key, live):
        """Returns ([(source, label, is the gradient there)], numbers of the blockers here)."""
        below, stops = [], []
        for edge in self._flow.edges[key]:
            if edge.source not in self._path:
                continue
            stop = self._flow.blocked(edge) if live else None
            label = edge.label if live else ""
            if stop is not None:
                name = "/".join(edge.path + (edge.op.name,))
                number = self._numbers.get((name, stop[0].name))
                stops.extend([number] if number else [])
                if number is None and stop[0] is causes.OVERWRITTEN:
                    continue
                own = number is None and stop[0] is not causes.CONDITION
                label = "no gradient: " + ("by its own gradient" if own else stop[0].name)
            on = live and stop is None
            below.append((edge.source, label, on))
            if len(self.links) < _MOST_LINKS:
                self.links.append((self._name(edge.source), self._name(key), label, on))
        return below, stops

    def _name(self, key):
        name = "/".join(key[0] + (key[1].split(":")[0],))
        self.kinds[name] = (self._type(key), key in self._gradient)
        return name

    def _type(self, key):
        return self._flow.tensors[key].op.type


def _fold(rows):
    """Folds long runs of rows that say nothing but "live" into one row."""
    folded = []
    for shared, group in itertools.groupby(
        rows, lambda row: (row.depth, row.state) if not (row.label or row.note) else None
    ):
        group = list(group)
        if shared is not None and len(group) > 5:
            types = list(dict.fromkeys(row.type for row in group[1:-1]))
            more = Row(
                group[0].depth,
                "... {} ops: {}{}".format(
                    len(group) - 2, ", ".join(types[:6]), ", ..." if len(types) > 6 else ""
                ),
                "",
                "",
                group[0].state,
                "",
            )
            group = [group[0], more, group[-1]]
        folded.extend(group)
    return folded


def text(y_name, answer):
    """Returns the tree of one x, for a terminal."""
    lines = [f"d {y_name} / d {answer.name}: {_says(answer)}"]
    for row in answer.tree.rows if answer.tree else ():
        mark = "+" if row.state == "live" else "-"
        kind = f" ({row.type})" if row.type else ""
        label = (
            f"  gets {row.label}"
            if row.label and not row.label.startswith("no gradient")
            else f"  {row.label}"
            if row.label
            else ""
        )
        note = f"  <- {row.note}" if row.note else ""
        lines.append("  {}{} {}{}{}{}".format("  " * row.depth, mark, row.name, kind, label, note))
    if answer.tree and answer.tree.hidden:
        lines.append(f"  ... and {answer.tree.hidden} more")
    for number, blocker in enumerate(answer.blockers[:_MOST_BLOCKERS], 1):
        if answer.verdict == "live" and number == 1 + _is_not_finite(answer):
            lines.append(f"  {_OTHER_WAYS}")
        lines.append(f"  [{number}] {blocker}")
        lines.append(f"      {blocker.advice}")
    if len(answer.blockers) > _MOST_BLOCKERS:
        lines.append(f"  ... and {len(answer.blockers) - _MOST_BLOCKERS} more blockers")
    return "\n".join(lines)


def _is_not_finite(answer):
    """Returns True for a gradient that is there and NaN; its first blocker says so."""
    return bool(answer.blockers) and answer.blockers[0].cause == causes.NOT_FINITE.name


def _says(answer):
    error = getattr(answer, "error", None)
    return f"tf.gradients raises {error}" if error else _SAYS[answer.verdict]


def dot(y_name, answers):
    """Returns the tensors between the xs and y; red edges carry no gradient."""
    lines = [
        "digraph gradient {",
        '  rankdir="BT";',
        '  node [shape="box", style="rounded,filled", fillcolor="#e8f5e9", fontname="Helvetica"];',
        '  edge [fontname="Helvetica", fontsize=10];',
    ]
    nodes = {y_name.split(":")[0]: ("y: " + y_name, "#bbdefb")}
    edges = {}
    for answer in answers:
        name = answer.name.split(":")[0]
        nodes[name] = ("x: " + answer.name, "#bbdefb")
        if answer.tree is None:
            nodes[name + "?"] = ("\n".join(blocker.says for blocker in answer.blockers), "#ffcdd2")
            edges[name, name + "?"] = ("", False)
            continue
        for box, (kind, live) in answer.tree.kinds.items():
            nodes.setdefault(box, (f"{box}\n{kind}", "#e8f5e9" if live else "#ffebee"))
        for source, target, label, on in answer.tree.links:
            edges[source, target] = (label, on)
    for name, (label, colour) in nodes.items():
        lines.append(f"  {_quote(name)} [label={_quote(label)}, fillcolor={_quote(colour)}];")
    for (source, target), (label, on) in edges.items():
        lines.append(
            "  {} -> {} [label={}, color={}];".format(
                _quote(source),
                _quote(target),
                _quote(label),
                _quote("#2e7d32" if on else "#c62828"),
            )
        )
    return "\n".join(lines + ["}"]) + "\n"


def _quote(value):
    return '"{}"'.format(value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n"))


_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Gradient of {y}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body {{ font: 15px/1.5 system-ui, sans-serif; margin: 1.5em auto; max-width: 64em; padding: 0 1em;
        color: #222; background: #fff; overflow-wrap: anywhere; }}
h1 {{ font-size: 1.3em; }} h2 {{ font-size: 1.1em; margin-top: 2em; }}
code, .tree {{ font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 13px; }}
.badge {{ display: inline-block; border-radius: .8em; padding: .15em .8em; color: #fff;
          font-size: .8em; }}
.badge.live {{ background: #2e7d32; }} .badge.none {{ background: #c62828; }}
.badge.zero {{ background: #c75000; }} .badge.unknown {{ background: #616161; }}
.tree div {{ white-space: pre; border-left: 4px solid #2e7d32; padding-left: .6em; }}
.tree .cut {{ border-color: #c62828; color: #666; }}
.tree, .graph {{ overflow-x: auto; background: #fafafa; padding: .6em; margin: .6em 0; }}
.stop {{ color: #c62828; }} .label {{ color: #555; }}
li {{ margin-bottom: .7em; }}
svg {{ display: block; margin: 0 auto; font: 12px system-ui, sans-serif; text-anchor: middle; }}
svg rect {{ stroke-width: 1.5; fill: #e8f5e9; stroke: #2e7d32; }}
svg .cut rect {{ fill: #ffebee; stroke: #c62828; }}
svg .end rect {{ fill: #e3f2fd; stroke: #1565c0; }}
svg path {{ stroke: #2e7d32; stroke-width: 2; }}
svg path.cut {{ stroke: #c62828; stroke-dasharray: 5 4; }}
svg text.stop {{ fill: #c62828; stroke: #fafafa; stroke-width: 4; paint-order: stroke; }}
</style></head><body>
<h1>How the gradient of <code>{y}</code> goes back</h1>
{sections}
</body></html>
"""


def html(y_name, answers):
    """Returns one self-contained page, all names escaped."""
    return _PAGE.format(
        y=_html.escape(y_name), sections="\n".join(_section(y_name, answer) for answer in answers)
    )


def _section(y_name, answer):
    parts = [
        f"<h2><code>{_html.escape(answer.name)}</code> "
        f'<span class="badge {answer.verdict}">{_html.escape(_says(answer))}</span></h2>'
    ]
    if answer.blockers:
        parts.append(
            "<p>{}</p><ol>".format(
                _OTHER_WAYS
                if answer.verdict == "live" and not _is_not_finite(answer)
                else "It stops here:"
            )
        )
        for blocker in answer.blockers:
            parts.append(f"<li>{_html.escape(str(blocker))}<br>{_html.escape(blocker.advice)}</li>")
        parts.append("</ol>")
    if answer.tree:
        parts.append(drawing.svg(y_name, answer))
        parts.append('<div class="tree">')
        for row in answer.tree.rows:
            kind = f" ({row.type})" if row.type else ""
            parts.append(
                '<div class="{}">{}{}{} <span class="label">{}</span> '
                '<span class="stop">{}</span></div>'.format(
                    row.state,
                    "  " * row.depth,
                    _html.escape(row.name),
                    _html.escape(kind),
                    _html.escape(row.label),
                    _html.escape(row.note),
                )
            )
        if answer.tree.hidden:
            parts.append(f"<div>... and {answer.tree.hidden} more</div>")
        parts.append("</div>")
    return "\n".join(parts)
