"""What every test of a graph needs: a graph of its own, under both kinds of variable.

The suite is the same under TF 1.15 and TF 2.x. On TF 2.x eager execution is
off for the whole process; a test that needs it on runs in a process of its own.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import durations  # noqa: E402
import hung_tests  # noqa: E402
import pytest  # noqa: E402
import selection  # noqa: E402

import forks  # noqa: E402
from tfgraphtools.compat import tf_version  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent

#: What `run` refuses, its tests cannot show: TF 2.0 to 2.15.
IS_REFUSED = (2, 0) <= (tf_version.tensorflow_version() or (0, 0)) < tf_version.OLDEST
collect_ignore = ["compat", "runner", "tf1", "test_runner.py"] if IS_REFUSED else []


def _untime_properties():
    """Lets no property-based test fail because the machine is slow."""
    try:
        from hypothesis import HealthCheck, settings
    except ImportError:
        return
    settings.register_profile(
        "untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.load_profile("untimed")


def pytest_addoption(parser):
    durations.pytest_addoption(parser)
    parser.addoption("--all", action="store_true", help="also the tests marked slow")
    parser.addoption("--whole", action="store_true", help="all cases of all tests (hours)")
    parser.addoption(
        "--quick", action="store_true", help="the first case of each test marked quick"
    )
    parser.addoption(
        "--waiting",
        choices=["only", "without"],
        help="the files that wait more than they compute, or the others",
    )


def pytest_configure(config):
    durations.register(config)
    _untime_properties()
    hung_tests.register(config, config.getoption("--whole"))
    if config.getoption("--whole"):
        for name, value in selection.WHOLE_SWITCHES.items():
            os.environ.setdefault(name, value)
    for line in (
        "slow(in_ci=2): only with --all, and so many cases of a test, or named with ::",
        "twin: the kind that TensorFlow does not use by default; with --all in each second week",
        "costly(in_ci=12): has many cases that cost much, of which so many run",
        "quick: its first case is part of --quick",
        "once: does not depend on TensorFlow, and runs on TF 2 alone",
    ):
        config.addinivalue_line("markers", line)


IS_TF1_PYTHON = sys.version_info < (3, 8)

#: Files of which no test runs: to import all takes half a minute.
_ONCE = re.compile(r"^pytestmark = .*mark\.once", re.MULTILINE)


def pytest_ignore_collect(collection_path, config):
    """Leaves out files without a test for this run; None where another plugin may say."""
    if not collection_path.match("test_*.py") or _is_named(config):
        return None
    text = collection_path.read_text(encoding="utf-8")
    is_out = config.getoption("--quick") and "mark.quick" not in text
    is_out = is_out or (IS_TF1_PYTHON and bool(_ONCE.search(text)))
    return is_out or _is_of_the_other_run(collection_path, config) or None


def _is_of_the_other_run(path, config):
    """Tells whether a file is left to the run of the other kind of ``--waiting``."""
    kind = config.getoption("--waiting")
    waits = selection.waits(path.relative_to(ROOT / "tests").as_posix())
    return kind is not None and waits != (kind == "only")


def _is_named(config):
    """Tells whether tests are named with :: on the command line: all their cases run."""
    return any("::" in argument for argument in config.args)


@pytest.hookimpl(hookwrapper=True)
def pytest_pycollect_makeitem(collector):
    """Draws the cases of a test when they are made."""
    outcome = yield
    cases = outcome.get_result()
    config = collector.config
    if _is_named(config) or not isinstance(cases, list):
        return
    outcome.force_result(selection.drawn(cases, _gate(config)))


def _gate(config):
    is_whole = config.getoption("--whole") or bool(os.environ.get("TFGRAPHTOOLS_WHOLE"))
    return selection.Gate(
        quick=config.getoption("--quick"),
        all=config.getoption("--all") or config.getoption("--whole"),
        whole=is_whole,
        week=selection.this_week(),
        is_tf1=IS_TF1_PYTHON,
    )


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """TF 2 tells the children of its process to be TF 2, and those of a test may be TF 1.15."""
    os.environ.pop("TF2_BEHAVIOR", None)


@pytest.fixture(scope="session")
def tf():
    """TensorFlow in graph mode (imported on first use: many tests need none)."""
    import tensorflow

    os.environ.pop("TF2_BEHAVIOR", None)  # as above
    tensorflow.compat.v1.disable_eager_execution()
    tensorflow.compat.v1.logging.set_verbosity(tensorflow.compat.v1.logging.ERROR)
    return tensorflow


@pytest.fixture(autouse=True)
def switches_restored():
    """Whatever a test switches on or off in TensorFlow, the next one finds as TF has it."""
    yield
    tensorflow = sys.modules.get("tensorflow")
    if tensorflow is None:
        return
    v1, is_tf2 = tensorflow.compat.v1, tensorflow.__version__.startswith("2")
    if is_tf2:  # what disable_v2_behavior() disables, but eager execution
        from tensorflow.python import tf2

        tf2.enable()
        v1.enable_v2_tensorshape()
        v1.enable_tensor_equality()
    if v1.resource_variables_enabled() != is_tf2:
        (v1.enable_resource_variables if is_tf2 else v1.disable_resource_variables)()
    if v1.control_flow_v2_enabled() != is_tf2:
        (v1.enable_control_flow_v2 if is_tf2 else v1.disable_control_flow_v2)()


@pytest.fixture
def v1(tf):
    return tf.compat.v1


@pytest.fixture
def graph(v1):
    """A fresh default graph."""
    with v1.Graph().as_default() as fresh:
        yield fresh


def _kinds(of_tf1, of_tf2):
    """Returns both values of a parameter; the one that is not TensorFlow's default is a twin."""
    default, other = (of_tf1, of_tf2) if IS_TF1_PYTHON else (of_tf2, of_tf1)
    return [default, pytest.param(other, marks=[pytest.mark.slow, pytest.mark.twin])]


