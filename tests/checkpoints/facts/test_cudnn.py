"""Networks of cuDNN in Keras and PyTorch: exact, from every file that has them, and back."""

import importlib.util
import pathlib

import numpy as np
import pytest

from tfgraphtools import checkpoints
from tfgraphtools.errors import PlanError, UnmatchedError

SCRIPT = pathlib.Path(__file__).with_name("tf1_cudnn.py")
specification = importlib.util.spec_from_file_location("tf1_cudnn", str(SCRIPT))
tf1_cudnn = importlib.util.module_from_spec(specification)
specification.loader.exec_module(tf1_cudnn)

INPUTS = tf1_cudnn.inputs()
PACKAGES = ("keras", "tf_keras", "torch")
#: {case: (mode, layers, directions)}
CASES = {
    case: (mode, 1, 1 + is_bidirectional)
    for case, (mode, is_bidirectional) in tf1_cudnn.LAYERS.items()
}
CASES.update(
    (case, ("LSTM" if gates == 4 else "GRU", layers, directions))
    for case, (gates, layers, directions) in tf1_cudnn.NETWORKS.items()
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory, tf1_server):
    """The folder in which TF 1.15 has left its checkpoints."""
    folder = tmp_path_factory.mktemp("cudnn")
    tf1_server.run(folder, SCRIPT, folder).checked()
    return folder


@pytest.fixture(autouse=True)
def eager():
    pytest.importorskip("keras", "3", reason="Keras 3 needs TF 2.16 or newer")
    from tensorflow.python.eager import context

    with context.eager_mode():
        yield


def build(package, mode, layers, directions, reset_after=True):
    """A network of random weights."""
    library = pytest.importorskip(package)
    if package == "torch":
        is_bidirectional, cell = directions == 2, getattr(library.nn, mode)
        return cell(INPUTS.shape[2], 4, layers, batch_first=True, bidirectional=is_bidirectional)
    options = {"reset_after": reset_after} if mode == "GRU" else {}
    layers_made = [
        getattr(library.layers, mode)(4, return_sequences=True, **options) for _ in range(layers)
    ]
    if directions == 2:
        layers_made = [library.layers.Bidirectional(layer) for layer in layers_made]
    return library.Sequential([library.Input(INPUTS.shape[1:]), *layers_made])


def convert(path, network):
    is_torch = hasattr(network, "state_dict")
    return (checkpoints.to_torch if is_torch else checkpoints.to_keras)(str(path), network)


def output(network):
    if not hasattr(network, "state_dict"):
        return np.asarray(network(INPUTS))
    import torch

    with torch.no_grad():
        return network(torch.from_numpy(INPUTS))[0].numpy()


FILES = [
    (case, end) for case in tf1_cudnn.LAYERS for end in (".h5", ".weights.h5", ".ckpt", "-object")
]
FILES += [(case, ".pb") for case in tf1_cudnn.NETWORKS]


@pytest.mark.slow
@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("case, end", [pytest.param(*row, id="".join(row)) for row in FILES])
def test_outputs(folder, case, end, package):
    network = build(package, *CASES[case])
    plan = convert(folder / (case + end), network)
    assert not any("no file says" in note for note in plan.notes), plan.notes
    with np.load(str(folder / "outputs.npz")) as outputs:
        np.testing.assert_allclose(output(network), outputs[case], rtol=0, atol=1e-6)
    if package != "torch":
        assert all(row.sources for row in plan.rows())


@pytest.mark.slow
@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("case", sorted(tf1_cudnn.LAYERS))
def test_there_and_back(folder, tmp_path, case, package):
    network, again = build(package, *CASES[case]), build(package, *CASES[case])
    convert(folder / (case + ".ckpt"), network)
    checkpoints.to_tf1(network, str(tmp_path / "back"), str(folder / (case + ".ckpt")))
    convert(tmp_path / "back", again)
    np.testing.assert_array_equal(output(network), output(again))
    if package == "torch":  # which has cuDNN's two biases
        assert not checkpoints.diff(str(tmp_path / "back"), str(folder / (case + ".ckpt")))


@pytest.mark.slow
@pytest.mark.parametrize(
    "file, mode, reset_after, says",
    [
        ("keras-lstm.h5", "GRU", True, "the weights of a CuDNNLSTM"),
        ("keras-gru.ckpt", "LSTM", True, "the weights of a CuDNNGRU"),
        ("keras-gru.ckpt", "GRU", False, "reset_after is True in cuDNN"),
        ("computed-state.pb", "LSTM", True, "the graph does not say its units and layers"),
        ("another-size.pb", "LSTM", True, "which 1 layers of 4 units do not have"),
        ("another-mode.pb", "LSTM", True, "only lstm and gru are converted"),
    ],
)
def test_refused(folder, file, mode, reset_after, says):
    network = build("keras", mode, 1, 1, reset_after)
    with pytest.raises(UnmatchedError, match=says):
        convert(folder / file, network)


def test_a_network_in_one_array_needs_its_graph(tmp_path):
    parameters, _ = tf1_cudnn.network(4, 1, 1)
    np.savez(str(tmp_path / "m.npz"), **{"cudnn/opaque_kernel": parameters})
    with pytest.raises(UnmatchedError, match="pass it .graph=, --meta"):
        convert(tmp_path / "m.npz", build("keras", "LSTM", 1, 1))


@pytest.mark.parametrize("case", sorted(tf1_cudnn.LAYERS))
def test_layers_of_keras_without_tf1(tmp_path, case):
    """The arrays of a layer of Keras are those of the network in one array, by its source."""
    mode, layers, directions = CASES[case]
    gates = {"LSTM": 4, "GRU": 3}[mode]
    parameters, expected = tf1_cudnn.network(gates, layers, directions)
    order = [0, 1, 2, 3] if mode == "LSTM" else [1, 0, 2]  # z, r, h of r, z, h
    arrays, place = {}, 0
    scopes = ["cu_dnn"] if directions == 1 else ["both/forward_cu_dnn", "both/backward_cu_dnn"]
    for scope in scopes:
        for role, rows in (("kernel", 3), ("recurrent_kernel", 4)):
            cut = parameters[place : place + gates * 4 * rows].reshape(gates, -1)[order]
            # Keras reshapes a gate's columns of its kernel to cuDNN's matrix.
            columns = [matrix.reshape(rows, 4) for matrix in cut]
            arrays[f"{scope}/{role}"] = np.concatenate(columns, axis=1)
            place += gates * 4 * rows
    for scope in scopes:
        cut = parameters[place : place + 2 * gates * 4].reshape(2, gates, 4)[:, order]
        arrays[scope + "/bias"] = cut.reshape(-1)
        place += 2 * gates * 4
    np.savez(str(tmp_path / "m.npz"), **arrays)
    for package in PACKAGES:
        network = build(package, mode, layers, directions)
        convert(tmp_path / "m.npz", network)
        np.testing.assert_allclose(output(network), expected, rtol=0, atol=1e-6)


def test_a_forget_bias_contradicts_cudnn(tmp_path):
    arrays = {"a/kernel": (3, 16), "a/recurrent_kernel": (4, 16), "a/bias": (32,)}
    arrays = {name: np.zeros(shape, np.float32) for name, shape in arrays.items()}
    np.savez(str(tmp_path / "m.npz"), **arrays)
    with pytest.raises(PlanError, match="0, as in cuDNN"):
        checkpoints.to_keras(str(tmp_path / "m.npz"), build("keras", "LSTM", 1, 1), forget_bias=1.0)
