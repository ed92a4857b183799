"""Specs of modules that a function gives, in place of a file."""

import importlib.machinery
import sys


def spec(name, make, folders=()):
    """Returns the spec of a package that ``make(name)`` gives.

    Args:
      name: its dotted name.
      make: a function that returns a new module.
      folders: where the modules inside of it lie.
    """
    package = importlib.machinery.ModuleSpec(name, _Maker(make), is_package=True)
    package.submodule_search_locations = list(folders)
    return package


def alias(name, load):
    """Returns the spec of another name of the module that ``load(name)`` gives."""
    return importlib.machinery.ModuleSpec(name, _AliasLoader(load), is_package=True)


class _Maker:
    """A loader that makes a module."""

    def __init__(self, make):
        self._make = make

    def create_module(self, spec):
        """Returns the module."""
        return self._make(spec.name)

    def exec_module(self, module):
        """Executes nothing: the module is complete."""


class _AliasLoader:
    """A loader that puts the module of another name where the import system looks for this one."""

    def __init__(self, load):
        self._load = load

    def create_module(self, spec):
        """Leaves it to Python: the new module is not the one that stays."""

    def exec_module(self, module):
        """Puts the other module in its place."""
        name = module.__spec__.name
        sys.modules[name] = self._load(name)
