"""The tensors between y and one x as an SVG picture: y on top, x at the bottom."""

import collections
import html

_MOST_BOXES = 60
_WIDTH, _HEIGHT = 172, 40  # of a box
_ACROSS, _DOWN = 16, 44  # between boxes
_LETTERS = 24

Box = collections.namedtuple("Box", "lines, title, kind")


def svg(y_name, answer):
    """Returns the picture, or "" where no path leads from x to y.

    A chain of tensors that says nothing new is one box. Green: the gradient is there; red: not.

    Args:
      y_name: the name of y.
      answer: one `Answer` with its tree.
    """
    if answer.tree is None or not answer.tree.links:
        return ""
    top, bottom = y_name.split(":")[0], answer.name.split(":")[0]
    boxes, links = _folded(answer.tree, top, bottom)
    rows = _rows(top, links)
    places = _places(rows)
    shown = [name for row in rows for name in row][:_MOST_BOXES]
    parts = [_link(places, *link) for link in links if link[0] in shown and link[1] in shown]
    parts += [_box(places[name], boxes[name]) for name in shown]
    width = max(x for x, _ in places.values()) + _WIDTH / 2 + 8
    height = max(places[name][1] for name in shown) + _HEIGHT + 8
    hidden = len(places) - len(shown)
    note = f"<p>{hidden} more tensors are not drawn.</p>" if hidden else ""
    return (
        f'<div class="graph"><svg width="{width:.0f}" height="{height:.0f}" role="img" '
        f'aria-label="the graph between x and y">{"".join(parts)}</svg></div>{note}'
    )


def _folded(tree, top, bottom):
    """Returns ({name: Box}, [(source, target, label, is live)]), chains as one box each."""
    links = list(dict.fromkeys(tree.links))
    boxes = {}
    for name, (kind, live) in tree.kinds.items():
        shown = "end" if name in (top, bottom) else "live" if live else "cut"
        role = {top: "y: ", bottom: "x: "}.get(name, "")
        boxes[name] = Box([role + name, kind], f"{name} ({kind})", shown)
    above, below = _neighbours(links)
    inner = [name for name in boxes if _says_nothing(name, above, below, (top, bottom))]
    for chain in _chains(inner, above):
        if len(chain) > 2:
            links = _without(links, chain, boxes)
    return boxes, links


def _neighbours(links):
    above, below = collections.defaultdict(list), collections.defaultdict(list)
    for link in links:
        above[link[0]].append(link)
        below[link[1]].append(link)
    return above, below


def _says_nothing(name, above, below, ends):
    if name in ends or len(above[name]) != 1 or len(below[name]) != 1:
        return False
    return (
        not above[name][0][2].startswith("no gradient") and above[name][0][3] == below[name][0][3]
    )


def _chains(inner, above):
    """Returns lists of names, each next one above the one before."""
    inner, started = set(inner), set()
    follows = {above[name][0][1] for name in inner}
    for name in sorted(inner):
        chain = []
        while name in inner and name not in started and (chain or name not in follows & inner):
            started.add(name)
            chain.append(name)
            name = above[name][0][1]
        if chain:
            yield chain


def _without(links, chain, boxes):
    """Returns the links with one box in the place of a chain."""
    kept, removed = chain[0], set(chain[1:])
    types = list(dict.fromkeys(boxes[name].lines[1] for name in chain))
    lines = [f"{len(chain)} ops", ", ".join(types)]
    boxes[kept] = Box(lines, ", ".join(chain), boxes[kept].kind)
    for name in removed:
        del boxes[name]
    last = chain[-1]
    return [
        (kept if source == last else source, target, label, on)
        for source, target, label, on in links
        if target not in removed and (source == last or source not in set(chain))
    ]


def _rows(top, links):
    """Returns names by their distance from y; within a row, below what they feed."""
    _, below = _neighbours(links)
    rows, seen = [[top]], {top}
    while rows[-1]:
        row = []
        for name in rows[-1]:
            for source, _, _, _ in below[name]:
                if source not in seen:
                    seen.add(source)
                    row.append(source)
        rows.append(row)
    return rows[:-1]


def _places(rows):
    """Returns {name: (x of its middle, y of its top)}."""
    widest = max(len(row) for row in rows) * (_WIDTH + _ACROSS)
    places = {}
    for number, row in enumerate(rows):
        left = (widest - len(row) * (_WIDTH + _ACROSS)) / 2 + _ACROSS / 2
        for index, name in enumerate(row):
            middle = left + index * (_WIDTH + _ACROSS) + _WIDTH / 2
            places[name] = (middle, 8 + number * (_HEIGHT + _DOWN))
    return places


def _link(places, source, target, label, on):
    (x1, y1), (x2, y2) = places[source], places[target]
    y2 += _HEIGHT
    kind = "live" if on else "cut"
    path = f'<path class="{kind}" d="M{x1:.0f},{y1:.0f} L{x2:.0f},{y2:.0f}"/>'
    if not label.startswith("no gradient"):
        return path
    middle = f'x="{(x1 + x2) / 2:.0f}" y="{(y1 + y2) / 2 + 4:.0f}"'
    return path + f'<text class="stop" {middle}>{_text(label.split(": ", 1)[-1], 28)}</text>'


def _box(place, box):
    x, y = place
    lines = [
        f'<text x="{x:.0f}" y="{y + 16 + 16 * number:.0f}">{_text(line)}</text>'
        for number, line in enumerate(box.lines)
    ]
    return (
        f'<g class="{box.kind}"><title>{html.escape(box.title)}</title>'
        f'<rect x="{x - _WIDTH / 2:.0f}" y="{y:.0f}" width="{_WIDTH}" height="{_HEIGHT}" rx="6"/>'
        f"{''.join(lines)}</g>"
    )


def _text(value, letters=_LETTERS):
    """Returns a text that fits, cut in front: names differ at their end."""
    return html.escape(value if len(value) <= letters else "\u2026" + value[1 - letters :])
