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


def count_reads(scope):
    """Returns {value: how many times the items and the caller read it}."""
    reads = {}
    for item in scope.items:
        for value in item.inputs:
            reads[value] = reads.get(value, 0) + 1
    for value in scope.outputs:
        reads[value] = reads.get(value, 0) + 1
    return reads
