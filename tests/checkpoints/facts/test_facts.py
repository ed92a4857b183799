"""What no tensor says is read from the files beside it, and every target asks the same."""

import importlib.util
import pathlib
import shutil

import numpy as np
import pytest

from tfgraphtools import checkpoints
from tfgraphtools.checkpoints.facts import known
from tfgraphtools.checkpoints.matching import tensor_units
from tfgraphtools.errors import ArgumentError, NothingMatchedError, PlanError, UnmatchedError

pytestmark = pytest.mark.once  # the targets need Keras 3 or PyTorch

SCRIPT = pathlib.Path(__file__).with_name("tf1_cells.py")
#: Where the facts are: the .meta beside the checkpoint, a frozen graph that is the source or is
#: passed, a SavedModel, an option, or nowhere.
SAID = ["meta", "frozen", "graph", "saved_model", "option", "nothing"]


def load_script():
    spec = importlib.util.spec_from_file_location("tf1_cells", str(SCRIPT))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def folder(tmp_path_factory, tf1_server):
    """The folder in which TF 1.15 has left its checkpoints."""
    folder = tmp_path_factory.mktemp("facts")
    tf1_server.run(folder, SCRIPT, folder).checked()
    return folder


@pytest.fixture
def source(folder, tmp_path):
    """A function of a case and where its facts are: (what to convert, options)."""

    def of(case, where):
        if where == "frozen":
            return str(folder / (case + ".pb")), {}
        if where == "meta":
            return str(folder / (case + ".ckpt")), {}
        if where == "saved_model":
            return str(folder / case), {}
        for path in folder.glob(case + ".ckpt.*"):
            if path.suffix != ".meta":
                shutil.copy(str(path), str(tmp_path))
        options = {"graph": str(folder / (case + ".pb"))} if where == "graph" else {}
        if where == "option":
            options = dict(OPTIONS.get(case, {}))
        return str(tmp_path / (case + ".ckpt")), options

    return of


@pytest.fixture
def eager():
    pytest.importorskip("keras", "3", reason="Keras 3 needs TF 2.16 or newer")
    from tensorflow.python.eager import context

    with context.eager_mode():
        yield


def keras_layer(keras, case):
    """The layer that computes a case."""
    layers, options = keras.layers, {"return_sequences": True}
    activation = {"activation": "relu"} if case.endswith("-relu") else {}
    if case == "bidirectional":
        return layers.Bidirectional(layers.LSTM(4, **options))
    if case == "gru-both":
        return layers.Bidirectional(layers.GRU(4, reset_after=False, **options))
    if case in ("compatible-gru", "keras-gru-after"):
        return layers.GRU(4, reset_after=True, **options)
    if "gru" in case:
        return layers.GRU(4, reset_after=False, **activation, **options)
    if case == "residual":
        return layers.LSTM(5, **options)
    if case.startswith(("rnn", "keras-rnn")):
        return layers.SimpleRNN(4, **activation, **options)
    if case.startswith(("bn", "h5-bn")):
        return layers.BatchNormalization(epsilon=0.01, scale=case != "bn-no-scale")
    if case == "layer-norm":
        return layers.LayerNormalization(epsilon=1e-12)
    return layers.LSTM(4, **activation, **options)


def torch_layer(torch, case):
    if "gru" in case:
        return torch.nn.GRU(5, 4, batch_first=True, bidirectional=case == "gru-both")
    if case.startswith("stacked"):
        return torch.nn.LSTM(5, 4, 2, batch_first=True)
    if case == "residual":
        return torch.nn.LSTM(5, 5, batch_first=True)
    if case.startswith(("rnn", "keras-rnn")):
        nonlinearity = "relu" if case.endswith("relu") else "tanh"
        return torch.nn.RNN(5, 4, batch_first=True, nonlinearity=nonlinearity)
    if case.startswith("bn"):
        return torch.nn.BatchNorm1d(5, eps=0.01).eval()
    if case == "layer-norm":
        return torch.nn.LayerNorm(5, eps=1e-12)
    return torch.nn.LSTM(5, 4, batch_first=True, bidirectional=case == "bidirectional")


