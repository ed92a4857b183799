"""Names of ``tf.contrib`` that another public function replaces, with other arguments.

`upgrade` uses these rewrites where the runtime may not be imported: the runtime has the
functions of contrib themselves, which name their ops otherwise. ``contrib.tsv`` lists them.
"""

import pathlib

from tfgraphtools.compat.engine.rewrite_kinds import Call, Rename

#: What arguments of losses and metrics were called before 1.0.
_BEFORE_ONE = {"weight": "weights", "targets": "labels"}


def _rewrite(to, words=""):
    words = words.split()
    if not words:
        return Rename(to)
    if "=" in words[0]:
        return Call(to, dict(word.split("=") for word in words))
    keywords = {old: new for old, new in _BEFORE_ONE.items() if new in words}
    return Call(to, keywords, tuple(words))


def _read():
    text = pathlib.Path(__file__).with_suffix(".tsv").read_text(encoding="utf-8")
    lines = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    return {name: _rewrite(*fields) for name, *fields in lines}


INSTEAD = _read()


def instead(name):
    """Returns the rewrite of a name of contrib to a public function of today, or None.

    Example:
      >>> instead("tensorflow.contrib.eager.Variable")
      Rename(to='tensorflow.compat.v1.Variable', uncalled=None)
    """
    name = name[len("tensorflow.contrib.") :]
    owner, _, leaf = name.rpartition(".")
    if name not in INSTEAD and isinstance(INSTEAD.get(owner), Rename):  # a module
        return Rename(f"{INSTEAD[owner].to}.{leaf}")
    return INSTEAD.get(name)
