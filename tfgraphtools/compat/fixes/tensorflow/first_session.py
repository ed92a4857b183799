"""The first session: CUDA's lines without a GPU are hidden, and later forks are told.

TensorFlow's threads are not in a process that is forked after a session was made: its first
``session.run`` waits for them without end, as in TF 1.15.
"""

import contextlib
import os

from tfgraphtools.compat.engine import environment, notices, quiet, replacing, state
from tfgraphtools.compat.engine.rows import Fix
from tfgraphtools.compat.fixes.tensorflow import ownership

#: Whether a session of user code was made while compat is active.
_has_session = False

#: Whether this process asks the system to be told of forks: it cannot be taken back.
_is_told = False


def _is_of_users(session, target="", graph=None, config=None):
    """Tells whether the graph of a session that is made is user code's."""
    from tensorflow.python.framework import ops

    graph = ops.get_default_graph() if graph is None else graph
    return isinstance(graph, ops.Graph) and ownership.is_users(graph)


@replacing.replaces(
    "tensorflow.python.client.session:BaseSession.__init__",
    when=_is_of_users,
    row=Fix(
        "sessions.first",
        None,
        "hides lines of CUDA; says where a process is forked after a session was made",
    ),
)
def _init(original, self, *arguments, **options):
    global _has_session, _is_told
    is_quiet = not (_has_session or environment.has_gpu())
    with quiet.quiet_stderr() if is_quiet else contextlib.nullcontext():
        original(self, *arguments, **options)
    if not _is_told and hasattr(os, "register_at_fork"):  # POSIX
        _is_told = True
        os.register_at_fork(before=_say)
    if not _has_session:
        _has_session = True
        state.at_restore(_forget)


def _forget():
    global _has_session
    _has_session = False


def _say():
    """Says once that a child of this process cannot run sessions."""
    if _has_session:
        notices.once(
            "sessions.forks",
            "a process is forked after a tf.Session was made: a session in it waits for threads "
            "that it does not have, as in TF 1.15. Start it by "
            "multiprocessing.get_context('spawn'), or before the session",
        )


TABLES = (replacing.table("the first session", _init, kind="patches"),)
