"use strict";
// Draws the graph of `graph show --html`: a scope is a box that opens on a click.
// Every scope is laid out for itself, in layers from top to bottom. An edge that enters or leaves a
// scope ends at its border, and goes on inside from there; those of a chosen box are drawn whole.

const CONTENT = JSON.parse(document.getElementById("content").textContent);
const MOST_LEVELS = 64;  // of scopes: those of a hostile graph are deeper
const MOST_CHILDREN = 500;
const GAP_X = 16, GAP_Y = 44, PADDING = 14, TITLE = 22, LINE = 15;
const WIDEST_ROW = 2400;
const MOST_ENTERED = 8;  // boxes with an edge from the border; of more, only the first of a chain
const LONGEST_ROUTE = 60;  // layers that an edge crosses between other boxes
const svg = document.getElementById("drawing");
const canvas = svg.querySelector("g");

// The scopes and ops, and which children of a scope are connected --------------------------------

class Box {
  constructor(name, label, parent, op) {
    Object.assign(this, {name, label, parent, op, children: [], isOpen: false});
    this.counts = CONTENT.counts[name] || "";
    this.links = new Map();  // of children: {source: {target: {tensors, shape}}}
    this.entering = new Map();  // {child: {tensors, shape}} of edges from outside
    this.leaving = new Map();
    if (parent) parent.children.push(this);
  }
  get isScope() { return this.op === undefined; }
  get lines() { return this.isScope ? [this.label, this.counts] : [this.label]; }
  get kind() {
    if (this.isScope) return "scope";
    if (/^(Placeholder|Iterator)/.test(this.op)) return "input";
    return /^(Variable|VarHandleOp)/.test(this.op) ? "variable" : this.op === "Const" ? "const" : "op";
  }
}

const root = new Box("", "", null);
root.isOpen = true;
const scopes = new Map([["", root]]);

function scopeOf(parts) {
  let scope = root;
  for (const part of parts.slice(0, MOST_LEVELS)) {
    const name = scope === root ? part : scope.name + "/" + part;
    if (!scopes.has(name)) scopes.set(name, new Box(name, part, scope));
    scope = scopes.get(name);
  }
  return scope;
}

const ops = CONTENT.nodes.map(([name, op]) => {
  const parts = name.split("/");
  const scope = scopeOf(parts.slice(0, -1));
  return new Box(name, scope === root ? name : name.slice(scope.name.length + 1), scope, op);
});
const edges = CONTENT.nodes.flatMap(([, , inputs], i) =>
  inputs.map(([source, output, shape]) =>
    ({source: ops[source], target: ops[i], tensor: output < 0 ? null : `${source}:${output}`, shape})));

// Groups the children of a scope that has too many, in the order of the file; sets the levels.
const waiting = [Object.assign(root, {level: 0})];
while (waiting.length) {
  const scope = waiting.pop(), {children} = scope;
  if (children.length > MOST_CHILDREN) {
    const size = Math.ceil(Math.sqrt(children.length));
    scope.children = [];
    for (let i = 0; i < children.length; i += size) {
      const part = children.slice(i, i + size);
      const label = `${part[0].label} … ${part[part.length - 1].label}`;
      const group = new Box(scope.name + "/" + label, label, scope);
      Object.assign(group, {children: part, counts: `${part.length} of ${children.length} boxes`});
      scopes.set(group.name, group);
      for (const child of part) child.parent = group;
    }
  }
  for (const child of scope.children) child.level = scope.level + 1;
  for (const child of scope.children) if (child.isScope) waiting.push(child);
}

// Adds an edge to a map of {box: {tensors, shape}}.
function add(ends, box, {tensor, shape}) {
  if (!ends.has(box)) ends.set(box, {tensors: new Set(), shape});
  if (tensor === null) return;
  ends.get(box).tensors.add(tensor);
  ends.get(box).shape = shape;
}

