"""Which cases of a test run in which gate: ``--quick``, the plain run, ``--all``, ``--whole``.

Each gate runs what the one before it runs, and more. The cases of a test are drawn when they are
made, so that products of cases cost nothing: always the same ones, and each value of each parameter
once before any a second time.
"""

import datetime
import functools
import os
import pathlib
import zlib
from typing import NamedTuple

#: How many slow cases of a test ``--all`` runs where its mark does not say.
SLOW_CASES = 2

#: The CPU seconds that a test may take in the plain run, and with ``--all``: of one that costs
#: more, fewer cases run.
PLAIN_SECONDS = 0.25
ALL_SECONDS = 2.0

#: The CPU seconds of one case from which on a test runs with ``--all`` only.
DEAR = 1.5

#: The CPU seconds of one case from which on a test runs with ``--all`` in one of `TURNS` weeks.
DEAREST = 5.0
TURNS = 8

#: Below tests/: files whose tests share what costs so many CPU seconds to make; they take turns.
DEAR_FILES = {
    "checkpoints/families/test_hugging_face.py": 27,
    "checkpoints/optimizers/test_continuation.py": 24,
    "checkpoints/optimizers/test_roles.py": 68,
    "checkpoints/optimizers/test_sparse.py": 45,
    "checkpoints/optimizers/test_statistics.py": 57,
    "compat/engine/test_report.py": 58,
    "documentation/test_pages_in_installs.py": 70,
    "documentation/test_search.py": 23,
}

#: What ``--whole`` sets: tests that draw or shorten read these.
WHOLE_SWITCHES = {
    "TFGRAPHTOOLS_WHOLE": "1",
    "TFGRAPHTOOLS_ALL_CELLS": "1",
    "TFGRAPHTOOLS_ALL_SOURCES": "1",
    "TFGRAPHTOOLS_COPIES": "1",
    "TFGRAPHTOOLS_SLICES": "1",
    "TFGRAPHTOOLS_TRIPLES": "1",
}

#: Below tests/: what waits more than it computes (for servers, kernels, what it stops), and so runs
#: beside the rest. What ``pytest --dearest`` prints with more wall than CPU time belongs here.
WAITING = (
    "checkpoints/plans/test_transaction.py",
    "cli/ckpt/test_kills.py",
    "documentation/test_notebooks.py",
    "runs/test_timed_runs.py",
    "runner/test_notebook.py",
    "test_corpus.py",
    "training/distributed/",
)

_MONDAY = datetime.date(2024, 1, 1)


class Gate(NamedTuple):
    """What a run of the suite asks for."""

    quick: bool = False
    all: bool = False
    whole: bool = False
    week: int = 0
    is_tf1: bool = False


def waits(path):
    """Tells whether a file, by its path below tests/, waits more than it computes."""
    return path.startswith(WAITING)


def this_week():
    """Returns the number of the week: that of TFGRAPHTOOLS_WEEK, or of today, from 2024 on."""
    named = os.environ.get("TFGRAPHTOOLS_WEEK")
    return int(named) if named else (datetime.date.today() - _MONDAY).days // 7


def drawn(cases, gate, costs=None):
    """Returns those of a test's cases that run in this gate, in their order.

    Args:
      cases: items of pytest.
      gate: a `Gate`.
      costs: {test: CPU seconds of one of its cases}; by default `measured_costs`.
    """
    cases = [case for case in cases if not (gate.is_tf1 and case.get_closest_marker("once"))]
    if gate.whole:
        return [case for case in cases if gate.all or not case.get_closest_marker("slow")]
    if not cases:
        return []
    costs = measured_costs(gate.is_tf1) if costs is None else costs
    test = cases[0].nodeid.partition("[")[0]
    seconds = costs.get(test, 0)
    file = test.partition("::")[0].partition("/")[2]
    if file in DEAR_FILES and not (gate.all and gate.week % TURNS == turns(costs)[file]):
        return []
    if gate.quick:
        return _plain([case for case in cases if case.get_closest_marker("quick")], seconds)[:1]
    kept = _plain(cases, seconds)
    if gate.all and seconds >= DEAREST:
        return _in_its_turn(cases, gate.week, turns(costs)[test])
    if gate.all:
        kept = _more(kept, _candidates(cases), gate.week, seconds)
        kept += _more([], _slow_candidates(cases, gate.week), gate.week, seconds)
    return [case for case in cases if case in kept]


