"""Every hook, in every place, whatever ends the session: variables, files, records and signals."""

import contextlib
import csv
import io
import os
import signal

import numpy as np
import pytest
from hook_setups import MASK, PLACES, Setup

from training_cases import same_bits

RUNS, SAVED, LOST = 5, 2, 4  # of a session: the run after which it is saved, and then lost
ENDINGS = ["well", "exception", "again", "sigterm"]
HOOKS = ["flush", "guard", "progress", "summary", "trace", "unfreeze"]


@pytest.fixture(scope="module")
def server(tf):
    return tf.compat.v1.train.Server({"ps": ["localhost:0"]}, "ps", 0)  # any free port


@pytest.fixture
def taken():
    """The signals that the handler took which was there before."""
    numbers = []

    def take(number, frame):
        numbers.append(number)

    before = signal.signal(signal.SIGTERM, take)
    yield numbers
    signal.signal(signal.SIGTERM, before)


class Events:
    """A listener that keeps what it is told."""

    def __init__(self, v1):
        self.seen = seen = []

        class Listener(v1.train.CheckpointSaverListener):
            def begin(self):
                seen.append("begin")

            def before_save(self, session, global_step):
                seen.append(("before", int(global_step)))

            def after_save(self, session, global_step):
                seen.append(("after", int(global_step)))

            def end(self, session, global_step):
                seen.append(("end", int(global_step)))

        self.listener = Listener()