for (const edge of edges) {
  let {source, target} = edge;
  const leave = () => { add(source.parent.leaving, source, edge); source = source.parent; };
  const enter = () => { add(target.parent.entering, target, edge); target = target.parent; };
  while (source.level > target.level) leave();
  while (target.level > source.level) enter();
  while (source.parent !== target.parent) { leave(); enter(); }
  if (source === target) continue;
  const {links} = source.parent;
  if (!links.has(source)) links.set(source, new Map());
  add(links.get(source), target, edge);
}

// {box: {box: {tensors, shape}}} of what is drawn in a scope, with its two ports if they are used.
function drawnLinks(scope) {
  const links = new Map(scope.children.map(child => [child, new Map(scope.links.get(child))]));
  const targets = new Set([...scope.links.values()].flatMap(ends => [...ends.keys()]));
  const entering = [...scope.entering].filter(([child, {tensors}]) =>
    tensors.size && (scope.entering.size <= MOST_ENTERED || !targets.has(child)));
  const leaving = [...scope.leaving].filter(([child, {tensors}]) =>
    tensors.size && !scope.links.has(child));
  scope.entry = entering.length ? {width: 6, height: 1} : null;
  scope.exit = leaving.length ? {width: 6, height: 1} : null;
  if (scope.entry) links.set(scope.entry, new Map(entering));
  if (scope.exit) links.set(scope.exit, new Map());
  for (const [child, bundle] of leaving) links.get(child).set(scope.exit, bundle);
  return links;
}

// The layout of one scope ------------------------------------------------------------------------

function layOut(box) {
  if (!box.isOpen) {
    box.width = 20 + 7 * largest(box.lines.map(line => Math.min(line.length, 44)));
    box.height = 10 + LINE * box.lines.filter(Boolean).length;
    return;
  }
  box.children.forEach(layOut);
  box.drawn = drawnLinks(box);
  const targets = withoutCycles(box.drawn);
  const layers = layersOf(box, targets);
  const rows = rowsOf(box, layers, targets);
  placeColumns(rows);
  let y = TITLE + PADDING;
  for (const row of rows) {
    const height = largest(row.map(item => item.height));
    for (const item of row) item.y = y + (height - item.height) / 2;
    y += height + GAP_Y;
  }
  const items = rows.flat();
  const left = -largest(items.map(item => -item.x)) - PADDING;
  for (const item of items) item.x -= left;
  const titleWidth = 40 + 7 * Math.min(box.label.length, 44);
  box.width = largest([titleWidth, ...items.map(item => item.x + item.width)]) + PADDING;
  box.height = y - GAP_Y + PADDING;
}

// {child: [targets]} without the edges that close a cycle.
function withoutCycles(links) {
  const targets = new Map([...links.keys()].map(child => [child, []]));
  const state = new Map();
  for (const start of links.keys()) {
    if (state.has(start)) continue;
    const stack = [[start, [...links.get(start).keys()]]];
    state.set(start, "entered");
    while (stack.length) {
      const [child, waiting] = stack[stack.length - 1];
      const target = waiting.shift();
      if (target === undefined) {
        state.set(child, "left");
        stack.pop();
      } else if (state.get(target) !== "entered") {
        targets.get(child).push(target);
        if (!state.has(target)) {
          state.set(target, "entered");
          stack.push([target, [...links.get(target).keys()]]);
        }
      }
    }
  }
  return targets;
}

// {child: number of its layer}: below all of its sources; a child without any is just above its
// first target.
function layersOf(scope, targets) {
  const children = [...targets.keys()];
  const sources = new Map(children.map(child => [child, 0]));
  for (const listed of targets.values())
    for (const target of listed) sources.set(target, sources.get(target) + 1);
  const layers = new Map();
  const ready = children.filter(child => !sources.get(child));
  const first = new Set(ready);
  ready.forEach(child => layers.set(child, 0));
  for (let i = 0; i < ready.length; i++) {
    for (const target of targets.get(ready[i])) {
      layers.set(target, Math.max(layers.get(target) || 0, layers.get(ready[i]) + 1));
      sources.set(target, sources.get(target) - 1);
      if (!sources.get(target)) ready.push(target);
    }
  }
  const last = largest([...layers.values()]) + 1;
  for (const child of first) {
    const listed = targets.get(child).filter(target => target !== scope.exit);
    if (child !== scope.entry)
      layers.set(child, listed.length ? Math.min(...listed.map(at => layers.get(at))) - 1 : last);
  }
  if (scope.exit) layers.set(scope.exit, last + 1);
  return layers;
}

