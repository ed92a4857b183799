"""``sklearn.datasets.load_boston``: house prices in Boston.

scikit-learn withdrew the data for what its column B was made of; old scripts still
ask for them by this name. TF 1.15's contrib has them too; else the user provides a file.
"""

import os

from tfgraphtools.compat import legacy
from tfgraphtools.compat.datasets import mnist
from tfgraphtools.errors import MissingDataError

#: As lib.stat.cmu.edu has the data, and as scikit-learn had them.
FILES = ("boston", "boston_house_prices.csv")

_CONTRIB = "tensorflow.contrib.learn.python.learn.datasets.data"

COLUMNS = "CRIM ZN INDUS CHAS NOX RM AGE DIS RAD TAX PTRATIO B LSTAT".split()


def load_boston(return_X_y=False):
    """Returns the table, as scikit-learn gave it until 1.1.

    Args:
      return_X_y: whether to return (data, target) alone: [n, 13] and [n], float64.

    Raises:
      MissingDataError: neither of `FILES` is in the working folder, in that of
        TFGRAPHTOOLS_DATA, in scikit-learn's data folder or in the legacy installation.
    """
    from sklearn.utils import Bunch

    path = _find()
    rows = _rows(path)
    if len(rows) > 445 and rows[445, 0] == 0.6718:  # an error that scikit-learn corrected in 0.20
        rows[445, 0] = 10.6718
    data, target = rows[:, :-1], rows[:, -1]
    if return_X_y:
        return data, target
    import numpy as np

    return Bunch(
        data=data,
        target=target,
        feature_names=np.array(COLUMNS),
        DESCR="Boston house prices, from " + path,
        filename=path,
    )


def _find():
    from sklearn.datasets import get_data_home

    folders = [*mnist.folders(os.getcwd()), get_data_home(), *_in_contrib()]
    places = [os.path.join(folder, file) for folder in folders for file in FILES]
    for path in places:
        if os.path.isfile(path):
            return path
    raise MissingDataError(
        "sklearn.datasets.load_boston()",
        "the file boston of http://lib.stat.cmu.edu/datasets/boston, or scikit-learn's own "
        "boston_house_prices.csv (scikit-learn has withdrawn the data)",
        "none in " + " or ".join(dict.fromkeys(os.path.dirname(path) for path in places)),
        "Put one of them there, or run 'tfgraphtools legacy install': it has the data.",
    )


def _in_contrib():
    place = legacy.find()
    return [] if place is None else [os.path.join(str(place), *_CONTRIB.split("."))]


def _rows(path):
    """Returns [n, 14] float64: the columns, and the price last."""
    import numpy as np

    numbers = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.replace(",", " ").split()
            try:
                values = [float(word) for word in words]
            except ValueError:
                continue  # prose, or the names of the columns
            if len(values) in (3, 11, 14):  # a record is one line, or one of 11 and one of 3
                numbers += values
    if not numbers or len(numbers) % 14:
        raise MissingDataError(
            path,
            "records of 14 numbers",
            f"{len(numbers)} numbers in its lines of 3, 11 and 14",
            "Download the file again.",
        )
    return np.array(numbers).reshape(-1, 14)
