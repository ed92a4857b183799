"""The migrations: the same outputs, the same losses, and what the wrong ways do to them."""

import pytest

from tfgraphtools.errors import UsageError

MIGRATIONS = {
    # recipe: (how near the losses of 20 more steps are, how far those of the wrong ways at least)
    "migrate_cnn": (1e-5, 0.02),
    "migrate_language_model": (1e-5, 0.02),
    "migrate_adam_schedule": (1e-5, 0.05),
}


@pytest.fixture
def eager(recipe):
    """Keras 3 trains eagerly; other recipes of this process are graphs."""
    pytest.importorskip("keras", "3", reason="Keras 3 needs TF 2.16 or newer")
    from tensorflow.python.eager import context

    with context.eager_mode():
        yield


@pytest.mark.slow
@pytest.mark.parametrize("name", list(MIGRATIONS))
def test_migration(recipe, eager, name, tmp_path, capsys):
    near, far = MIGRATIONS[name]
    figures = recipe(name).main(["--out", str(tmp_path)])
    outputs = figures["outputs"]
    outputs = outputs if isinstance(outputs, dict) else {"Keras, migrated": outputs}
    assert outputs.pop("Keras, migrated") < 5e-6 and all(v > 0.1 for v in outputs.values())
    losses = figures["losses"]
    assert losses.pop("Keras, migrated") < near
    assert losses and all(difference > far for difference in losses.values())
    assert "TF {} going on".format(figures["version"]) in capsys.readouterr().out
    assert (tmp_path / "model.keras").exists()


@pytest.mark.parametrize("name", list(MIGRATIONS))
def test_without_keras_3(recipe, name, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "keras", None)
    with pytest.raises(UsageError, match="TensorFlow 2.16 or newer"):
        recipe(name).main([])
