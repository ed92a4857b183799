"""The tree of scopes of a program: nodes by the calls in which they are computed."""

import collections

from tfgraphtools.graphs.source_code.ir import ir_nodes, loop_values
from tfgraphtools.graphs.source_code.ir import symbolic_sizes as sizes
from tfgraphtools.graphs.source_code.scopes import loop_places, module_paths
from tfgraphtools.graphs.source_code.scopes.loop_places import LoopPart, modules_of
from tfgraphtools.graphs.source_code.scopes.scope_trees import LoopScope, Scope, calls_of
from tfgraphtools.graphs.source_code.statements import identifiers

#: Nodes that no statement computes.
SOURCES = (ir_nodes.INPUT, ir_nodes.PARAMETER, ir_nodes.CONSTANT, "Known")


def built(program, dissolved=(), unnamed=()):
    """Returns the `Scope` of a whole program, with those of its modules in it.

    Args:
      program: a simplified `Program`.
      dissolved: paths of calls whose nodes belong to the scope around them.
      unnamed: those of them that give no name to what is in them.
    """
    return _Building(program, dissolved, unnamed).root


def scattered(scope):
    """Returns the names of the parameters of layers that several modules would have.

    Args:
      scope: the root of a tree.
    """
    modules, names = {}, set()
    waiting = [scope]
    while waiting:
        each = waiting.pop()
        waiting += calls_of(each)
        for node in each.attributes_of_layers:
            home = modules.setdefault(module_paths.layer_key(node), each.module)
            if home != each.module:
                parameters = node.attributes["parameters"].values()
                names.update(value.node.name for value in parameters)
    return names


def only_calls(root):
    """Returns the paths of calls that are all that the module around them does.

    Args:
      root: the root of a tree.
    """
    paths, kept, waiting = {}, set(), [root]
    while waiting:
        scope = waiting.pop()
        calls = list(calls_of(scope))
        waiting += calls
        is_one = scope.path and len(scope.items) == 1 == len(calls) and not scope.parameters
        for call in calls:
            if is_one and scope.outputs == call.outputs:
                paths.setdefault(call.module, set()).add(call.path)
            else:
                kept.add(call.module)
    return {path for module, own in paths.items() if module not in kept for path in own}


