"""What draws: Pillow, matplotlib and seaborn."""

from tfgraphtools.compat.fixes.pictures import figures, pictures, plots

TABLES = (*pictures.TABLES, *plots.TABLES, *figures.TABLES)


def install(options):
    """Decides whether plots open windows; changes what draws, once it is loaded."""
    pictures.show_plots(options.show_plots)
    figures.install()