def with_keras(name):
    def convert(case, source, options):
        keras = pytest.importorskip(name)
        layers = [keras_layer(keras, case)]
        if case.startswith("stacked"):
            layers.append(keras_layer(keras, case))
        if case in ("projected", "cut-projection"):
            layers.append(keras.layers.Dense(3, use_bias=False))
        model = keras.Sequential([keras.Input((7, 5)), *layers])
        plan = checkpoints.to_keras(source, model, **options)
        return plan, np.asarray(model(load_script().inputs()))

    return convert


def with_torch(case, source, options):
    torch = pytest.importorskip("torch")
    layer = torch_layer(torch, case)
    plan = checkpoints.to_torch(source, layer, **options)
    x = torch.from_numpy(load_script().inputs())
    with torch.no_grad():
        if case.startswith("bn"):
            return plan, layer(x.transpose(1, 2)).transpose(1, 2).numpy()
        output = layer(x)
    return plan, (output[0] if isinstance(output, tuple) else output).numpy()


TARGETS = {"keras": with_keras("keras"), "tf_keras": with_keras("tf_keras"), "torch": with_torch}

#: {case: (targets that have such a layer, what is said if there is no graph)}: the option that an
#: error names, or the option of a note on what the target's own layer says.
ASKED, ASKED_GATES = "error: --forget-bias", "error: --fact"
NOTED = "note: --meta"
CASES = {
    "basic": (TARGETS, ASKED),
    "basic-bias-0": (TARGETS, ASKED),
    "basic-relu": (["keras", "tf_keras"], ASKED),
    "named": (TARGETS, ASKED),
    "named-bias": (TARGETS, ASKED),
    "block": (TARGETS, ASKED),
    "fused": (TARGETS, ASKED),
    "static": (TARGETS, ASKED),
    "bidirectional": (TARGETS, ASKED),
    "gru": (["keras", "tf_keras"], NOTED),
    "gru-relu": (["keras", "tf_keras"], NOTED),
    "rnn-relu": (TARGETS, NOTED),
    "bn": (TARGETS, NOTED),
    "bn-no-scale": (TARGETS, NOTED),
    "bn-fused": (TARGETS, NOTED),
    "layer-norm": (TARGETS, NOTED),
    "compatible-lstm": (TARGETS, NOTED),
    "compatible-gru": (TARGETS, NOTED),
    "gru-block": (["keras", "tf_keras"], NOTED),
    "gru-named": (["keras", "tf_keras"], NOTED),
    "gru-both": (["keras", "tf_keras"], NOTED),
    "rnn-named": (TARGETS, NOTED),
    "projected": (["keras", "tf_keras"], ASKED),
    "stacked": (TARGETS, ASKED),
    "stacked-named": (TARGETS, ASKED),
    "residual": (TARGETS, ASKED),
    "keras-lstm": (TARGETS, ASKED_GATES),
    "keras-gru": (["keras", "tf_keras"], ASKED_GATES),
    "keras-gru-after": (TARGETS, ASKED_GATES),
    "keras-rnn-relu": (TARGETS, NOTED),
}
#: {case: the options that say what no file does}
OPTIONS = {
    case: {"forget_bias": value}
    for case, value in {
        "basic": 1.0,
        "basic-bias-0": 0.0,
        "basic-relu": 1.0,
        "named": 1.0,
        "named-bias": 0.3,
        "block": 0.25,
        "fused": 0.25,
        "static": 0.0,
        "bidirectional": {".*/left": 0.5, ".*/right": 1.0},
        "projected": 0.3,
        "stacked": {".*cell_0/.*": 0.3, ".*cell_1/.*": 0.6},
        "stacked-named": {".*first": 0.3, ".*second": 0.6},
        "residual": 0.3,
    }.items()
}
OPTIONS.update(
    (case, {"facts": {".*": {"recurrent_activation": "sigmoid"}}})
    for case in ("keras-lstm", "keras-gru", "keras-gru-after")
)
#: {case: (targets, whether no graph is needed to refuse it, what is said)}
REFUSED = {
    "peepholes": (TARGETS, True, "peepholes"),
    "peepholes-block": (TARGETS, True, "peepholes"),
    "peepholes-named": (TARGETS, True, "w_f_diag"),
    "cut": (TARGETS, False, "cut at 0.2"),
    "cut-block": (TARGETS, False, "cut at 0.2"),
    "cut-projection": (["keras", "tf_keras"], False, "cut at 0.1"),
    "layer-norm-lstm": (TARGETS, True, "which neither Keras nor PyTorch has"),
    "nas": (TARGETS, True, "nas_cell"),
    "keras-lstm-hard": (["keras", "torch"], False, "hard_sigmoid"),
    "gru-named": (["torch"], True, "reset gate comes before"),
    "gru-block": (["torch"], True, "reset gate comes before"),
    "gru-both": (["torch"], True, "reset gate comes before"),
    "keras-gru": (["torch"], True, "reset gate comes before"),
    "projected": (["torch"], True, "projected lstm"),
}
#: Keras's frozen graphs have a constant of their own that is called Const.
KERAS_GRAPHS = ("keras-lstm", "keras-lstm-hard", "keras-gru", "keras-gru-after", "keras-rnn-relu")
ROWS = [(case, target, where) for case in CASES for target in CASES[case][0] for where in SAID]
#: Those that the suite always runs.
OFTEN = ("named-bias", "basic-relu", "bn")


