"""Libraries that read, change and draw images: Pillow, scikit-image, matplotlib and seaborn."""

from tfgraphtools.compat.fixes.pictures import (
    figures,
    left_plots,
    parameters,
    pictures,
    plots,
    scikit_image,
    scikit_image_calls,
)

TABLES = (
    *pictures.TABLES,
    *plots.TABLES,
    *figures.TABLES,
    *parameters.TABLES,
    left_plots.TABLE,
    scikit_image.TABLE,
    scikit_image_calls.TABLE,
)


def install(options):
    """Decides whether plots open windows, and changes drawing functions once they are loaded."""
    pictures.show_plots(options.show_plots)
    figures.install()
    parameters.install()
