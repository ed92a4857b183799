"""``tf.variable_scope``: the collection that held the current scope until TF 1.4."""

from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes.build import in_place_of

_KEY = ("__varscope_until_1.4",)


class _CurrentScope:
    """The former list of one: the current variable scope, which setting it changes."""

    def __init__(self, store):
        self._store = store

    def __len__(self):
        return 1

    def __getitem__(self, index):
        return [self._store.current_scope][index]

    def __setitem__(self, index, scope):
        scopes = [self._store.current_scope]
        scopes[index] = scope
        (self._store.current_scope,) = scopes


@in_place_of(
    "tensorflow.get_collection_ref",
    "TF 1.5",
    "takes the key of the current variable scope, too",
)
def _get_collection_ref(original, used, key):
    if key != _KEY:
        return original(key)
    from tensorflow.python.ops import variable_scope

    used()
    return _CurrentScope(variable_scope.get_variable_scope_store())


_VARSCOPE_KEY = Fix(
    "tensorflow.python.ops.variable_scope._VARSCOPE_KEY",
    "TF 1.5",
    "get_collection_ref(_VARSCOPE_KEY)[0] is the current variable scope, and sets it",
    lambda real: _KEY,
)

TABLES = (
    Table("the collection of the variable scope", "names", [_VARSCOPE_KEY]),
    Table("collections that are made where they are asked for", "calls", _get_collection_ref),
)