@pytest.mark.costly(in_ci=20)
@pytest.mark.parametrize(
    "case, target, where",
    [
        pytest.param(*row, id="-".join(row), marks=[] if row[0] in OFTEN else pytest.mark.slow)
        for row in ROWS
    ],
)
def test_outputs_are_those_of_tf1_or_somebody_says_why(eager, source, folder, case, target, where):
    path, options = source(case, where)
    kind, option = CASES[case][1].split(": ")
    if kind == "error" and where == "nothing":
        with pytest.raises(PlanError, match=option):
            TARGETS[target](case, path, options)
        return
    if case in KERAS_GRAPHS and where == "frozen":
        options["drop"] = ["Const.*"]
    plan, output = TARGETS[target](case, path, options)
    with np.load(str(folder / "outputs.npz")) as outputs:
        expected = outputs[case]
    if case == "residual":  # the wrapper adds its input
        expected = expected - load_script().inputs()
    np.testing.assert_allclose(output, expected, rtol=0, atol=2e-6)
    notes = [note for note in plan.notes if "no file says" in note]
    if kind == "note" and where in ("nothing", "option"):
        assert any(option in note for note in notes), plan.notes
    elif where != "option":  # which leaves the activations to the layer
        assert not notes, plan.notes


REFUSED_ROWS = [
    (case, target, where)
    for case, (targets, is_by_name, _) in REFUSED.items()
    for target in targets
    for where in SAID
    if where not in ("nothing", "option") or is_by_name
]


@pytest.mark.parametrize(
    "case, target, where",
    [
        pytest.param(
            *row,
            id="-".join(row),
            marks=[] if row[0] == "cut" and row[2] == "meta" else pytest.mark.slow,
        )
        for row in REFUSED_ROWS
    ],
)
def test_what_no_layer_computes_is_refused(eager, source, case, target, where):
    path, options = source(case, where)
    if case in KERAS_GRAPHS and where == "frozen":
        options["drop"] = ["Const.*"]
    with pytest.raises((PlanError, UnmatchedError), match=REFUSED[case][2]):
        TARGETS[target](case, path, options)


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_an_option_answers(eager, source, folder, target):
    path, _ = source("named-bias", "nothing")
    _, output = TARGETS[target]("named-bias", path, {"forget_bias": 0.3})
    with np.load(str(folder / "outputs.npz")) as outputs:
        np.testing.assert_allclose(output, outputs["named-bias"], rtol=0, atol=2e-6)


def test_a_cell_that_adds_no_forget_bias_takes_none(eager, source):
    path, _ = source("compatible-lstm", "nothing")
    with pytest.raises(PlanError, match="0, as in TF 1's CudnnCompatibleLSTMCell.*got 1"):
        TARGETS["keras"]("compatible-lstm", path, {"forget_bias": 1.0})


