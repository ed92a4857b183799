"""Libraries that read, change and draw images: Pillow, scikit-image, matplotlib and seaborn."""

from tfgraphtools.compat.engine.replacing import install_after_import
from tfgraphtools.compat.fixes.pictures import (
    compared_images,
    matplotlib,
    matplotlib_figures,
    pillow,
    scikit_image,
    seaborn,
)

#: ``--libraries today`` disables it.
OF_OTHER_LIBRARIES = True

TABLES = (
    *matplotlib.TABLES,
    seaborn.TABLE,
    *matplotlib_figures.TABLES,
    pillow.TABLE,
    *scikit_image.TABLES,
    *compared_images.TABLES,
)


def install(options):
    """Decides whether plots open windows, and changes drawing functions once they are loaded."""
    matplotlib.show_plots(options.show_plots)
    install_after_import(*matplotlib_figures.replacements())