// The rows of children and of the points through which a long edge passes, ordered by neighbours.
function rowsOf(scope, layers, targets) {
  const rows = Array.from({length: largest([...layers.values()]) + 1}, () => []);
  scope.routes = new Map();
  for (const child of targets.keys()) {
    child.above = [];
    child.below = [];
    rows[layers.get(child)].push(child);
  }
  for (const [source, listed] of targets) {
    for (const target of listed) {
      const route = [];
      if (layers.get(target) - layers.get(source) <= LONGEST_ROUTE) {
        for (let layer = layers.get(source) + 1; layer < layers.get(target); layer++) {
          const point = {above: [], below: [], width: 6, height: 1};
          route.push(point);
          rows[layer].push(point);
        }
      }
      [source, ...route].forEach((item, i) => {
        const next = route[i] || target;
        item.below.push(next);
        next.above.push(item);
      });
      if (!scope.routes.has(source)) scope.routes.set(source, new Map());
      scope.routes.get(source).set(target, route);
    }
  }
  const number = rows => rows.forEach(row => row.forEach((item, i) => { item.order = i / row.length; }));
  for (let sweep = 0; sweep < 6; sweep++) {
    number(rows);
    const side = sweep % 2 ? "below" : "above";
    for (const row of sweep % 2 ? [...rows].reverse() : rows) {
      for (const item of row) item.wish = mean(item[side].map(near => near.order), item.order);
      row.sort((one, other) => one.wish - other.wish);
      row.forEach((item, i) => { item.order = i / row.length; });
    }
  }
  return rows.filter(row => row.length).flatMap(narrow);
}

// 0 at least; Math.max cannot take 100,000 arguments.
const largest = values => values.reduce((most, value) => Math.max(most, value), 0);
const mean = (values, otherwise) =>
  values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : otherwise;

// Several rows of one that is too wide.
function narrow(row) {
  const rows = [[]];
  let width = 0;
  for (const item of row) {
    width += item.width + GAP_X;
    if (width > WIDEST_ROW && rows[rows.length - 1].length) {
      rows.push([]);
      width = item.width;
    }
    rows[rows.length - 1].push(item);
  }
  return rows;
}

// Puts items near the middle of their neighbours; the order of a row stays.
function placeColumns(rows) {
  for (const row of rows) {
    let x = -row.reduce((sum, item) => sum + item.width + GAP_X, -GAP_X) / 2;
    for (const item of row) {
      item.x = x;
      x += item.width + GAP_X;
    }
  }
  const center = item => item.x + item.width / 2;
  for (let sweep = 0; sweep < 8; sweep++) {
    const side = sweep % 2 ? "below" : "above";
    for (const row of sweep % 2 ? [...rows].reverse() : rows) {
      const wishes = row.map(item => mean(item[side].map(center), center(item)) - item.width / 2);
      const [right, left] = [[...wishes], [...wishes]];
      for (let i = 1; i < row.length; i++)
        right[i] = Math.max(right[i], right[i - 1] + row[i - 1].width + GAP_X);
      for (let i = row.length - 2; i >= 0; i--)
        left[i] = Math.min(left[i], left[i + 1] - row[i].width - GAP_X);
      row.forEach((item, i) => { item.x = (right[i] + left[i]) / 2; });
    }
  }
}

// Drawing ----------------------------------------------------------------------------------------

function element(parent, tag, attributes = {}, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  return parent.appendChild(made);
}

const short = text => text.length > 44 ? text.slice(0, 21) + "…" + text.slice(-22) : text;

function draw() {
  layOut(root);
  canvas.replaceChildren();
  const layers = {};
  for (const name of ["open", "edges", "boxes", "chosen", "labels"])
    layers[name] = element(canvas, "g", {class: name + "-part"});
  drawScope(root, 0, 0, layers);
  if (chosen) drawEdgesOf(chosen, layers);
}

