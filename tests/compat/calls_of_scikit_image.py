"""The calls of scikit-image in ``tests/scripts/scikit_image.py``, as old and modern code."""

import pathlib
import re

_CELLS = pathlib.Path(__file__).resolve().parents[1] / "scripts" / "scikit_image.py"


def cases():
    """row -> (the modern call, the old one), each with what comes before it."""
    _, *cells = re.split(r"^# %% ", _CELLS.read_text(encoding="utf-8"), flags=re.MULTILINE)
    picture = (
        "import numpy\nfrom skimage import io\nio.imsave('p.png', numpy.zeros((4, 4, 3), 'u1'))\n"
    )
    read = picture + "io.imread('p.png'"
    found = {"skimage.io.imread": (read + ")", read + ", as_grey=True)")}
    for cell in cells:
        lines = [line for line in cell.splitlines() if not line.startswith("#")]
        before = "\n".join(line for line in lines if not line.startswith((" ", "def ", "skimage.")))
        before = before[: before.find("for line in")] if "for line in" in before else None
        for line in lines if before else ():
            old, bar, modern = line.partition(" | ")
            if bar and not line.startswith(" "):
                name = old.partition("(")[0]
                found["skimage." + name] = (f"{before}{name}{modern}", before + old)
    return found
