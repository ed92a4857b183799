"""Names under which contrib's modules are found."""

import pytest

from tfgraphtools.compat import is_tf1, legacy
from tfgraphtools.compat.contrib import finder

if is_tf1() or legacy.find() is None:
    pytest.skip("compat acts on TF 2.x; needs contrib", allow_module_level=True)

KERAS = ("api.keras", "api.keras.layers", "python.keras", "python.keras.layers")


@pytest.mark.parametrize("name", KERAS)
def test_keras_is_found_where_contrib_had_it(name):
    spec = finder.LegacyFinder.find_spec("tensorflow.contrib.keras." + name)
    assert isinstance(spec.loader, finder.KerasLoader)


def test_what_is_beside_it_is_not():
    assert not isinstance(finder.LegacyFinder.find_spec("tensorflow.keras"), finder.KerasLoader)
    old = finder.LegacyFinder.find_spec("tensorflow.contrib.keras.python")
    assert old.loader is None and old.submodule_search_locations
