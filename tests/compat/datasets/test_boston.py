"""``load_boston`` where there is no file, and where there is a wrong one."""

import pytest

from tfgraphtools.compat import is_tf1, legacy
from tfgraphtools.compat.datasets import boston
from tfgraphtools.errors import MissingDataError

if is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

pytestmark = pytest.mark.quick
pytest.importorskip("sklearn")


@pytest.fixture(autouse=True)
def nothing_else(tmp_path, monkeypatch):
    monkeypatch.setattr(legacy, "find", lambda: None)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "home"))
    monkeypatch.delenv("TFGRAPHTOOLS_DATA", raising=False)
    monkeypatch.chdir(tmp_path)


def test_no_file():
    with pytest.raises(MissingDataError, match=r"boston_house_prices.csv.*legacy install"):
        boston.load_boston()


@pytest.mark.parametrize("text", ["", "1 2 3\n", "no numbers at all\n"])
def test_a_wrong_file(tmp_path, text):
    (tmp_path / "boston").write_text(text)
    with pytest.raises(MissingDataError, match="records of 14 numbers"):
        boston.load_boston()


def test_a_table_of_scikit_learn(tmp_path):
    rows = ["2,13,,", "CRIM,ZN,MEDV", ",".join(map(str, range(14))), ",".join(["0.5"] * 14)]
    (tmp_path / "boston_house_prices.csv").write_text("\n".join(rows) + "\n")
    data, target = boston.load_boston(return_X_y=True)
    assert data.shape == (2, 13) and target.tolist() == [13.0, 0.5]
