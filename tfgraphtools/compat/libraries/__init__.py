"""Old names, calls and behaviours of Python's own modules and of other libraries.

Every fix is for user code alone: names are rows that its view of a module shows
first, attributes of objects are asked for where they are missing, operators
are rewritten in its own trees. No library meets any of it.

    old_builtins, renamed_modules, old_names, pickles,
    splitting                                              Python
    numpy_names, numpy_types, numpy_calls, numpy_printing,
    tensor_lists                                           NumPy
    operators, promotion                                   its arithmetic
    one_element, indices, comparisons                      its numbers, sizes, and comparisons
    scipy_names, images, sklearn_names                     SciPy and scikit-learn
    pictures, plots, other_names, old_attributes           PIL, matplotlib, pandas and others
    generated, mocks                                       protobuf and mock
"""

from tfgraphtools.compat.libraries import (
    comparisons,
    generated,
    indices,
    mocks,
    numpy_calls,
    numpy_names,
    numpy_printing,
    numpy_types,
    old_attributes,
    old_builtins,
    old_names,
    one_element,
    operators,
    other_names,
    pickles,
    pictures,
    plots,
    renamed_modules,
    scipy_names,
    sklearn_names,
    splitting,
)

TABLES = (
    old_builtins.TABLE,
    renamed_modules.TABLE,
    old_names.TABLE,
    old_names.CALLS,
    pickles.TABLE,
    splitting.TABLE,
    generated.TABLE,
    mocks.TABLE,
    numpy_names.TABLE,
    numpy_types.TABLE,
    numpy_names.GONE,
    numpy_calls.TABLE,
    operators.TABLE,
    one_element.TABLE,
    comparisons.TABLE,
    comparisons.TRUTH,
    indices.TABLE,
    numpy_printing.TABLE,
    *scipy_names.TABLES,
    *sklearn_names.TABLES,
    *pictures.TABLES,
    *plots.TABLES,
    *other_names.TABLES,
    old_attributes.TABLE,
)


def install(options):
    """Gives user code what its rewritten operators call."""
    from tfgraphtools.compat import importer

    for part in (operators, one_element, comparisons, indices, generated):
        vars(importer.user_builtins()).update(part.HELPERS)
    pictures.show_plots(options.show_plots)
