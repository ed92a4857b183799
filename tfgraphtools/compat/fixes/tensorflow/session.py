"""Small steps: the cost of ``session.run`` besides its ops.

A step of a few dozen small ops took 1.27 of its time on 1.15. ``scripts/bench/against_tf1.py
dqn`` shows two causes: TF 2.x hands each run to a thread pool, which costs 30 to 60 us, and it
reads NumPy's version again for each fed value.

A graph that takes less than `SMALL` seconds several times in a row does not need other threads:
the calling thread runs it. If it becomes slow again (a larger batch), the thread pool runs it
again. Not changed are runs with their own options, sessions of a server, and graphs with ops
that may hold a thread or a lock while they wait for another op of the same run.
"""

import functools
import re
import time

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.tensorflow import ownership

#: A run of fewer seconds is small; the number of small runs before one is run inline.
SMALL, TIMES = 0.5e-3, 5

#: The number of small runs that are counted, and how many of them one slow run cancels: on a
#: busy machine any run may be slow once.
MOST, OUTWEIGHED = 10, 3

#: Stateful ops that neither wait for another op of the run in their thread, nor continue while
#: they hold a lock. Others (stages, barriers, Python functions, stateful function calls) may do
#: so, and need a thread pool.
_STATES = re.compile(
    r"Variable|Var(Handle|IsInit)|Assign|ReadVariable|TemporaryVariable|DestroyResource|"
    r"Resource(Apply|SparseApply|Scatter|Gather|StridedSlice|CountUpTo)|DisableCopyOnRead|"
    r"Random|Truncated|Parameterized|Multinomial|\w*CandidateSampler|SampleDistorted|"
    r"\w*Queue|\w*Reader|Save|Restore|MergeV2Checkpoints|Assert|Print|CheckNumerics|"
    r"\w*HashTable|LookupTable|InitializeTable|TensorArray|Stack|Empty|"
    r"(?!MultiDevice)\w*Iterator|\w*Dataset|\w*Summary"
)

#: The attribute of a session that counts consecutive small runs, by what is fetched.
_COUNTS = "_tfgraphtools_small_runs"


def _may_be_inline(session, handle, targets, fetches, feeds, options, run_metadata):
    """Tells whether this run of user code's graph may happen in the calling thread."""
    if handle is not None or options or run_metadata or session._target:
        return False
    return ownership.is_users(session.graph)


@replacing.replaces(
    "tensorflow.python.client.session:BaseSession._do_run",
    when=_may_be_inline,
    name="sessions.small_steps",
    why="the calling thread runs a small graph, which is faster than a thread pool",
)
def _do_run(original, self, handle, target_list, fetch_list, feed_dict, options, run_metadata):
    counts = vars(self).setdefault(_COUNTS, {})
    key = tuple(map(id, fetch_list)), tuple(map(id, target_list))
    count = counts.get(key, 0)
    if count == TIMES and _may_block(self.graph):
        count = counts[key] = float("-inf")
    options = _inline_options() if count >= TIMES else None
    begun = time.perf_counter()
    results = original(self, handle, target_list, fetch_list, feed_dict, options, None)
    if time.perf_counter() - begun < SMALL:
        counts[key] = min(count + 1, MOST)
    elif count > 0:
        counts[key] = max(count - OUTWEIGHED, 0)
    return results


def _run_small_steps_inline():
    """Makes the calling thread run small steps."""
    _inline_options()  # fails here, not in a run, where TensorFlow has no such options
    _do_run.apply()


def _may_block(graph):
    """Tells whether an op of the graph may need a thread while another op of the run holds one."""
    kinds = {op.type: op for op in graph.get_operations()}
    return any(op.op_def.is_stateful and not _STATES.match(kind) for kind, op in kinds.items())


@functools.lru_cache(maxsize=None)
def _inline_options():
    """Returns the options of a run in the calling thread, as C takes them."""
    from tensorflow.core.protobuf import config_pb2
    from tensorflow.python.client import pywrap_tf_session

    options = config_pb2.RunOptions(inter_op_thread_pool=-1)
    return pywrap_tf_session.TF_NewBufferFromString(options.SerializeToString())


@replacing.replaces(
    "tensorflow.python.util.numpy_compat:np_asarray",
    through=ownership.FAMILY,
    name="sessions.feeds",
    why="feeds numbers without checking NumPy's version each time",
)
def _asarray(original, values, dtype=None, order=None, copy=None):
    import numpy as np

    if order is None and copy is None and dtype is not None and _is_number(dtype):
        return np.asarray(values).astype(dtype, copy=False)
    return original(values, dtype, order, copy)


@functools.lru_cache(maxsize=None)
def _is_number(dtype):
    import numpy as np

    return np.issubdtype(dtype, np.number)


def _feed_quickly():
    """Converts fed numbers to arrays without checking NumPy's version."""
    import numpy as np

    if int(np.__version__.partition(".")[0]) >= 2:
        _asarray.apply()  # of TF 2.17 and newer


INLINE = _do_run.row._replace(run=_run_small_steps_inline)
FEEDS = _asarray.row._replace(run=_feed_quickly)

TABLES = (Table("small steps of sessions", "patches", [INLINE, FEEDS]),)