@pytest.fixture(params=_kinds("ref", "resource"))
def variables(request, v1):
    """Runs the test once with ref variables and once with resource variables."""
    switch = {False: v1.disable_resource_variables, True: v1.enable_resource_variables}
    before = v1.resource_variables_enabled()
    switch[request.param == "resource"]()
    yield request.param
    switch[before]()


@pytest.fixture(params=_kinds("control-flow-v1", "control-flow-v2"))
def control_flow(request, v1):
    """Runs the test once with each kind of control flow."""
    switch = {False: v1.disable_control_flow_v2, True: v1.enable_control_flow_v2}
    before = v1.control_flow_v2_enabled()
    switch[request.param.endswith("v2")]()
    yield request.param[-2:]
    switch[before]()


@pytest.fixture
def session(graph, v1):
    """A function that initialises the variables and returns the session of the graph."""
    opened = []

    def open_session(finalize=True, config=None):
        if not opened:
            with graph.as_default():
                # In two steps: the initial value of some state reads a trained variable.
                first = v1.variables_initializer(v1.trainable_variables())
                then = v1.global_variables_initializer()
                opened.append(v1.Session(graph=graph, config=config))
                opened[0].run(first)
                opened[0].run(then)
                if finalize:
                    graph.finalize()  # a step adds no ops
        return opened[0]

    yield open_session
    for opened_session in opened:
        opened_session.close()


def _find_tf1_python():
    named = os.environ.get("TFGRAPHTOOLS_TF1_PYTHON")
    pyenv = pathlib.Path(os.environ.get("PYENV_ROOT", str(pathlib.Path.home() / ".pyenv")))
    candidates = [named] if named else [str(ROOT / ".envs" / "tf1" / "bin" / "python")]
    if not named:
        candidates += [str(path) for path in sorted(pyenv.glob("versions/3.7*/bin/python"))]
        candidates += [shutil.which("python3.7")]
    for python in filter(None, candidates):
        if os.path.exists(python):
            version = subprocess.run(
                [python, "-c", "import tensorflow; print(tensorflow.__version__)"],
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            ).stdout
            if version.startswith(b"1.15"):
                return python
    return None


@pytest.fixture(scope="session")
def tf1_python():
    """The path of a Python that has TF 1.15, the oracle of "as in TF1"."""
    python = _find_tf1_python()
    if python is None:
        pytest.skip("no Python with TF 1.15: run scripts/test, or set TFGRAPHTOOLS_TF1_PYTHON")
    return python


@pytest.fixture(scope="session")
def names_of_tf1(tf1_python, tmp_path_factory):
    """The public names of TF 1.15, outside contrib."""
    walk = ROOT / "tests" / "compat" / "fixes" / "tensorflow" / "walk_names.py"
    path = tmp_path_factory.mktemp("names") / "names.json"
    command = [tf1_python, str(walk), "tensorflow", str(path)]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return json.loads(path.read_text())


@pytest.fixture(scope="session")
def this_server():
    """Runs scripts in forks of this Python, with TensorFlow imported: a `forks.Server`."""
    server = forks.Server(sys.executable, "plain")
    yield server
    server.close()


@pytest.fixture(scope="session")
def compat_server():
    """Runs scripts under ``tfgraphtools run`` in forks of this Python: a `forks.Server`."""
    environment = {"TF_USE_LEGACY_KERAS": "1", "TF_ENABLE_ONEDNN_OPTS": "0"}
    server = forks.Server(sys.executable, "compat", environment)
    yield server
    server.close()


@pytest.fixture(scope="session")
def tf1_server(tf1_python, this_server):
    """The same with TF 1.15."""
    if os.path.samefile(os.path.dirname(tf1_python), os.path.dirname(sys.executable)):
        yield this_server
        return
    server = forks.Server(tf1_python, "plain", {"PYTHONWARNINGS": "ignore"})
    yield server
    server.close()
