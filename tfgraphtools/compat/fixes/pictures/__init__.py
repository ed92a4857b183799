"""Libraries that read, change and draw images: Pillow, scikit-image, matplotlib and seaborn."""

from tfgraphtools.compat.engine.replacing import install_after_import
from tfgraphtools.compat.fixes.pictures import figures, pictures, plots, scikit_image_calls

#: ``--libraries today`` disables it.
OF_OTHER_LIBRARIES = True

TABLES = (
    *pictures.TABLES,
    *plots.TABLES,
    *figures.TABLES,
    *scikit_image_calls.TABLES,
)


def install(options):
    """Decides whether plots open windows, and changes drawing functions once they are loaded."""
    pictures.show_plots(options.show_plots)
    install_after_import(*figures.replacements())
