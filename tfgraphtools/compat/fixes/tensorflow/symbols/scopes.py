"""The collection that held the current variable scope until TF 1.4."""

from tfgraphtools.compat.engine.rows import Row, Table

_SINCE = "TF 1.5"
_KEY = ("__varscope_until_1.4",)


class _CurrentScope:
    """What was a list of one: the current variable scope, which setting it changes."""

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


def _collection(real, used):
    def get_collection_ref(key):
        if key != _KEY:
            return real.get_collection_ref(key)
        from tensorflow.python.ops import variable_scope

        used()
        return _CurrentScope(variable_scope.get_variable_scope_store())

    return get_collection_ref


NAMES = Table(
    "the collection of the variable scope",
    "names",
    [
        Row(
            "tensorflow.python.ops.variable_scope._VARSCOPE_KEY",
            _SINCE,
            "get_collection_ref(_VARSCOPE_KEY)[0] is the current variable scope, and sets it",
            lambda real: _KEY,
        )
    ],
)
CALLS = Table(
    "collections that are made where they are asked for",
    "calls",
    [
        Row(
            "tensorflow.get_collection_ref",
            _SINCE,
            "takes the key of the current variable scope, too",
            _collection,
        )
    ],
)
TABLES = (NAMES, CALLS)
