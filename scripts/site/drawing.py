"""What drawing a picture needs: colours, axes, the register of pictures, and recipes."""

import importlib

BLUE, ORANGE, GREY = "#3f51b5", "#ef6c00", "#9e9e9e"

#: Picture's name: the function that draws it.
PICTURES = {}


def picture(function):
    """Registers a function that draws one picture; its name is the picture's."""
    PICTURES[function.__name__] = function
    return function


def new_axes(columns=1, width=8.0, height=3.2):
    """Makes a figure with a row of axes."""
    from matplotlib import pyplot

    pyplot.rcParams.update({"axes.spines.top": False, "axes.spines.right": False})
    pyplot.rcParams.update({"font.size": 10, "axes.titlesize": 11})
    figure, axes = pyplot.subplots(1, columns, figsize=(width, height), constrained_layout=True)
    return figure, axes


def recipe_module(name):
    """Imports a recipe."""
    return importlib.import_module(name)
