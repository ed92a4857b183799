"""Names under which contrib's modules are found."""

import pytest

from tfgraphtools.compat import is_tf1, legacy, legacy_packages
from tfgraphtools.compat.contrib import finder
from tfgraphtools.errors import LegacyMissingError

if is_tf1() or legacy.find() is None:
    pytest.skip("compat acts on TF 2.x; needs contrib", allow_module_level=True)

pytestmark = pytest.mark.quick

KERAS = ("api.keras", "api.keras.layers", "python.keras", "python.keras.layers")


@pytest.mark.parametrize("name", KERAS)
def test_keras_is_found_where_contrib_had_it(name):
    spec = finder.LegacyFinder.find_spec("tensorflow.contrib.keras." + name)
    assert spec.loader._load is finder._module_of_keras


def test_what_is_beside_it_is_not():
    assert finder.LegacyFinder.find_spec("tensorflow.keras") is None
    old = finder.LegacyFinder.find_spec("tensorflow.contrib.keras.python")
    assert old.loader is None and old.submodule_search_locations


def test_what_an_older_installation_lacks_is_said(monkeypatch):
    name = "tensorflow.contrib._core.no_such_module"
    assert finder.LegacyFinder.find_spec(name) is None
    monkeypatch.setattr(legacy_packages, "selection", lambda: "another")
    with pytest.raises(LegacyMissingError, match="Install them again"):
        finder.LegacyFinder.find_spec(name)
