"""The calls of a package in its file of ``tests/scripts``, as old and modern code.

They are lines in a text of a cell: the old call, a bar, and the arguments of the modern one; a
function that cannot be called without being reported has none.
"""

import pathlib
import re

_SCRIPTS = pathlib.Path(__file__).resolve().parents[1] / "scripts"


def cases(file, package, spelling=""):
    """row -> (the modern call, the old one), each with what comes before it.

    Args:
      file: the name of the file.
      package: what the names of rows begin with.
      spelling: what cells write before the names of functions.
    """
    _, *cells = re.split(r"^# %% ", (_SCRIPTS / file).read_text(encoding="utf-8"), flags=re.M)
    found = {}
    for cell in cells:
        before = "\n".join(line for line in cell.splitlines()[1:] if not line.startswith("#"))
        if "for line in" not in before:
            continue
        before = before[: before.index("for line in")]
        for line in cell.splitlines():
            old, bar, modern = line.partition(" |")
            if bar and not line.startswith((" ", "#")):
                name = old.partition("(")[0]
                calls = (before + spelling + name + modern.strip(), before + spelling + old)
                found[package + "." + name] = calls
    return found


def of_scikit_image():
    """The calls of scikit-image."""
    picture = (
        "import numpy\nfrom skimage import io\nio.imsave('p.png', numpy.zeros((4, 4, 3), 'u1'))\n"
    )
    read = picture + "io.imread('p.png'"
    found = {"skimage.io.imread": (read + ")", read + ", as_grey=True)")}
    return {**found, **cases("scikit_image.py", "skimage")}


def of_librosa():
    """The calls of librosa."""
    drawing = "import librosa, librosa.display, matplotlib, numpy\nmatplotlib.use('agg')\n"
    drawing += "picture = numpy.eye(4)\nlibrosa.display."
    found = {
        "librosa.display.cmap": (drawing + "cmap(picture)", drawing + "cmap(picture, False)"),
        "librosa.display.specshow": (
            drawing + "specshow(picture)",
            drawing + "specshow(picture, None, None, 'time')",
        ),
    }
    found.update(cases("librosa.py", "librosa", "librosa."))
    modern, old = found["librosa.onset.onset_detect"]
    by_name = "onset_detect(onset_envelope=ones, sr=sr, units='time')"
    found["librosa.onset.onset_detect"] = (
        modern,
        old.replace(by_name, "onset_detect(None, sr, ones)"),
    )
    return found
