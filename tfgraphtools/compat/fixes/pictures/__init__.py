"""What draws: Pillow, matplotlib and seaborn."""

from tfgraphtools.compat.fixes.pictures import pictures, plots

TABLES = (*pictures.TABLES, *plots.TABLES)


def install(options):
    """Decides whether plots open windows."""
    pictures.show_plots(options.show_plots)
