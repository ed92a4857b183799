"""The lists of public scripts: names only, nothing of theirs.

Besides `corpus.tsv` there are scripts that were drawn before anything was fixed for them:
`unseen.tsv` (tutorials) and `unseen_papers.tsv` (60 of 37 repositories that implement papers,
or train, export and convert; see its commit). The rule for the latter: of each repository,
the scripts that are started by themselves and import TensorFlow or Keras, without downloads,
Atari, MuJoCo or PyTorch, in a seeded order, at most four; all of them in one seeded order;
then the first 60, without those that need a trained model, a library without a release on the
package index, or data that no few lines of code can make. `unseen_projects.tsv` (40 of 34 other
repositories) was drawn by the same rule, with at most two scripts of a repository.
"""

import csv
import pathlib
from typing import NamedTuple

#: The list that stands beside the command.
LIST = pathlib.Path(__file__).resolve().parent / "corpus.tsv"


class Script(NamedTuple):
    """One public script and how it is started.

    `folder` of the repository is copied and is the working folder; in "a//b" a is
    copied and importable, and b in it is the working folder. `path` is relative to
    the working folder, or "-m module". `data` names the stand-ins that `data.make` makes,
    each with the place where the public script looks for it ("mnist:/tmp/data").
    """

    repository: str  # owner/name
    folder: str
    path: str
    arguments: str  # as a shell would split them
    data: str  # "kind:place kind:place", see data.py
    uses: str  # what it is in the list for

    @property
    def name(self):
        """Its name in tables and in the file of results."""
        inside = "" if self.folder == "." else self.folder + "/"
        words = " " + self.arguments if self.arguments else ""
        return f"{self.repository}: {inside}{self.path}{words}"


def read(path=LIST):
    """The scripts of a tab-separated list, in its order.

    Raises:
      ValueError: a line lacks a column, or names a script twice.
    """
    with open(str(path), newline="", encoding="utf-8") as file:
        lines = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    if lines[0] != list(Script._fields):
        raise ValueError(f"{path}: the first line is not {Script._fields}")
    scripts, names = [], set()
    for number, line in enumerate(lines[1:], 2):
        if len(line) != len(Script._fields):
            raise ValueError(f"{path}:{number}: {len(line)} columns")
        script = Script(*line)
        if script.name in names:
            raise ValueError(f"{path}:{number}: {script.name} stands twice")
        names.add(script.name)
        scripts.append(script)
    return scripts