@pytest.mark.parametrize("target", sorted(TARGETS))
@pytest.mark.parametrize(
    "case, layer, options, words",
    [
        pytest.param("named", "named", {"forget_bias": 0.0}, "1, as in .*meta.*got 0", id="option"),
        pytest.param("basic-relu", "basic", {}, "activation is relu in .*meta", id="activation"),
        pytest.param("other-order", "named", {}, "gates in another order", id="gates"),
    ],
)
def test_what_contradicts_a_file_is_refused(eager, source, case, layer, options, words, target):
    path, _ = source(case, "meta")
    with pytest.raises(PlanError, match=words):
        TARGETS[target](layer, path, options)


def test_another_epsilon_is_refused(eager, source):
    torch = pytest.importorskip("torch")
    path, _ = source("bn", "meta")
    with pytest.raises(PlanError, match="build it with 0.01"):
        checkpoints.to_torch(path, torch.nn.BatchNorm1d(5))
    path, _ = source("bn", "nothing")
    plan = checkpoints.to_torch(path, torch.nn.BatchNorm1d(5))
    assert any("no file says it" in note for note in plan.notes)


@pytest.mark.parametrize("where", ["meta", "graph"])
def test_the_way_back_asks_the_same(eager, source, folder, tmp_path, where):
    torch = pytest.importorskip("torch")
    layer = torch_layer(torch, "named-bias")
    checkpoints.to_torch(str(folder / "named-bias.ckpt"), layer)
    path, options = source("named-bias", where)
    plan = checkpoints.to_tf1(layer, str(tmp_path / "back"), path, **options)
    file = options.get("graph", path + ".meta")
    assert plan.notes == [f"the module: forget bias 0.3 ({file})"]
    assert not checkpoints.diff(str(tmp_path / "back"), str(folder / "named-bias.ckpt"))
    path, _ = source("named-bias", "nothing")
    with pytest.raises(PlanError, match="--forget-bias"):
        checkpoints.to_tf1(layer, str(tmp_path / "again"), path)


CELLS = ["keras-lstm", "keras-gru-after"]


@pytest.mark.parametrize("target", sorted(TARGETS))
@pytest.mark.parametrize("case", [CELLS[0], pytest.param(CELLS[1], marks=pytest.mark.slow)])
def test_a_fact_is_said(eager, source, folder, case, target):
    path, _ = source(case, "nothing")
    told = {"facts": {".*": {"recurrent_activation": "sigmoid"}}}
    plan, output = TARGETS[target](case, path, told)
    assert ("recurrent_activation", "sigmoid", "as you say") in [fact[1:] for fact in plan.facts]
    with np.load(str(folder / "outputs.npz")) as outputs:
        np.testing.assert_allclose(output, outputs[case], rtol=0, atol=2e-6)
    told["facts"][".*"]["recurrent_activation"] = "hard_sigmoid"
    if target != "tf_keras":  # whose layer could have it, and has sigmoid
        with pytest.raises(PlanError, match="recurrent_activation is hard_sigmoid in as you say"):
            TARGETS[target](case, path, told)
    path, _ = source(case, "meta")
    with pytest.raises(PlanError, match="sigmoid, as in .*meta.*--fact"):
        TARGETS[target](case, path, told)
    with pytest.raises(ArgumentError, match="a question: activation"):
        TARGETS[target](case, path, {"facts": {".*": {"gates": "i"}}})
    with pytest.raises(NothingMatchedError):
        TARGETS[target](case, path, {"facts": {"none": {"epsilon": 1.0}}})


@pytest.mark.parametrize("package", ["keras", "tf_keras"])
@pytest.mark.parametrize(
    "case, error",
    [
        ("h5-lstm", "recurrent_activation is hard_sigmoid in .*h5"),
        ("h5-lstm-sigmoid", None),
        ("h5-bn", None),
    ],
)
def test_a_file_of_keras_says_how_its_layers_compute(eager, folder, package, case, error):
    path = str(folder / (case + ".h5"))
    if error:
        with pytest.raises(PlanError, match=error):
            with_keras(package)(case, path, {})
        return
    plan, output = with_keras(package)(case, path, {})
    assert plan.notes == []
    with np.load(str(folder / "outputs.npz")) as outputs:
        np.testing.assert_allclose(output, outputs[case], rtol=0, atol=2e-6)