function drawScope(scope, x, y, layers) {
  const routes = [...scope.routes.values()].flatMap(ends => [...ends.values()].flat());
  for (const item of [...scope.drawn.keys(), ...routes]) {
    item.left = x + item.x;
    item.top = y + item.y;
  }
  for (const child of scope.children) {
    drawBox(child, child.isOpen ? layers.open : layers.boxes);
    if (child.isOpen) drawScope(child, child.left, child.top, layers);
  }
  for (const [source, ends] of scope.drawn)
    for (const [target, bundle] of ends) {
      const route = scope.routes.get(source)?.get(target) || [];
      const points = [outlet(source, scope), ...route.map(point => outlet(point, scope)), inlet(target, scope)];
      drawEdge(points, source, target, bundle, layers.edges, layers.labels);
    }
}

// Where edges leave and reach a box: at the ports of an open scope, otherwise in the middle.
const middle = item => item.left + item.width / 2;
function outlet(item, scope) {
  if (item === scope.entry) return [middle(item), scope.top || 0];
  return [middle((item.isOpen && item.exit) || item), item.top + item.height];
}
function inlet(item, scope) {
  if (item === scope.exit) return [middle(item), scope.top + scope.height];
  return [middle((item.isOpen && item.entry) || item), item.top];
}

function drawBox(box, parent) {
  const place = `translate(${box.left},${box.top})`;
  const kind = `box ${box.kind}${box === chosen ? " chosen" : ""}${box.isOpen ? " open" : ""}`;
  const attributes = {class: kind, transform: place, tabindex: 0, role: "button"};
  const group = element(parent, "g", {...attributes, [`data-${box.isScope ? "scope" : "op"}`]: box.name});
  if (box.isScope) group.setAttribute("aria-expanded", box.isOpen);
  element(group, "rect", {width: box.width, height: box.height, rx: box.isScope ? 4 : 12});
  const lines = box.isOpen ? [box.label] : box.lines.filter(Boolean);
  lines.forEach((line, i) => {
    const place = {x: box.isOpen ? 8 : box.width / 2, y: 16 + LINE * i, class: i ? "counts" : ""};
    element(group, "text", place, short(line));
  });
  element(group, "title", {}, box.name + (box.isScope ? "" : "  " + box.op));
  group.addEventListener("click", () => wasDragged || select(box));
  group.addEventListener("keydown", event => event.key === "Enter" && select(box));
}

function visible(box) {
  let shown = box;
  for (let scope = box.parent; scope; scope = scope.parent) if (!scope.isOpen) shown = scope;
  return shown;
}

function drawEdgesOf(box, layers) {
  const bundles = new Map();
  for (const edge of edges) {
    const [from, to] = [visible(edge.source), visible(edge.target)];
    if (from === to || (from !== box && to !== box)) continue;
    if (!bundles.has(from)) bundles.set(from, new Map());
    add(bundles.get(from), to, edge);
  }
  for (const [from, ends] of bundles)
    for (const [to, bundle] of ends)
      drawEdge([outlet(from, {}), inlet(to, {})], from, to, bundle, layers.chosen);
}

function drawEdge(points, from, to, {tensors, shape}, parent, labels) {
  const count = tensors.size;
  let path = `M${points[0]}`;
  for (let i = 1; i < points.length; i++) {
    const [[x, y], [nextX, nextY]] = [points[i - 1], points[i]];
    const bend = Math.max(15, Math.abs(nextY - y) / 2);
    path += `C${x},${y + bend} ${nextX},${nextY - bend} ${nextX},${nextY}`;
  }
  const sizes = count === 1 && shape !== null ? `[${shape.map(size => size ?? "?").join(", ")}]` : "";
  const text = count > 1 ? `${count} tensors` : sizes;
  const edge = element(parent, "path", {
    d: path,
    class: count ? "edge" : "edge control",
    "stroke-width": 1 + Math.log2(count || 1) / 3,
    "marker-end": "url(#arrow)",
    "data-from": from.name ?? "",
    "data-to": to.name ?? "",
    "data-text": text,
  });
  element(edge, "title", {}, `${from.name ?? "input"} → ${to.name ?? "output"}  ${text}`);
  const [[x, y], [lastX, lastY]] = points.slice(-2);
  const place = {x: (x + lastX) / 2, y: (y + lastY) / 2 + 3, class: "label"};
  if (labels && text && text.length < 26 && lastY - y < 3 * GAP_Y) element(labels, "text", place, text);
}

