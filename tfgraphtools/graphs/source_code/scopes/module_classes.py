"""Classes of modules: modules that are equal but for literals are one class with arguments."""

import re

from tfgraphtools.graphs.source_code.ir import ir_nodes
from tfgraphtools.graphs.source_code.scopes import local_names
from tfgraphtools.graphs.source_code.scopes.repeated_calls import Run
from tfgraphtools.graphs.source_code.scopes.scope_trees import Scope
from tfgraphtools.graphs.source_code.statements import expressions, identifiers
from tfgraphtools.graphs.source_code.statements.expressions import Literal, Local, Member


class ModuleSource:
    """The source of one module.

    Args:
      body: a `bodies.Body`.
      children: {attribute: `ModuleSource`} of the modules that it has; "layers.0" of a list.

    Attributes:
      names: {`Local`: name}.
      constructors: {attribute: `Code`} of its layers, parameters and constants.
      builds: {attribute: `Code`} of what makes the parameters of a layer, where that is later.
      columns: list of `Literal`: its own ones and those of its children, in a fixed order.
      starts: {attribute of a child: where its literals begin in ``columns``}.
      key: a text that is the same for modules that are equal but for literals and numbers in names.
    """

    def __init__(self, body, children):
        self.body, self.children = body, children
        self.names = local_names.named(body)
        self.constructors, self.builds = {}, {}
        for attribute, member in body.members.items():
            if isinstance(member, ir_nodes.Value):
                self.constructors[attribute] = body.target.tensor_constructor(member)
            elif not isinstance(member, (Scope, Run)):
                self.constructors[attribute] = member.constructor
                if member.build is not None:
                    self.builds[attribute] = member.build
        self.columns = [leaf for leaf in self._leaves() if isinstance(leaf, Literal)]
        self.starts = {}
        for attribute, child in children.items():
            self.starts[attribute] = len(self.columns)
            self.columns += child.columns
        self.key = self._key()

    def _codes(self):
        yield from self.constructors.values()
        yield from self.builds.values()
        for statement in self.body.statements:
            yield from statement.codes
        yield from self.body.returned

    def _leaves(self):
        for code in self._codes():
            yield from expressions.leaves(code)

    def literals_of_method(self):
        """Returns the literals outside of the constructor."""
        inside = {
            id(leaf) for code in self.constructors.values() for leaf in expressions.leaves(code)
        }
        return [leaf for leaf in self.columns if id(leaf) not in inside]

    def _key(self):
        order = {attribute: number for number, attribute in enumerate(self.body.members)}
        numbers = {}  # of locals, whose names are no difference

        def local(leaf):
            return f"${numbers.setdefault(leaf, len(numbers))}" if leaf in self.names else "_"

        def member(attribute):
            return f"@{order[attribute]}{re.sub('[0-9]+', '', attribute)}"

        def show(leaf):
            if isinstance(leaf, Literal):
                return "#"
            return member(leaf.name) if isinstance(leaf, Member) else local(leaf)

        parts = [local(argument) for _, argument in self.body.arguments]
        for attribute, value in self.body.members.items():
            parts.append(member(attribute))
            if attribute in self.children:
                parts.append("{" + self.children[attribute].key + "}")
            elif isinstance(value, Run):
                keys = [self.children[f"{attribute}.{i}"].key for i in range(len(value.calls))]
                parts.append("[" + ", ".join(keys) + "]")
            else:
                parts.append(expressions.text(self.constructors[attribute], show))
        parts += [expressions.text(code, show) for code in self.builds.values()]
        for statement in self.body.statements:
            targets = [local(target) for target in statement.targets]
            parts += [
                type(statement).__name__,
                ",".join(targets),
                *(expressions.text(c, show) for c in statement.codes),
            ]
        parts += [expressions.text(code, show) for code in self.body.returned]
        return "\n".join(parts)