def test_a_hard_sigmoid_of_keras_2_stays_one(eager, folder):
    keras = pytest.importorskip("tf_keras")
    layer = keras.layers.LSTM(4, return_sequences=True, recurrent_activation="hard_sigmoid")
    model = keras.Sequential([keras.Input((7, 5)), layer])
    plan = checkpoints.to_keras(str(folder / "h5-lstm.h5"), model)
    assert plan.notes == []
    with np.load(str(folder / "outputs.npz")) as outputs:
        output = np.asarray(model(load_script().inputs()))
        np.testing.assert_allclose(output, outputs["h5-lstm"], rtol=0, atol=2e-6)


def test_a_saved_model_says_how_its_cell_computes(eager, folder):
    for path in ("named-bias", "named-bias/saved_model.pb", "named-bias/variables/variables"):
        _, output = TARGETS["keras"]("named-bias", str(folder / path), {})
        with np.load(str(folder / "outputs.npz")) as outputs:
            np.testing.assert_allclose(output, outputs["named-bias"], rtol=0, atol=2e-6)


def test_which_file_says_it(folder):
    for case, names, value in [
        ("named-bias", ["rnn/encoder/kernel", "rnn/encoder/bias"], 0.3),
        ("static", ["rnn/basic_lstm_cell/kernel", "rnn/basic_lstm_cell/bias"], 0.0),
    ]:
        with checkpoints.open_checkpoint(str(folder / (case + ".ckpt"))) as ckpt:
            (unit,) = tensor_units.find(names)
            fact = known.beside(ckpt).facts(unit.name, unit.leaves)["forget_bias"]
        assert abs(fact.value - value) < 1e-6
        assert fact.source == str(folder / (case + ".ckpt.meta"))


def live_model(package, case, activation):
    """A model of Keras whose layer may compute otherwise than the file says."""
    keras = pytest.importorskip(package)
    if case == "h5-bn":
        layer = keras.layers.BatchNormalization(epsilon=activation)
    else:
        layer = keras.layers.LSTM(4, return_sequences=True, recurrent_activation=activation)
    return keras.Sequential([keras.Input((7, 5)), layer])


@pytest.mark.parametrize("package", ["keras", "tf_keras"])
@pytest.mark.parametrize(
    "case, built, error",
    [
        ("h5-lstm", "sigmoid", "recurrent_activation is hard_sigmoid in .*h5"),
        ("h5-lstm-sigmoid", "sigmoid", None),
        ("h5-bn", 0.01, None),
        ("h5-bn", 0.001, "epsilon is 0.01 in .*h5"),
    ],
)
def test_a_live_object_is_asked(eager, folder, tmp_path, package, case, built, error):
    model = live_model(package, case, built)
    path = str(folder / (case + ".h5"))
    if error:
        with pytest.raises(PlanError, match=error):
            checkpoints.to_object_based(path, str(tmp_path / "out"), live=model)
        return
    checkpoints.to_object_based(path, str(tmp_path / "out"), live=model)
    import tensorflow as tf

    tf.train.Checkpoint(model).restore(str(tmp_path / "out")).assert_existing_objects_matched()
    with np.load(str(folder / "outputs.npz")) as outputs:
        output = np.asarray(model(load_script().inputs()))
        np.testing.assert_allclose(output, outputs[case], rtol=0, atol=2e-6)


@pytest.mark.parametrize("case", ["named", "gru", "basic"])
def test_a_cell_in_an_object_is_refused_with_the_way(eager, folder, tmp_path, case):
    keras = pytest.importorskip("keras")
    model = keras.Sequential([keras.Input((7, 5)), keras_layer(keras, case)])
    with pytest.raises(NothingMatchedError, match="--to keras"):
        path = str(folder / (case + ".ckpt"))
        checkpoints.to_object_based(path, str(tmp_path / "out"), live=model)


def test_objects_that_are_not_live_get_notes(eager, folder, tmp_path):
    import tensorflow as tf

    model = live_model("keras", "h5-lstm", "sigmoid")
    like = tf.train.Checkpoint(model).write(str(tmp_path / "like"))
    with checkpoints.open_checkpoint(str(folder / "h5-lstm.h5")) as ckpt:
        plan = checkpoints.plan_object_based(ckpt, like=like)
    assert any("recurrent_activation='hard_sigmoid'" in note for note in plan.notes), plan.notes
