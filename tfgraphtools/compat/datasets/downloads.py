"""Files that ``tf.contrib.learn.datasets`` downloaded: found locally, or named in an error."""

import os

from tfgraphtools.compat.datasets.mnist import folders
from tfgraphtools.errors import MissingDataError


def local(filename, folder, url):
    """Returns the path of a file that contrib would download now.

    Args:
      filename: its name.
      folder: where the script would keep it; it is not there yet.
      url: its old address.

    Raises:
      MissingDataError: it is nowhere.
    """
    others = folders(folder)[1:]
    for other in others:
        path = os.path.join(other, filename)
        if os.path.isfile(path):
            return path
    raise MissingDataError(
        os.path.join(folder, filename),
        f"the file {filename}, which TF 1 downloaded from {url}",
        "none there, nor in " + ", ".join(map(repr, others)),
        f"Put it into {os.path.abspath(folder)}, or name its folder: "
        "export TFGRAPHTOOLS_DATA=/path/to/folder",
    )
