"""The order of the ops that a session really runs: after the graph optimizer, on all machines."""

import collections

_VARIABLES = ("VarHandleOp", "VariableV2", "Variable")


def partitions(v1, run, fetches, feed):
    """The graphs that the session runs, one for each device."""
    options = v1.RunOptions(output_partition_graphs=True)
    metadata = v1.RunMetadata()
    run.run(fetches, feed, options=options, run_metadata=metadata)
    return metadata.partition_graphs


class Order:
    """What comes before what in a step.

    Attributes:
      nodes: {name: NodeDef}.
      locks, unlocks: names of the ops that take and release locks.
      behind: what waits for all locks; early: what all locks wait for.
      inside: what also comes before a release.
      ends: what comes before a release.
    """

    def __init__(self, graphs):
        self.nodes = {node.name: node for graph in graphs for node in graph.node}
        self._senders = {
            _transfer(node): node.name for node in self.nodes.values() if node.op.endswith("Send")
        }
        self._outputs = collections.defaultdict(list)
        for name in self.nodes:
            for source in self.inputs(name):
                self._outputs[source].append(name)
        self.locks = self._of_type("MutexLock")
        self.unlocks = self._of_type("ConsumeMutexLock")
        self.ends = self._reached(self.unlocks, self.inputs)
        self.early = self._reached(self.locks, self.inputs)
        self.behind = self._reached(self.locks, lambda name: self._outputs[name])
        for lock in self.locks:
            self.behind &= self._reached([lock], lambda name: self._outputs[name]) | self.early
        self.inside = (self.behind & self.ends) - self.early

    def inputs(self, name):
        """The names of what a node waits for, that of the sender for what it receives."""
        node = self.nodes[name]
        if node.op.endswith("Recv"):
            return [self._senders[key] for key in [_transfer(node)] if key in self._senders]
        return [source.lstrip("^").split(":")[0] for source in node.input]

    def touches_memory(self, name):
        """True for a node that reads or writes a variable itself."""
        return not self._is_memory(name) and any(map(self._is_memory, self.inputs(name)))

    def _is_memory(self, name):
        """True for a variable, and for an op that hands on the buffer of a ref variable."""
        node = self.nodes[name]
        if node.op == "Identity":
            return self.nodes[self.inputs(name)[0]].op in _VARIABLES[1:]
        return node.op in _VARIABLES

    def waits_for_another_machine(self, machine):
        """What, once the locks are taken, runs on other machines or waits for a tensor of them."""
        late = [name for name in self.ends - self.early if machine not in self.nodes[name].device]
        return [f"{self.nodes[name].op} {name}" for name in sorted(late)]

    def _of_type(self, kind):
        return [node.name for node in self.nodes.values() if node.op == kind]

    def _reached(self, names, further):
        seen, waiting = set(names), list(names)
        while waiting:
            for name in further(waiting.pop()):
                if name not in seen:
                    seen.add(name)
                    waiting.append(name)
        return seen


def _transfer(node):
    return node.attr["tensor_name"].s, node.attr["recv_device"].s
