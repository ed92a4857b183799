"""Changes to single modules of the legacy installation, made to their source as it is loaded.

``adaptations.txt`` lists them: a few words each, which must stand in the source. The packages are
known by their hashes, so a mismatch is a mistake of ours.
"""

import pathlib


def _read(text):
    """Returns {module: [(what stands there, what is compiled instead)]}."""
    adaptations, sign = {}, ""
    for line in text.splitlines():
        if line.startswith("["):
            changes = adaptations[line.strip("[]")] = []
        elif line.startswith("-") and sign != "-":
            changes.append(([], []))
        sign = line[:1]
        if sign in ("-", "+"):
            changes[-1][sign == "+"].append(line[2:])
    return {
        module: [("\n".join(old).encode(), "\n".join(new).encode()) for old, new in changes]
        for module, changes in adaptations.items()
    }


#: module -> [(the bytes that stand there, those that are compiled instead), ...].
ADAPTATIONS = _read(pathlib.Path(__file__).with_suffix(".txt").read_text(encoding="utf-8"))


def adapted(name, source):
    """Returns the source of a module, changed where it must be.

    Args:
      name: the full name of the module.
      source: the bytes of its file.
    """
    for old, new in ADAPTATIONS.get(name, ()):
        assert old in source, (name, old)
        source = source.replace(old, new)
    return source