@functools.lru_cache(maxsize=None)
def measured_costs(is_tf1):
    """Returns {test: CPU seconds of one of its cases} as a run measured them: see `durations`."""
    lines = pathlib.Path(__file__).with_name("costs.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return {test: float((tf1 or tf2) if is_tf1 else (tf2 or tf1)) for tf2, tf1, test in rows}


def _plain(cases, seconds):
    """Returns the cases of the plain run: so many as fit into its seconds, none of a dear test."""
    if seconds > DEAR:
        return []
    candidates = _candidates(cases)
    return covering(candidates, _fitting(PLAIN_SECONDS, seconds))


def _more(kept, candidates, week, seconds):
    """Returns these cases, and more candidates as far as the seconds of ``--all`` allow.

    Those beyond the plain run change with the week, so that each runs in its turn.
    """
    return covering(candidates, _fitting(ALL_SECONDS, seconds), kept, str(week))


def _fitting(seconds, seconds_of_one):
    """Returns how many cases fit into so many seconds; at least one."""
    return max(1, int(seconds / max(seconds_of_one, 1e-9)))


def _candidates(cases):
    """Returns the cases that are not slow; of a product, so many as its mark says."""
    plain = [case for case in cases if not case.get_closest_marker("slow")]
    marks = [case.get_closest_marker("costly") for case in plain]
    return covering(plain, min([mark.kwargs["in_ci"] for mark in marks if mark] or [len(plain)]))


def _slow_candidates(cases, week):
    """Returns the slow cases of which ``--all`` runs some: so many as their marks say."""
    counts = {}
    for case in cases:
        mark = case.get_closest_marker("slow")
        if mark and not (case.get_closest_marker("twin") and not twin_runs(case.nodeid, week)):
            counts[case] = mark.kwargs.get("in_ci", SLOW_CASES)
    candidates = [case for case in counts if counts[case]]
    return covering(candidates, min((counts[case] for case in candidates), default=0))


def twin_runs(nodeid, week):
    """Tells whether the other kind of variables or control flow of a test runs in this week.

    Half of the tests have it in even weeks, half in odd ones.
    """
    return (zlib.crc32(nodeid.partition("[")[0].encode()) + week) % 2 == 0


def turns(costs):
    """Returns {dear test or file: the week of `TURNS` in which ``--all`` runs it}.

    Each week gets about as many seconds as any other.
    """
    dear = {test: seconds for test, seconds in costs.items() if seconds >= DEAREST}
    return _shared_out(tuple({**dear, **DEAR_FILES}.items()))


@functools.lru_cache(maxsize=None)
def _shared_out(dear):
    """Returns {name: week} of (name, seconds): each, the dearest first, in the emptiest week."""
    weeks, full = {}, [0] * TURNS
    for name, seconds in sorted(dear, key=lambda row: (-row[1], row[0])):
        weeks[name] = full.index(min(full))
        full[weeks[name]] += seconds
    return weeks


def _in_its_turn(cases, week, turn):
    """Returns one case of a test that is among the dearest, another in each turn, or none."""
    if week % TURNS != turn:
        return []
    candidates = _candidates(cases) + _slow_candidates(cases, week)
    number = week // TURNS % max(1, len(candidates))
    return candidates[number : number + 1]


def covering(cases, count, kept=(), salt=""):
    """Returns so many of the cases, in their order: each value of each parameter as soon as it can.

    Which ones depends on their ids and the salt alone; those that are kept anyway are among them.
    """
    if count >= len(cases):
        return list(cases)

    def place(case):
        return zlib.crc32((case.nodeid.partition("::")[2] + salt).encode())

    kept = list(kept)
    waiting = sorted((case for case in cases if case not in kept), key=place)
    seen = set().union(*map(_values, kept))
    while len(kept) < count:
        case = max(waiting, key=lambda case: len(_values(case) - seen))  # the first of the best
        waiting.remove(case)
        kept.append(case)
        seen |= _values(case)
    return [case for case in cases if case in kept]


def _values(case):
    """Returns the values of a case's parameters, each as (parameter, its number there)."""
    callspec = getattr(case, "callspec", None)
    return set(callspec.indices.items()) if callspec else set()
