"""Models of TF 1.15 and what it computed with them, made once for this folder."""

import importlib.util
import pathlib

import numpy as np
import pytest

MAKER = pathlib.Path(__file__).with_name("tf1_models.py")


@pytest.fixture(scope="session")
def torch():
    return pytest.importorskip("torch")


@pytest.fixture(scope="session")
def build_model(torch):
    """A function of a name in `torch_models`, and names of `torch.nn`, that gives a model."""
    spec = importlib.util.spec_from_file_location(
        "torch_models", str(MAKER.with_name("torch_models.py"))
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def of(name, *arguments):
        torch.manual_seed(0)
        return getattr(module, name)(
            *[getattr(torch.nn, argument) for argument in arguments]
        ).eval()

    return of


@pytest.fixture(scope="session")
def tf1_models(tmp_path_factory, tf1_server):
    """A function of a model's name that gives (checkpoint prefix, {name: array})."""
    folder = tmp_path_factory.mktemp("tf1_models")
    tf1_server.run(folder, MAKER, folder).checked()

    def of(name):
        if not (folder / name).exists():
            pytest.skip(f"the package of {name} is not installed beside TF 1.15")
        with np.load(str(folder / name / "arrays.npz")) as arrays:
            return str(folder / name / "model.ckpt-20"), dict(arrays)

    return of
