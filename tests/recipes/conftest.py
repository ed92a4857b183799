"""Recipes as modules: each is a script that a reader runs, with a main() that a test calls."""

import importlib
import pathlib
import sys

import pytest

RECIPES = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts" / "recipes"


@pytest.fixture
def recipe(tf, monkeypatch):
    """A function from a recipe's name to its module."""
    monkeypatch.syspath_prepend(str(RECIPES))
    yield importlib.import_module
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None)).startswith(str(RECIPES)):
            del sys.modules[name]
