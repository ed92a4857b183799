"""What `doctor` tells to install, on the terminal, as JSON and on its page."""

import pytest

from tfgraphtools.cli.doctor import _lines
from tfgraphtools.compat.doctor import html_report, install, report, statuses, upgrades

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    "module, command",
    [
        ("cv2", "pip install opencv-python"),
        ("pandas", "pip install pandas"),
        ("sonnet", 'pip install "dm-sonnet<2"'),
        ("tensorflow_hub", 'pip install "tensorflow_hub<0.16"'),
        ("my_utils", None),  # more likely a module of the user's own
    ],
)
def test_the_package_of_a_module(module, command):
    assert install.command_for(module) == command


def test_names_of_an_older_version(monkeypatch):
    monkeypatch.setattr(statuses.library_sources, "missing", lambda name, package: name)
    monkeypatch.setattr(statuses.lookup, "concerns", lambda root: False)
    monkeypatch.setattr(statuses, "is_installed", lambda root: True)
    found = [statuses.of(name) for name in ("tensorflow_hub.Module", "soundfile.nothing")]
    assert [one.status for one in found] == [statuses.MISSING] * 2
    assert [one.install for one in found] == ['pip install "tensorflow_hub<0.16"', None]


def _report(*found):
    place = (report.Place("train.py", 1),)
    return report.Report("code", 1, [report.Entry(status, place) for status in found])


MISSING = _report(
    statuses._package("yaml"),
    statuses._package("cv2"),
    statuses._package("my_utils"),
    statuses.Status("tensorflow.contrib.rnn", statuses.MISSING, "", install=install.LEGACY),
)


def test_one_command_for_all_packages():
    steps = ["tfgraphtools legacy install", "pip install opencv-python pyyaml"]
    assert MISSING.next_steps == MISSING.as_dict()["next_steps"] == steps
    assert list(_lines(MISSING, False))[-4:-1] == ["Next steps:", *("  " + step for step in steps)]


def test_nothing_to_install():
    fine = _report(statuses.Status("numpy", statuses.WORKS))
    assert fine.next_steps == [] and "Next steps" not in html_report.page(fine)
    assert list(_lines(fine, False)) == [
        "works                    1 name  1 use",
        "code: 1 file, all of it is supported",
        "'tfgraphtools upgrade' has no name to rewrite here",
    ]


def test_a_package_that_is_not_installed_is_no_fault_of_the_code():
    absent = _report(statuses._package("yaml"), statuses._package("cv2"))
    assert (
        absent.ok and absent.verdict == "all of it is supported, and 2 packages are not installed"
    )
    assert not MISSING.ok and absent.as_dict()["names"][0]["status"] == "not installed"
    of_tf1 = statuses.Status("tensorflow.placehodler", statuses.MISSING, "")
    assert not _report(of_tf1).ok


def test_the_last_line_says_what_upgrade_does():
    mixed = _report(
        statuses.Status("tensorflow.mul", statuses.PATCHED, "", "tensorflow.mul"),
        statuses.Status("tensorflow.contrib.rnn", statuses.LEGACY),
        statuses.Status("tensorflow.nothing", statuses.MISSING),
    )
    work = [upgrades.of(entry.status) for entry in mixed.entries]
    rewritten = work.count(upgrades.REWRITTEN) + work.count(upgrades.RUNTIME)
    last = list(_lines(mixed, False))[-1]
    assert f"would rewrite {rewritten} name" in last and f"leave {3 - rewritten};" in last
    assert last.endswith("next, to see the diff: tfgraphtools upgrade code")


def test_commands_quote_a_path():
    old = statuses.Status("pandas.groupby", statuses.DIFFERS, "")
    place = (report.Place("a b/train.py", 1),)
    of_path = report.Report("a b", 1, [report.Entry(old, place)])
    assert of_path.next_steps == ["tfgraphtools doctor --constraints constraints.txt 'a b'"]
    assert of_path.about_upgrade.endswith("tfgraphtools upgrade 'a b'")


def test_the_page():
    text = html_report.page(MISSING)
    assert 'name="viewport"' in text and 'type="search"' in text and "http" not in text
    assert "<pre>tfgraphtools legacy install\npip install opencv-python pyyaml</pre>" in text
    assert text.count("<tr data-status=") == 4 and "<option>missing</option>" in text
