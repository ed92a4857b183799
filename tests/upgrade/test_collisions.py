"""Python 2 whose names collide with what an upgrade writes: the oracle is Python 2.7's output."""

import pytest
import recorded_programs

GROUP = "collisions"


def test_as_python27(upgraded, this_server, tmp_path):
    """Stars, rebindings from other modules, own functions, parameters and attributes."""
    pytest.importorskip("fissix")
    words = recorded_programs.write(GROUP, tmp_path)
    sources = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    for name, source in upgraded(sources).items():
        (tmp_path / name).write_text(source, encoding="utf-8")
    done = this_server.run(tmp_path, *words)
    assert done.code == 0, done.err
    ours = recorded_programs.printed(GROUP, tmp_path)
    theirs = recorded_programs.recorded()[GROUP]
    assert len(theirs) > 70
    assert {name: text for name, text in ours.items() if text != theirs[name]} == {}


def test_a_second_run_changes_nothing(upgraded, tmp_path):
    pytest.importorskip("fissix")
    recorded_programs.write(GROUP, tmp_path)
    first = upgraded({path.name: path.read_bytes() for path in tmp_path.iterdir()})
    assert upgraded(first) == first


def test_files_that_changed_are_read_again(upgraded):
    pytest.importorskip("fissix")
    sources = {"main.py": "n = 5\nprint n / 2\n", "other.py": "import main\n"}
    assert "print(n // 2)" in upgraded(sources)["main.py"]
    sources["other.py"] += "main.n = 2.5\n"
    assert "print(divide(n, 2))" in upgraded(sources)["main.py"]
