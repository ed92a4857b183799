"""The tree of scopes: what each one reads, computes and gives."""


class Scope:
    """One call of a module, or the whole graph.

    Attributes:
      path: the names of the scopes around it and its own; () for the whole graph.
      module: the path of the module that it calls: two calls of one module differ in `path` alone.
      attribute: what the module around it calls the module.
      items: nodes and scopes, in the order in which they are computed.
      inputs, outputs: lists of `Value` that come in and go out.
      attributes_of_layers: {layer node: its attribute in the module}.
      parameters: {`Value` of a parameter that no layer has: its attribute}.
    """

    def __init__(self, path=(), module=(), attribute=""):
        self.path, self.module, self.attribute = path, module, attribute
        self.items, self.inputs, self.outputs = [], [], []
        self.attributes_of_layers, self.parameters = {}, {}

    def __repr__(self):
        return f"<Scope {'/'.join(self.path)}>"


class LoopScope(Scope):
    """A loop in the body of a module: its layers and parameters are those of the module.

    Attributes:
      start, end: nodes, as in `loop_values`.
    """

    def __init__(self, start, end):
        super().__init__()
        self.start, self.end = start, end
        self.outputs = end.outputs

    def next_values(self):
        """Returns what the end of an iteration reads, but the next value of a counter."""
        counter = self.end.attributes.get("counter")
        return [v for i, v in enumerate(self.end.inputs) if counter is None or i != counter + 1]


def calls_of(scope):
    """Yields the calls of modules in the body of a scope, those in its loops, too."""
    for item in scope.items:
        if isinstance(item, LoopScope):
            yield from calls_of(item)
        elif isinstance(item, Scope):
            yield item


def count_reads(scope):
    """Returns {value: how many times the items and the caller read it}."""
    reads = {}
    for item in scope.items:
        for value in item.inputs:
            reads[value] = reads.get(value, 0) + 1
    read = scope.next_values() if isinstance(scope, LoopScope) else scope.outputs
    for value in read:
        reads[value] = reads.get(value, 0) + 1
    return reads
