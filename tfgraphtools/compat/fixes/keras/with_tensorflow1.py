"""Names that Keras 2 had with TensorFlow 1, and tf_keras has in its 1.x face only."""

from tfgraphtools.compat.engine.rewrite_kinds import old_call
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.build import finding

#: Names that the backend of Keras with TensorFlow 1 had, and its 2.x face hides.
_SESSIONS = Table(
    "sessions of Keras 2",
    "names",
    [
        Row(
            "keras.backend." + name,
            "Keras 2.3",
            "the session of Keras's own graph code",
            finding("tf_keras.src.backend:" + name),
        )
        for name in ("get_session", "set_session")
    ],
)

#: Module -> what Keras 2 had in it with TensorFlow 1, and tf_keras has in its 1.x face only.
_IN_V1 = {
    "initializers": "normal uniform",
    "layers": "CuDNNGRU CuDNNLSTM",
    "losses": "cosine cosine_proximity",
    "metrics": "cosine cosine_proximity",
}


def _distance(y_true, y_pred, axis=-1):
    """Returns Keras 2.2's cosine proximity: minus the similarity, which tf.keras of 1.15 had."""
    from tfgraphtools._tf import v1

    y_true, y_pred = (v1.nn.l2_normalize(value, axis=axis) for value in (y_true, y_pred))
    return -v1.reduce_sum(y_true * y_pred, axis=axis)


def _v1_provider(module, name):
    def provide(real):
        from tfgraphtools._tf import v1

        function = getattr(getattr(v1.keras, module), name)
        return _distance if name.startswith("cosine") else function

    return provide


_OF_V1 = Table(
    "names of Keras 2 with TensorFlow 1",
    "names",
    [
        Row(
            f"keras.{module}.{name}",
            "Keras 3",
            "the one of tf.keras",
            _v1_provider(module, name),
            old_call(f"keras.{module}.{name}") if name.startswith("cosine") else None,
        )
        for module, names in _IN_V1.items()
        for name in names.split()
    ],
)

TABLES = (_SESSIONS, _OF_V1)