class Job:
    """A model, the states that it has after each run without a hook, and hooks around it."""

    def __init__(self, setup, tf, folder, names):
        self.setup, self.tf, self.v1, self.folder = setup, tf, setup.v1, folder
        self.names = names
        self.events, self.stream = Events(self.v1), io.StringIO()
        with self.scope():
            flush = setup.sums.flush()
            initialize = self.v1.global_variables_initializer()
        all_copies = setup.strategy.experimental_local_results if setup.strategy else lambda v: [v]
        self.copies = [copy for v in self.v1.global_variables() for copy in all_copies(v)]
        self.expected = self._expected(flush, initialize)
        self.v1.Session.reset(setup.target) if setup.target else None
        self.hooks = {name: getattr(self, "_" + name)() for name in names}

    def scope(self):
        strategy = self.setup.strategy
        return strategy.scope() if strategy else contextlib.nullcontext()

    def _expected(self, flush, initialize):
        """{number of runs: state}, and the one after a flush; masks change as UnfreezeHook does."""
        config = self.v1.ConfigProto(device_count={"CPU": 2})
        masks = [copy for copy in self.copies if copy.op.name.startswith("frozen")]
        with self.v1.Session(self.setup.target, config=config) as session:
            session.run(initialize)
            states = {0: self.read(session)}
            for run in range(1, RUNS + 1):
                if "unfreeze" in self.names and states[run - 1]["global_step"] >= 1:
                    for mask in masks:
                        mask.load(np.zeros_like(MASK), session)
                session.run(self.setup.step)
                states[run] = self.read(session)
            session.run(flush)
            states["flushed"] = self.read(session)
        return states

    def read(self, session):
        return {copy.op.name: value for copy, value in zip(self.copies, session.run(self.copies))}

    def _flush(self):
        return self.setup.training.FlushHook(
            self.setup.sums, str(self.folder), listeners=[self.events.listener]
        )

    def _guard(self):
        return self.setup.training.FrozenGuardHook(self.setup.sums)

    def _progress(self):
        return self.setup.training.ProgressHook(
            {"count": self.setup.step_count}, every=1, stream=self.stream
        )

    def _summary(self):
        pairs = [(None, self.setup.w)] if self.setup.strategy else self.setup.pairs
        return self.setup.training.SummaryHook(str(self.folder / "events"), pairs, every=1)

    def _trace(self):
        return self.setup.training.TraceHook("w", csv_path=str(self.folder / "trace.csv"))

    def _unfreeze(self):
        return self.setup.training.UnfreezeHook({1: {"frozen": False}})

    def run(self, ending, is_reversed, folder):
        """Returns the state at the end of a session that ends so."""
        v1, job, final = self.v1, self, {}

        class Final(v1.train.SessionRunHook):
            def end(self, session):
                final.update(job.read(session))

        hooks = list(self.hooks.values()) + [self.setup.training.PreemptionHook()]
        if ending == "again":
            hooks.append(lost(self.tf, LOST))
        hooks = (hooks[::-1] if is_reversed else hooks) + [Final()]
        with contextlib.suppress(ZeroDivisionError), self.scope():
            with self.setup.session(hooks, folder) as session:
                for number in range(1, 2 * RUNS):
                    if session.should_stop() or (number > RUNS and ending != "sigterm"):
                        break
                    if ending == "sigterm" and number == RUNS:
                        os.kill(os.getpid(), signal.SIGTERM)
                    session.run(self.setup.step)
                    if number == SAVED and ending == "again":
                        self.save(session, folder)
                if ending == "exception":
                    session.run_step_fn(
                        lambda step_context: final.update(self.read(step_context.session))
                    )
                    raise ZeroDivisionError
        return final

    def save(self, session, folder):
        (saver,) = self.v1.get_collection(self.v1.GraphKeys.SAVERS)
        path = str(folder / "model.ckpt")
        session.run_step_fn(lambda step_context: saver.save(step_context.session, path, 1))

    def check(self, ending, final):
        """The variables, and what each hook has written."""
        last = SAVED + RUNS - LOST + 1 if ending == "again" else RUNS
        is_flushed = "flush" in self.names and ending in ("well", "sigterm")
        expected = self.expected["flushed" if is_flushed else last]
        assert sorted(final) == sorted(expected)
        for name, value in expected.items():
            assert same_bits(final[name], value), name
        #: the runs whose results a record keeps: those of the lost session up to its checkpoint's
        #: step, which is that of the run after it, too
        kept = [1, 2, 3] if ending == "again" else []
        runs = kept + list(range(SAVED + 1 if kept else 1, last + 1))
        for name in self.names:
            getattr(self, f"check_{name}", lambda *_: None)(ending, runs, expected)

    def steps(self, runs):
        return [int(self.expected[run]["global_step"]) for run in runs]

    def check_flush(self, ending, runs, expected):
        saved = self.v1.train.latest_checkpoint(str(self.folder))
        count = int(expected["global_step"])
        if ending == "exception":
            assert saved is None and self.events.seen == ["begin"]
        else:
            assert saved.endswith(f"-{count}")
            assert same_bits(self.v1.train.load_variable(saved, "w"), expected["w"])
            told = [("before", count), ("after", count), ("end", count)]
            assert self.events.seen == ["begin", *told]

    def check_trace(self, ending, runs, expected):
        trace = self.hooks["trace"]
        assert trace.steps.tolist() == self.steps([0, *runs])
        for run, row in zip([0, *runs], trace["w"]):
            assert same_bits(row, self.expected[run]["w"])
        trace.to_csv(str(self.folder / "again.csv"))
        with open(str(self.folder / "again.csv")) as whole, open(
            str(self.folder / "trace.csv")
        ) as f:
            assert list(csv.reader(f)) == list(csv.reader(whole))
        assert not list(self.folder.glob("*.part"))

    def check_progress(self, ending, runs, expected):
        steps = [int(line.split()[1]) for line in self.stream.getvalue().splitlines()]
        recorded = runs if ending != "again" else [1, 2, 3, 4, 3, 4]
        assert [step for step in steps if step is not None][-2:] == self.steps(recorded)[-2:]
        assert len(steps) in (len(recorded), len(recorded) - 1)  # the lost run, by the order

    def check_summary(self, ending, runs, expected):
        started, seen = [], []
        for path in sorted((self.folder / "events").glob("events*")):
            for event in self.v1.train.summary_iterator(str(path)):
                if event.session_log.status == event.session_log.START:
                    started.append(event.step)
                seen += [(event.step, v) for v in event.summary.value if v.tag == "variables/w"]
        assert started == ([0, 1] if ending == "again" else [0])
        recorded = [step for step, _ in seen]
        assert recorded[-2:] == self.steps(runs)[-2:]
        last = seen[-1][1].histo
        assert np.isclose(last.sum, expected_sum(self.expected[runs[-1]]["w"]))