class _Building:
    def __init__(self, program, dissolved, unnamed):
        self._program = program
        nodes = program.nodes()
        self._computed = [node for node in nodes if node.op not in SOURCES]
        self._paths = module_paths.Paths(self._computed)
        self._dissolved = set(dissolved) | self._paths.inconsistent
        self._unnamed = {self._paths.modules.get(path, path) for path in unnamed}
        self._places = {
            node: self._without_dissolved(call) for node, call in self._paths.calls.items()
        }
        self._dissolve_torn()
        self._places = loop_places.with_loops(self._places, self._computed)
        self._readers = {}
        for node in self._computed:
            for value in node.inputs:
                self._readers.setdefault(value, []).append(node)
        self._position = {node: number for number, node in enumerate(self._computed)}
        self._homes = {
            node.output: self._home(node.output) for node in nodes if node.op == ir_nodes.PARAMETER
        }
        self._at_home = {}
        for parameter, home in self._homes.items():
            self._at_home.setdefault(home, []).append(parameter)
        self._sizes = _SizesNeeded(self._computed, program)
        self.root = self._scope((), self._computed)

    # Paths -----------------------------------------------------------------------------------

    def _without_dissolved(self, call):
        """Returns the parts of a call that are modules, each as the whole path in the names."""
        parts = [call[: count + 1] for count in range(len(call))]
        return tuple(part for part in parts if part not in self._dissolved)

    def _dissolve_torn(self):
        """Dissolves scopes that are left and entered again, from the inside."""
        while True:
            torn = _torn(self._computed, self._places)
            if not torn:
                return
            for node, place in self._places.items():
                self._places[node] = tuple(part for part in place if part not in torn)

    def _home(self, parameter):
        """Returns the innermost place in which all readers of a parameter are."""
        users = [node for node in parameter.users if node in self._places]
        places = [modules_of(self._places[node]) for node in users]
        if not places:
            return ()
        home = places[0]
        for place in places[1:]:
            home = loop_places.common(home, place)
        return home

    # Scopes ----------------------------------------------------------------------------------

    def _scope(self, place, nodes):
        scope = self._empty(place, nodes)
        inner = {}
        for node in nodes:
            rest = self._places[node][len(place) :]
            if rest:
                inner.setdefault(rest[0], []).append(node)
        calls = {part: self._scope((*place, part), members) for part, members in inner.items()}
        scope.items = _ordered(nodes, self._places, len(place), calls)
        if isinstance(scope, LoopScope):
            scope.items = [item for item in scope.items if item not in (scope.start, scope.end)]
            self._connect_loop(scope, nodes)
        else:
            self._name(scope, nodes, modules_of(place))
            self._connect(scope, modules_of(place), nodes)
        return scope

    def _empty(self, place, nodes):
        if place and isinstance(place[-1], LoopPart):
            own = [node for node in nodes if self._places[node] == place]
            end = next(node for node in reversed(own) if node.op == loop_values.END)
            return LoopScope(end.attributes["start"], end)
        path = place[-1] if place else ()
        return Scope(path, self._paths.modules.get(path, path))

    def _name(self, scope, nodes, place):
        """Gives modules, layers and parameters their attributes."""
        layers = [node for node in nodes if node.op == ir_nodes.LAYER]
        layers = [node for node in layers if modules_of(self._places[node]) == place]
        paths = {call.module: call.module or call.path for call in calls_of(scope)}
        paths.update((key, self._paths.layers[key]) for key in map(module_paths.layer_key, layers))
        names = self._attributes(paths, len(place[-1]) if place else 0)
        for call in calls_of(scope):
            call.attribute = names[call.module]
        for node in layers:
            scope.attributes_of_layers[node] = names[module_paths.layer_key(node)]
        taken = set(names.values())
        for parameter in self._at_home.get(place, ()):
            name = parameter.node.name.rpartition("/")[2]
            name = identifiers.unused(identifiers.attribute_name(name), taken)
            taken.add(name)
            scope.parameters[parameter] = name

    def _attributes(self, paths, start):
        """Returns {key: attribute}: the last part of its path where this says what it is.

        Args:
          paths: {key: path}.
          start: how many parts of the paths the module has.
        """
        lasts = collections.Counter(path[-1] for path in paths.values())
        taken, names = set(), {}
        for key, path in paths.items():
            is_clear = lasts[path[-1]] == 1 and path[-1] not in module_paths.GENERIC
            name = path[-1] if is_clear else self._joined(path, start) or "layer"
            names[key] = identifiers.unused(identifiers.attribute_name(name), taken)
            taken.add(names[key])
        return names

    def _joined(self, path, start):
        """Returns the parts of a path from a place on as one name."""
        parts = [path[: count + 1] for count in range(start, len(path))]
        return "_".join(part[-1] for part in parts if part == path or part not in self._unnamed)

    def _connect_loop(self, scope, nodes):
        """Notes what a loop reads: what its iterations do stays a variable before it."""
        inside = set(nodes)
        own = (ir_nodes.CONSTANT, ir_nodes.PARAMETER, "Known")
        read = [v for node in nodes if node is not scope.start for v in node.inputs]
        read = [v for v in dict.fromkeys(read) if v.node not in inside and v.op not in own]
        scope.inputs = [*scope.start.inputs, *read, *read]
        if "counter" in scope.end.attributes and read.count(scope.end.inputs[0]):
            scope.inputs.remove(scope.end.inputs[0])  # the limit is read once

    def _connect(self, scope, place, nodes):
        """Finds what comes in and what goes out."""
        inside = set(nodes)
        if not place:
            scope.inputs = list(self._program.inputs.values())
            scope.outputs = list(self._program.outputs.values())
            return
        inputs = {}
        for node in nodes:
            for value in node.inputs:
                if self._comes_in(value, inside, place):
                    inputs[value] = True
        scope.inputs = sorted(inputs, key=lambda value: not value.dtype.startswith("float"))
        scope.inputs += self._sizes.missing(nodes, scope.inputs)
        for node in nodes:
            for value in node.outputs:
                readers = self._readers.get(value, ())
                is_read = any(reader not in inside for reader in readers)
                if is_read or self._program.is_output(value):
                    scope.outputs.append(value)
        scope.outputs.sort(key=lambda value: value.op != "Stack")  # then the states

    def _comes_in(self, value, inside, place):
        if value.op in (ir_nodes.CONSTANT, "Known") or value.node in inside:
            return False
        if value.op == ir_nodes.PARAMETER:
            return self._homes[value][: len(place)] != place
        return True


