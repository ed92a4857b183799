"""Edward, the probabilistic library of TF 1.2 to 1.7, as it is installed: against closed forms."""

import importlib.util
import json

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)
if importlib.util.find_spec("edward") is None:
    pytest.skip("needs edward", allow_module_level=True)

numpy = pytest.importorskip("numpy")

SCRIPT = """\
import json
import edward as ed
import numpy as np
import tensorflow as tf
from edward.models import *

given = json.load(open("given.json"))
for key in given:
    given[key] = np.array(given[key], np.float32)
found = {}
ed.set_seed(42)
session = ed.get_session()

def mixture():
    pi = Dirichlet(tf.ones(3))
    mu = Normal(0.0, 3.0, sample_shape=3)
    sigmasq = InverseGamma(1.0, 2.0, sample_shape=3)
    x = ParamMixture(pi, {"loc": mu, "scale": tf.sqrt(sigmasq)}, Normal, sample_shape=30)
    everything = [pi, mu, sigmasq, x, x.cat]
    conditionals = [ed.complete_conditional(rv, everything) for rv in (pi, mu, sigmasq, x.cat)]
    of_pi, of_mu, of_sigmasq, of_z = conditionals
    values = {pi: given["pi"], mu: given["mu"], sigmasq: given["sigmasq"], x: given["x"]}
    values[x.cat] = given["z"].astype(np.int32)
    wanted = {
        "pi": of_pi.concentration,
        "mu_loc": of_mu.loc,
        "mu_scale": of_mu.scale,
        "sigmasq_shape": of_sigmasq.concentration,
        "sigmasq_rate": of_sigmasq.parameters["rate"],
        "z": tf.nn.softmax(of_z.logits),
    }
    found.update(session.run(wanted, values))
    found["log_joint"] = session.run(tf.reduce_sum(x.log_prob(x)), values)

def regression():
    w = Normal(tf.zeros(2), tf.ones(2))
    y = Normal(ed.dot(tf.constant(given["features"]), w), tf.fill([20], 0.5))
    qw = Normal(tf.Variable([0.0, 0.0]), tf.nn.softplus(tf.Variable([0.0, 0.0])))
    inference = ed.KLqp({w: qw}, data={y: given["targets"]})
    inference.run(n_iter=400, n_samples=20, n_print=0)
    found["w_loc"], found["w_scale"] = session.run([qw.loc, qw.scale])
    again = ed.copy(y, {w: tf.constant([1.0, 2.0])})
    found["predicted"] = session.run(again.loc)
    found["itself"] = [w == w, w != w, w == qw]

mixture()
regression()
print(json.dumps({name: np.asarray(value).tolist() for name, value in found.items()}))
"""


def _given():
    draws = numpy.random.RandomState(1)
    features, _ = numpy.linalg.qr(draws.randn(20, 2))  # orthogonal: the posterior is too
    features *= 3.0
    return {
        "pi": [0.2, 0.3, 0.5],
        "mu": [-4.0, 0.0, 4.0],
        "sigmasq": [1.0, 2.0, 3.0],
        "x": (5 * draws.randn(30)).tolist(),
        "z": [0] * 6 + [1] * 11 + [2] * 13,
        "features": features.tolist(),
        "targets": (features @ [1.5, -0.5] + 0.5 * draws.randn(20)).tolist(),
    }


def _log_normal(x, loc, variance):
    return -0.5 * (x - loc) ** 2 / variance - 0.5 * numpy.log(2 * numpy.pi * variance)


def _closed_forms(given):
    pi, mu, variance, x, z, features, targets = (numpy.array(value) for value in given.values())
    counts = numpy.bincount(z)
    sums = numpy.bincount(z, x)
    squares = numpy.bincount(z, (x - mu[z]) ** 2)
    precision = 1 / 9.0 + counts / variance
    each = numpy.log(pi) + _log_normal(x[:, None], mu, variance)
    likely = numpy.exp(each - each.max(1, keepdims=True))
    of_w = features.T @ features / 0.25 + numpy.eye(2)
    return {
        "pi": 1.0 + counts,
        "mu_loc": sums / variance / precision,
        "mu_scale": precision**-0.5,
        "sigmasq_shape": 1.0 + counts / 2.0,
        "sigmasq_rate": 2.0 + squares / 2.0,
        "z": likely / likely.sum(1, keepdims=True),
        "log_joint": _log_normal(x, mu[z], variance[z]).sum(),
        "w_loc": numpy.linalg.solve(of_w, features.T @ targets / 0.25),
        "w_scale": numpy.diag(of_w) ** -0.5,
        "predicted": features @ [1.0, 2.0],
        "itself": [True, False, False],
    }


#: What variational inference has found after 400 steps is near; all else is exact.
TOLERANCES = {"w_loc": 0.05, "w_scale": 0.05}


def test_edward_gives_the_closed_forms(tf1_run, tmp_path):
    """Conjugate conditionals, log-probabilities, copies, and a fitted posterior."""
    given = _given()
    (tmp_path / "given.json").write_text(json.dumps(given))
    (tmp_path / "script.py").write_text(SCRIPT)
    result = tf1_run("--v1-package", "edward", "--report", "script.py")
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout.splitlines()[-1])
    for name, wanted in _closed_forms(given).items():
        tolerance = TOLERANCES.get(name, 1e-4)
        numpy.testing.assert_allclose(found[name], wanted, tolerance, tolerance, err_msg=name)
    for row in ("Tensor.OVERLOADABLE_OPERATORS", "Operation.type", "Operation._add_input"):
        assert f"  tensorflow.{row}  " in result.stderr
