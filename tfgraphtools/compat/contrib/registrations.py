"""Registrations that contrib's modules make with TensorFlow: they are taken back at the end."""

import contextlib
import importlib

from tfgraphtools.compat.engine import state

#: TensorFlow's registries: (module, path of the mapping in it).
_REGISTRIES = (
    ("tensorflow.python.framework.ops", ("gradient_registry", "_registry")),
    ("tensorflow.python.framework.ops", ("_proto_function_registry", "_registry")),
    ("tensorflow.python.ops.distributions.kullback_leibler", ("_DIVERGENCES",)),
)


def _mappings():
    for module, path in _REGISTRIES:
        owner = importlib.import_module(module)
        for name in path:
            owner = getattr(owner, name)
        yield owner


@contextlib.contextmanager
def taken_back_at_the_end():
    """Takes back what is registered inside once compat is deactivated."""
    mappings = list(_mappings())
    before = [set(mapping) for mapping in mappings]
    try:
        yield
    finally:
        for mapping, known in zip(mappings, before):
            added = set(mapping) - known
            if added:
                state.at_restore(lambda m=mapping, names=added: [m.pop(n, None) for n in names])