def _torn(nodes, places):
    """Returns the parts of places that are left and entered again, the innermost ones.

    One pass: for each node the calls are noted that something before it has left.
    """
    ends = {part: number for number, node in enumerate(nodes) for part in places[node]}
    left, torn = {}, set()
    for number, node in enumerate(nodes):
        place, gone = set(places[node]), set()
        for value in node.inputs:
            source = value.node
            if source in left:
                gone |= left[source]
                gone |= set(places[source]) - place
        left[node] = {part for part in gone if ends[part] > number}
        torn |= gone & place
    longest = max(map(len, torn), default=0)
    return {part for part in torn if len(part) == longest}


def _ordered(nodes, places, depth, calls):
    """Returns nodes and calls, each after what it reads, else in the order of the graph."""
    item_of = {}
    for node in nodes:
        rest = places[node][depth:]
        item_of[node] = calls[rest[0]] if rest else node
    ordered, done = [], set()
    members = {}
    for node in nodes:
        members.setdefault(item_of[node], []).append(node)
    for start in nodes:
        waiting = [(item_of[start], False)]
        while waiting:
            item, is_read = waiting.pop()
            if is_read:
                if item not in done:
                    done.add(item)
                    ordered.append(item)
            elif item not in done:
                waiting.append((item, True))
                sources = [
                    item_of[value.node]
                    for node in members[item]
                    for value in node.inputs
                    if value.node in item_of and item_of[value.node] is not item
                ]
                waiting += [(source, False) for source in reversed(sources) if source not in done]
    return ordered


class _SizesNeeded:
    """The symbols that nodes need, and the inputs of the graph that have them."""

    def __init__(self, nodes, program):
        self._program = program
        self._owners = {}
        for value in program.inputs.values():
            for size in value.dims or ():
                if not isinstance(size, int):
                    self._owners.setdefault(size, value)

    def missing(self, nodes, inputs):
        """Returns inputs of the graph that a scope needs for a size alone."""
        known = {size for value in inputs for size in value.dims or ()}
        values = {}
        for node in nodes:
            for size in _sizes_of(node):
                for atom in () if isinstance(size, int) else _symbols(size):
                    owner = self._owners.get(atom)
                    if atom not in known and owner is not None and owner not in inputs:
                        values[owner] = True
        return list(values)


def _symbols(size):
    for atom in size.atoms():
        if isinstance(atom, sizes.Symbol):
            yield sizes.Size({(atom,): 1})
        else:
            for part in atom:
                if isinstance(part, sizes.Size):
                    yield from _symbols(part)


def _sizes_of(node):
    """Yields the sizes that the code of a node may say."""
    for value in node.inputs:
        if value.op == "Known":
            yield from value.content if isinstance(value.content, tuple) else (value.content,)
    if node.op == "Reshape" and node.output.dims is not None:
        symbolic = [size for size in node.output.dims if not isinstance(size, int)]
        if len(symbolic) > 1:
            yield from symbolic
