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

from tfgraphtools.compat.engine import state
from tfgraphtools.compat.engine.rows import Row, Table

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


def _run_small_steps_inline():
    """Makes the calling thread run small steps."""
    from tensorflow.python.client import session

    plain = session.BaseSession._do_run

    @functools.wraps(plain)
    def do_run(self, handle, target_list, fetch_list, feed_dict, options, run_metadata):
        if handle is not None or options or run_metadata or self._target:
            return plain(self, handle, target_list, fetch_list, feed_dict, options, run_metadata)
        counts = vars(self).setdefault(_COUNTS, {})
        key = tuple(map(id, fetch_list)), tuple(map(id, target_list))
        count = counts.get(key, 0)
        if count == TIMES and _may_block(self.graph):
            count = counts[key] = float("-inf")
        options = _inline_options() if count >= TIMES else None
        begun = time.perf_counter()
        results = plain(self, handle, target_list, fetch_list, feed_dict, options, None)
        if time.perf_counter() - begun < SMALL:
            counts[key] = min(count + 1, MOST)
        elif count > 0:
            counts[key] = max(count - OUTWEIGHED, 0)
        return results

    _inline_options()  # fails here, not in a run, where TensorFlow has no such options
    state.set_attribute(session.BaseSession, "_do_run", do_run)


def _may_block(graph):
    """Whether an op of the graph may need a thread while another op of the run holds one."""
    kinds = {op.type: op for op in graph.get_operations()}
    return any(op.op_def.is_stateful and not _STATES.match(kind) for kind, op in kinds.items())


@functools.lru_cache(maxsize=None)
def _inline_options():
    """The options of a run in the calling thread, as C takes them."""
    from tensorflow.core.protobuf import config_pb2
    from tensorflow.python.client import pywrap_tf_session

    options = config_pb2.RunOptions(inter_op_thread_pool=-1)
    return pywrap_tf_session.TF_NewBufferFromString(options.SerializeToString())


def _feed_quickly():
    """Converts fed numbers to arrays without checking NumPy's version."""
    import numpy as np

    if int(np.__version__.partition(".")[0]) < 2:
        return
    from tensorflow.python.util import numpy_compat  # TF 2.17 and newer

    plain = numpy_compat.np_asarray
    is_number = functools.lru_cache(maxsize=None)(lambda dtype: np.issubdtype(dtype, np.number))

    @functools.wraps(plain)
    def np_asarray(values, dtype=None, order=None, copy=None):
        if order is None and copy is None and dtype is not None and is_number(dtype):
            return np.asarray(values).astype(dtype, copy=False)
        return plain(values, dtype, order, copy)

    state.set_attribute(numpy_compat, "np_asarray", np_asarray)


INLINE = Row(
    "sessions.small_steps",
    None,
    "the calling thread runs a small graph, which is faster than a thread pool",
    _run_small_steps_inline,
)

FEEDS = Row(
    "sessions.feeds",
    None,
    "feeds numbers without checking NumPy's version each time",
    _feed_quickly,
)

TABLE = Table("small steps of sessions", "patches", [INLINE, FEEDS])
