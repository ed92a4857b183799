"""The tables of constraints: each change has a remedy, and each version is one of pip's."""

import re

import pytest

from tfgraphtools.compat.constraints import tables

pytestmark = [pytest.mark.quick, pytest.mark.once]

PACKAGES = {version.package for version in tables.versions()}


@pytest.mark.parametrize("change", tables.changes(), ids=lambda change: change.name)
def test_every_change_has_a_package_and_a_reason(change):
    assert (change.package in PACKAGES) == change.has_remedy
    assert re.match(r"\d+\.(\d+|x)$", change.version) and change.why
    assert change.root and (change.name.startswith(".") or "." in change.name)


@pytest.mark.parametrize("python", [(3, 10), (3, 11), (3, 12)])
def test_every_package_has_a_version_for_each_python(python):
    assert {v.package for v in tables.versions() if v.runs_on(python)} == PACKAGES


def test_versions_are_in_order():
    by_package = {}
    for version in tables.versions():
        by_package.setdefault(version.package, []).append(version)
    for versions in by_package.values():
        numbers = [tables.numbers(version.version) for version in versions]
        assert numbers == sorted(numbers)
        assert sorted(v.released for v in versions) == [v.released for v in versions]


def test_what_is_needed_is_known():
    for version in tables.versions():
        assert set(version.needs) <= PACKAGES | set(tables.ceilings())


def test_no_version_is_there_for_python_313():
    assert not [version for version in tables.versions() if version.runs_on((3, 13))]
