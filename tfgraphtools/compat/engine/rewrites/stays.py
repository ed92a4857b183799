"""Rows that no change of source expresses, each with what a person can write instead."""

_ARITHMETIC = (
    "it depends on the values: NumPy 2 uses only the types of the operands. Convert where it "
    "matters: np.float64(x)"
)
_METHODS = "it depends on the class of an object, which the source does not show"

#: What is no question of names.
STAYS = {
    "packages.tf1": "to upgrade an installed package, pass the folder of its source to upgrade",
    "tensorflow.held_names": "import the name from the module that defines it",
    "tensorflow.private_attributes": "private attributes of graphs: " + _METHODS,
    "tensorflow.keras.optimizers.Adagrad.from_config": (
        "write compile(Adagrad(initial_accumulator_value=0.0)) instead of compile('adagrad')"
    ),
    "python2.message": "write str(error)",
    "python2.random": "Python 3 draws other numbers from the same seed",
    "python2.math": "math.floor and math.ceil return integers: wrap them in float() if needed",
    "python2.encodings": "write codecs.encode(bytes, 'hex') for text.encode('hex')",
    "python2.order": "compare only values of one type: Python 3 raises TypeError for None < 1",
    "python2.comprehension_variables": "write a loop if the last value is used afterwards",
    "python2.unicode": "write str(x), bytes.decode(), str.translate(str.maketrans('', '', 'b'))",
    "python2.requests": "write request.host, request.data = data",
    "python2.exceptions": "write error.args[0], sys.exc_info()[0]",
    "python2.decode": "text is already decoded: remove decode()",
    "python2.hashes": "hashlib takes bytes: text.encode()",
    "python2.bytes": "binary files, pipes, struct, zlib and base64 take bytes: text.encode()",
    "python2.regular_expressions": "text is Unicode: add re.ASCII if \\w must not match é",
    "numpy.promotion": _ARITHMETIC,
    "numpy.one_element": "take the element: x.item()",
    "numpy.compared": "compare arrays of the same shape: NumPy 2 raises otherwise",
    "numpy.list_of_indices": "write array[rows, columns] for array[[rows, columns]]",
    "numpy.one_element_size": "take the element: x.item()",
    "numpy.float_size": "write int(size), or size // 2",
    "numpy.empty_truth": "use x.size, or np.array_equal(x, y)",
    "numpy.sum_of_scalars": _ARITHMETIC,
    "numpy.order_of_equals": "pass kind='stable' if the order of equal numbers matters",
    "h5py.strings": "h5py returns str for strings: remove decode()",
    "python.locals": "keep the values in a dictionary: exec(text, globals(), values)",
    "python.sum_of_floats": "Python 3.12 corrects the rounding: a loop adds as before",
    "python.finders": "give the finder a method find_spec(name, path, target)",
    "dataclasses.dataclass": "write field(default_factory=Options) for a default Options()",
    "enum.Enum": "format member.value",
    "enum.IntEnum": "write member.name where the text of a member is printed",
    "protobuf.generated": "generate the module again with today's protoc",
    "tensorflow.type": "write isinstance(x, tf.Tensor) instead of type(x) == tf.Tensor",
    "tensorflow.Operation.type": "AddV2, GatherV2... replace Add, Gather: compare with both",
    "tensorflow.Operation": "write tf.Operation.from_node_def(...)",
    "tensorflow.Operation._add_input": "create the op when its inputs exist",
    "tensorflow.contrib.distributions.bijectors.event_ndims": (
        "pass event_ndims to log_det_jacobian, not to the bijector"
    ),
    "tensorflow.Dimension": "write an integer: 784 // 2",
    "slots.reused_scope": "call minimize() outside of the scope that reuses variables",
    "shapes.conv2d_transpose": "call set_shape(output_shape) on the result",
    "dtypes.defaults_of_ops": "convert the array: np.float32(x)",
    "variables.isinstance": "write isinstance(v, (tf.Variable, type(weight)))",
    "pandas.chained_assignment": "write df.loc[mask, 'a'] = v",
    "pandas.position_in_series": "write series.iloc[0]",
    "pandas.Series.value_counts": "name the result: value_counts().rename('a')",
    "pandas.positional_arguments": "name the arguments: df.drop('a', axis=1)",
    "pandas.numeric_only": "write df.mean(numeric_only=True)",
    "pandas.dropped_arguments": "write df.ffill() for fillna(method='ffill')",
    "pandas.frequencies": "write 'h', 'ME', 'YE' for 'H', 'M', 'Y'",
    "pandas.texts": "write str.replace(pattern, new, regex=True), to_datetime(format='mixed')",
    "pandas.dropped_methods": "write df.map, df.items, s.to_numpy().ravel()",
    "sklearn.defaults": "write KMeans(n_init=10), LinearSVC(dual=True)",
    "sklearn.renamed_arguments": "write estimator=, metric=, criterion='squared_error', ...",
}
