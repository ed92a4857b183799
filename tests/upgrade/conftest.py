"""Sources are rewritten by today's tables, or by a small one that stands for them."""

import sys

import pytest

collect_ignore_glob = ["test_*.py"] if sys.version_info < (3, 8) else []


@pytest.fixture
def upgraded(tmp_path):
    """Function: {path: source} (or one source) -> {path: source} after the upgrade."""
    from tfgraphtools import upgrade

    def run(sources, **options):
        one = isinstance(sources, str)
        for name, source in ({"main.py": sources} if one else sources).items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            data = source if isinstance(source, bytes) else source.encode("utf-8")
            path.write_bytes(data)
        report = upgrade.examine([str(tmp_path)], **options)
        run.report = report
        new = {}
        for file in report.files:
            new[file.path[len(str(tmp_path)) + 1 :].replace("\\", "/")] = file.after.decode("utf-8")
        return new["main.py"] if one else new

    return run
