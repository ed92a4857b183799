"""Attributes and methods of objects that no library has today."""

#: Methods of unittest.TestCase that left Python 3.12, and what they are called today.
TEST_CASE = {
    "assertEquals": "assertEqual",
    "assertNotEquals": "assertNotEqual",
    "assert_": "assertTrue",
    "assertAlmostEquals": "assertAlmostEqual",
    "assertNotAlmostEquals": "assertNotAlmostEqual",
    "assertItemsEqual": "assertCountEqual",
    "assertRegexpMatches": "assertRegex",
    "assertNotRegexpMatches": "assertNotRegex",
    "assertRaisesRegexp": "assertRaisesRegex",
    "failUnless": "assertTrue",
    "failIf": "assertFalse",
    "failUnlessEqual": "assertEqual",
    "failIfEqual": "assertNotEqual",
    "failUnlessAlmostEqual": "assertAlmostEqual",
    "failIfAlmostEqual": "assertNotAlmostEqual",
    "failUnlessRaises": "assertRaises",
}


def _old_attributes():
    """attribute -> (row, roots of the imports beside which it means that, its name today or "")."""
    found = {
        old: ("unittest.TestCase", ("unittest", "tensorflow"), new)
        for old, new in TEST_CASE.items()
    }
    found.update(
        isAlive=("threading.isAlive", ("threading",), "is_alive"),
        readfp=("configparser.readfp", ("configparser", "ConfigParser"), "read_file"),
        tostring=("numpy.ndarray.tostring", ("numpy", "array", "tensorflow"), "tobytes"),
        fromstring=("array.tostring", ("array",), "frombytes"),
        getchildren=("xml.getchildren", ("xml",), ""),
        getiterator=("xml.getchildren", ("xml",), "iter"),
    )
    for prefix in ("iter", "view"):
        for name in ("items", "keys", "values"):
            found[prefix + name] = ("python2.dict_iterators", (), name)
    for name in "name code defaults globals doc dict closure".split():
        found["func_" + name] = ("python2.function_attributes", (), f"__{name}__")
    found.update(
        im_func=("python2.function_attributes", (), "__func__"),
        im_self=("python2.function_attributes", (), "__self__"),
        has_key=("python2.has_key", (), ""),
    )
    for row, root, names in (
        ("numpy.ndarray.ptp", "numpy", "ptp"),
        ("numpy.ndarray.itemset", "numpy", "itemset"),
        ("numpy.ndarray.newbyteorder", "numpy", "newbyteorder"),
        ("pandas.ix", "pandas", "ix"),
        ("pandas.as_matrix", "pandas", "as_matrix"),
        ("pandas.get_value", "pandas", "get_value"),
        (
            "pandas.methods_before_1",
            "pandas",
            "clip_lower clip_upper convert_objects get_duplicates get_values reindex_axis "
            "set_value sortlevel sym_diff weekday_name",
        ),
        ("PIL.textsize", "PIL", "textsize getsize"),
        ("matplotlib.hold", "matplotlib", "hold ishold"),
        ("h5py.value", "h5py", "value"),
        ("h5py.fid", "h5py", "fid"),
        ("scipy.sparse.attributes", "scipy", "A H asfptype"),
        ("matplotlib.set_window_title", "matplotlib", "set_window_title"),
        ("sklearn.get_feature_names", "sklearn", "get_feature_names"),
    ):
        for name in names.split():
            found[name] = (row, (root,), "")
    return found


#: Attributes that no object of today has, where their file imports what had them (anywhere, if
#: no root is named). What other objects have as well (``append``, ``value``) is not among them.
OLD_ATTRIBUTES = _old_attributes()