// Moving, opening and searching ------------------------------------------------------------------

let chosen = null, wasDragged = false, view = {x: 0, y: 0, scale: 1};

function move(x, y, scale) {
  view = {x, y, scale};
  canvas.setAttribute("transform", `translate(${x},${y}) scale(${scale})`);
}

function fit() {
  const {width, height} = svg.getBoundingClientRect();
  const scale = Math.max(0.25, Math.min(1, width / root.width, height / root.height));
  move((width - root.width * scale) / 2, 0, scale);
}

function show(box) {
  const {width, height} = svg.getBoundingClientRect();
  const scale = Math.max(view.scale, 0.7);
  const [x, y] = [box.left + box.width / 2, box.top + Math.min(box.height, height) / 2];
  move(width / 2 - x * scale, height / 2 - y * scale, scale);
}

// Opens or closes a scope, or describes an op; the box stays where it is on the screen.
function select(box) {
  const {left, top} = box;
  chosen = box;
  if (box.isScope) box.isOpen = !box.isOpen;
  draw();
  move(view.x + (left - box.left) * view.scale, view.y + (top - box.top) * view.scale, view.scale);
  describe(box);
}

function reveal(box) {
  for (let scope = box.parent; scope; scope = scope.parent) scope.isOpen = true;
  chosen = box;
  draw();
  show(box);
  describe(box);
}

function buttons(title, boxes) {
  const most = 50;
  const paragraph = document.createElement("p");
  paragraph.append(title + (boxes.length > most ? ` (${most} of ${boxes.length})` : ""));
  for (const box of boxes.slice(0, most)) {
    const button = document.createElement("button");
    button.textContent = box.name;
    button.addEventListener("click", () => reveal(box));
    paragraph.append(button);
  }
  return paragraph;
}

function describe(box) {
  const rows = box.isScope
    ? [`${box.name}: scope, ${box.counts}`]
    : [`${box.name}: ${box.op}`];
  const unique = boxes => [...new Set(boxes)];
  if (!box.isScope) {
    rows.push(buttons("from ", unique(edges.filter(at => at.target === box).map(at => at.source))));
    rows.push(buttons("to ", unique(edges.filter(at => at.source === box).map(at => at.target))));
  }
  document.getElementById("details").replaceChildren(...rows);
}

document.getElementById("text").addEventListener("input", event => {
  const text = event.target.value.toLowerCase();
  const matches = [...ops, ...scopes.values()].filter(
    box => box.name && box.name.toLowerCase().includes(text));
  matches.sort((one, other) => one.name.length - other.name.length);
  document.getElementById("matches").replaceChildren(...(text ? [buttons("", matches)] : []));
});
document.getElementById("close").addEventListener("click", () => {
  for (const scope of scopes.values()) scope.isOpen = scope === root;
  chosen = null;
  draw();
  fit();
});
svg.addEventListener("wheel", event => {
  event.preventDefault();
  const {left, top} = svg.getBoundingClientRect();
  const [x, y] = [event.clientX - left, event.clientY - top];
  const scale = Math.min(4, Math.max(0.05, view.scale * Math.exp(-event.deltaY / 500)));
  const ratio = scale / view.scale;
  move(x - (x - view.x) * ratio, y - (y - view.y) * ratio, scale);
}, {passive: false});
svg.addEventListener("pointerdown", start => {
  wasDragged = false;
  const origin = {...view};
  const drag = event => {
    const [x, y] = [event.clientX - start.clientX, event.clientY - start.clientY];
    wasDragged = wasDragged || Math.hypot(x, y) > 4;
    if (wasDragged) move(origin.x + x, origin.y + y, origin.scale);
  };
  window.addEventListener("pointermove", drag);
  window.addEventListener("pointerup", () => window.removeEventListener("pointermove", drag), {once: true});
});

draw();
fit();
