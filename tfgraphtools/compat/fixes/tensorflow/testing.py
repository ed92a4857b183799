"""``tf.test``: the arguments of its methods."""

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes.build import in_place_of
from tfgraphtools.compat.fixes.numpy import tensor_lists
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

_CASE = "tensorflow.python.framework.test_util:TensorFlowTestCase."


@replaces(
    _CASE + "_GetNdArray",
    name="tensorflow.test.TestCase.assertAllEqual",
    since="NumPy 1.20",
    why="compares nested lists of symbolic tensors: they are equal if they hold the same tensors",
)
def _get_array(original, self, a):
    try:
        return original(self, a)
    except NotImplementedError as error:
        array = tensor_lists.objects(a, error)
        _get_array.used()
        return array


_SESSIONS = Fix(
    "tensorflow.test.TestCase.session",
    "TF 2.5",
    "self.session() and test_session() place ops on the CPU unless use_gpu=True is passed",
)


def _session(original, self, graph=None, config=None, use_gpu=False, force_gpu=False):
    _of_case[0].used()
    return original(self, graph=graph, config=config, use_gpu=use_gpu, force_gpu=force_gpu)


_of_case = [
    replaces(_CASE + name, row=_SESSIONS)(_session)
    for name in ("session", "cached_session", "test_session")
]


@in_place_of(
    "tensorflow.python.framework.test_util.run_in_graph_and_eager_modes",
    "TF 2.9",
    "takes reset_test, which has no effect: a test is set up again for each mode",
)
def _in_both_modes(original, used, func=None, reset_test=True, **options):
    if reset_test is not True:
        used()
    return original(func, **options)


TABLES = (
    replacing.table("arguments of test methods", _get_array, *_of_case, kind="patches"),
    Table("helpers of TensorFlow's tests", "calls", _in_both_modes),
)