def expected_sum(value):
    return value.astype(np.float64).sum()


def lost(tf, number):
    """A hook that loses the session after that run, once, as a server that is started again."""

    class Lost(tf.compat.v1.train.SessionRunHook):
        runs = 0

        def after_run(self, run_context, run_values):
            self.runs += 1
            if self.runs == number:
                raise tf.errors.AbortedError(None, None, "gone")

    return Lost()


@pytest.mark.slow(in_ci=24)
@pytest.mark.parametrize("is_reversed", [False, True], ids=["", "reversed"])
@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("hooks", [*HOOKS, "all"])
def test_table(hooks, place, ending, is_reversed, graph, tf, v1, training, server, taken, tmp_path):
    v1.Session.reset(server.target)
    setup = Setup(tf, v1, training, place, server)
    job = Job(setup, tf, tmp_path, HOOKS if hooks == "all" else [hooks])
    final = job.run(ending, is_reversed, tmp_path)
    job.check(ending, final)
    assert not taken
    os.kill(os.getpid(), signal.SIGTERM)
    assert taken == [signal.SIGTERM]
    if place == "server" and ending != "exception":
        with v1.Session(setup.target) as other:
            left = job.read(other)
        for name, value in final.items():
            assert same_bits(left[name], value), name
    v1.Session.reset(server.target)


@pytest.mark.slow(in_ci=12)
@pytest.mark.parametrize("is_reversed", [False, True], ids=["", "reversed"])
@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("place", PLACES)
def test_averages(place, ending, is_reversed, graph, tf, v1, training, server, taken, tmp_path):
    """Each run of an evaluation reads the averages; the variables and checkpoints stay."""
    v1.Session.reset(server.target)
    setup = Setup(tf, v1, training, place, server)
    strategy = setup.strategy
    copies = list(strategy.experimental_local_results(setup.w)) if strategy else [setup.w]
    average = setup.average.average(setup.w)
    averages = list(strategy.experimental_local_results(average)) if strategy else [average]
    save = v1.train.CheckpointSaverHook(str(tmp_path), save_steps=1000)
    with setup.session([save]) as session:
        for _ in range(8):
            session.run(setup.step)
        w, expected = session.run([copies[0], averages[0]])
    assert not same_bits(w, expected)
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    hooks = [training.AverageHook(setup.average), training.PreemptionHook()]
    hooks += [lost(tf, LOST)] if ending == "again" else []
    kept = []

    def check(session):
        assert same_bits(session.run(setup.read), expected)
        kept.append(
            session.run_step_fn(
                lambda step_context: step_context.session.run([setup.read, *copies])
            )
        )

    runs = 0
    with contextlib.suppress(ZeroDivisionError):
        with setup.session(hooks[::-1] if is_reversed else hooks, tmp_path) as session:
            while not session.should_stop() and runs < RUNS:
                if ending == "sigterm" and runs == RUNS - 1:
                    os.kill(os.getpid(), signal.SIGTERM)
                    session.run(setup.read)
                    break
                check(session)
                runs += 1
            assert session.should_stop() == (ending == "sigterm")
            if ending == "exception":
                raise ZeroDivisionError
    assert len(kept) >= RUNS - 1
    for values in kept:
        assert all(same_bits(value, w) for value in values)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == files
    assert not taken
    os.kill(os.getpid(), signal.SIGTERM)
    assert taken == [signal.SIGTERM]
    if place == "server":
        with v1.Session(setup.target) as other:
            assert same_bits(other.run(setup.w), w)
    v1.Session.reset(server.target)