class ModuleClass:
    """A class for modules that are equal but for literals.

    Attributes:
      name: of the class.
      modules: list of `ModuleSource`.
      arguments: {number of a column: name of the argument}, of the literals that differ.
    """

    def __init__(self, name, modules):
        self.name, self.modules = name, modules
        self.arguments = _arguments(modules)
        first = modules[0]
        self._of_literals = {
            id(literal): self.arguments[number]
            for number, literal in enumerate(first.columns)
            if number in self.arguments
        }

    @property
    def first(self):
        return self.modules[0]

    def argument_names(self):
        """Returns the names of the arguments, in order."""
        return list(dict.fromkeys(self.arguments.values()))

    def stored(self):
        """Returns the names of the arguments that the method reads from ``self``."""
        literals = self.first.literals_of_method()
        own = {id(leaf) for leaf in self.first.columns[: self._own_count()]}
        names = [self._of_literals.get(id(leaf)) for leaf in literals if id(leaf) in own]
        return sorted({name for name in names if name})

    def _own_count(self):
        return min(self.first.starts.values(), default=len(self.first.columns))

    def show(self, in_method):
        """Returns the function that `expressions.text` takes."""

        def text(leaf):
            if isinstance(leaf, Local):
                return self.first.names[leaf]
            if isinstance(leaf, Member):
                return "self." + self.first.body.target.attribute(leaf.name)
            if id(leaf) in self._of_literals:
                return ("self." if in_method else "") + self._of_literals[id(leaf)]
            return literal_text(leaf.value)

        return text

    def construction(self, attribute, classes):
        """Returns the text of the construction of a child.

        Args:
          attribute: of the child.
          classes: {key: `ModuleClass`}.
        """
        child = self.first.children[attribute]
        made, start = classes[child.key], self.first.starts[attribute]
        texts = {}
        for number, name in made.arguments.items():
            column = start + number
            own = self.arguments.get(column)
            texts.setdefault(name, own or literal_text(self.first.columns[column].value))
        arguments = ", ".join(texts[name] for name in made.argument_names())
        return f"{made.name}({arguments})"


def literal_text(value):
    """Returns the text of a literal."""
    if isinstance(value, float):
        if 1e6 <= abs(value) < 1e300 and float(f"{value:.0e}") == value:
            return f"{value:.0e}".replace("e+0", "e").replace("e+", "e")
        special = {"inf": "math.inf", "-inf": "-math.inf", "nan": "math.nan"}
        return special.get(repr(value), repr(value))
    return repr(value)


def _arguments(modules):
    """Returns {number of a column that differs: name of its argument}; equal columns share one."""
    columns = {}
    for number, literals in enumerate(zip(*[module.columns for module in modules])):
        values = tuple(repr(literal.value) for literal in literals)
        if len(set(values)) > 1:
            columns.setdefault(values, []).append(number)
    names = {}
    taken = {name for name, _ in modules[0].body.arguments}
    for numbers in columns.values():
        hints = [modules[0].columns[number].hint for number in numbers]
        name = identifiers.unused(_common_name(hints), taken)
        taken.add(name)
        names.update(dict.fromkeys(numbers, name))
    return names


def _common_name(hints):
    """Returns ``channels`` for in_channels and out_channels."""
    last_words = {hint.rpartition("_")[2] for hint in hints}
    return last_words.pop() if len(set(hints)) > 1 and len(last_words) == 1 else hints[0]


def classes(root):
    """Returns {key: `ModuleClass`} of a module and all below, each after those that it has.

    Args:
      root: a `ModuleSource`.
    """
    by_key = {}
    _collect(root, by_key)
    taken, named = {"Model"}, {}
    for key, modules in by_key.items():
        path = modules[0].body.scope.module
        name = "Model"
        if modules[0] is not root:
            name = identifiers.unused(identifiers.class_name(path[-1]), taken)
            taken.add(name)
        named[key] = ModuleClass(name, modules)
    return named


def _collect(module, by_key):
    for child in module.children.values():
        _collect(child, by_key)
    by_key.setdefault(module.key, []).append(module)
