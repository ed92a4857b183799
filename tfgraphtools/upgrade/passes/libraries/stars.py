"""``from keras.layers import *``: the module of which all is imported, where it is today."""

from tfgraphtools.upgrade import targets
from tfgraphtools.upgrade.findings import RUNTIME
from tfgraphtools.upgrade.passes import importing


def edits(work):
    """Returns the edits of the star imports of Keras as a library of its own."""
    changes = []
    for level, module, node in work.scopes.stars:
        name = None if level else work.names.imported(0, module, None)
        target = work.of(name) if name else None
        if target is None or target.fix != targets.STANDALONE or not work.takes(target):
            continue
        if not work.is_guarded(node) and target.to:
            work.note(node.lineno, module + ".*", RUNTIME, target.fix, target.to)
            changes += importing.other_module(node, target.to, work.text, target.fix)
    return changes
