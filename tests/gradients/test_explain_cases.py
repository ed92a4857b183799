"""explain_gradient against tf.gradients itself, on every family of ops and structures.

"none": tf.gradients returns None or raises; "zero": it returns zeros in every
run; "live": anything else. Where no gradient comes back, the cause is checked, too.
"""

import explain_cases
import explain_structures
import numpy as np
import pytest

pytestmark = pytest.mark.quick

#: What must be named, for the cases where no gradient comes back: the first blocker.
CAUSES = {
    "returned zeros": "sign sign-dyn mul0 mulzeroslike bn-mean slogdet-sign cg-zero cg-capture-zero"
    " ov-zero cond-sign while-sign fn-nested pt-scale0 stop+sign",
    "dtype": "truncdiv intcast int64 bool argmax argmin topk-idx argsort where-idx bitcast bitcast2"
    " onehot gather-idx bucketize searchsorted histogram equal count_nonzero logical multinomial"
    " in_top_k nms set unique-count as_string hash serialize maxpool_idx matrix_rank dequantize"
    " reduce_any sparse-xent invert_perm confusion while-int map_fn-int emb-ids",
    "returned None": "floordiv rint ceil betainc zeta-x polygamma-n pad-const cg-capture-none"
    " cg-two-one-none ov-none cond-floor cond-nested-floor cond-two-out while-floor while-two-ph"
    " while-invariant-floor while-nested-floor while-cond-floor ta-loop-floor map_fn-floor fn-floor"
    " fn-two defun-floor sum-of-dead",
    "unregistered": "mod-trunc sparse-max setdiff unique resize_area adjust_hue adjust_contrast lu"
    " logm poisson guarantee mixed-unreg",
    "not differentiable": "sparse-concat hsv2rgb draw extract_glimpse ctc_decode range"
    " pyfunc numpy_func fn-pyfunc",
    "stopped": "complex-stop xent-v1-labels stop-only while-stop",
    "gradient error": "prevent cg-raises",
    "condition": "where-cond cond-pred cond-pred2 switch_case-idx while-cond-on-x while-counter-x",
    "back_prop=False": "while-nobp map_fn-nobp",
    "overwritten": "while-overwrite foldl-init",
    "no iteration": "while-invariant-zero",
    "never taken": "cond-const-dead",
    "stored": "queue dataset dataset-map table stage accumulator batch",
    "assign": "assign assign-out",
    "second order of a v1 loop": "grad-of-while",
    "shape": "size rank shape-dyn",
    "dtype of y": "complex-y",
    "control edge": "control",
    "disconnected": "disconnected zeros_like sparse-dense-shape second-linear",
}
CAUSE_OF = {name: cause for cause, names in CAUSES.items() for name in names.split()}

#: The op that is at fault, where it is not the one that a reader would look at first.
BLAMED = {
    "argmax": "ArgMax",
    "argsort": "TopKV2",
    "gather-idx": "ArgMax",
    "sparse-xent": "ArgMax",
    "onehot": "ArgMax",
    "emb-ids": "Cast",
    "sign": "Sign",
    "mul0": "Mul",
    "cond-sign": "Sign",
    "fn-nested": "Sign",
    "cg-capture-none": "IdentityN",
    "ov-none": "Floor",
    "mixed-unreg": "Unique",
    "map_fn-floor": "Floor",
    "fn-two": "Floor",
    "defun-floor": "Floor",
}


def _by_tf(tf, v1, y, x):
    """The verdict of tf.gradients, from its values at several x."""
    try:
        (gradient,) = v1.gradients(y, x)
    except Exception:  # pylint: disable=broad-except  # whatever a gradient function raises
        return "none"
    if gradient is None:
        return "none"
    gradient, random = tf.convert_to_tensor(gradient), np.random.RandomState(0)
    initialize = v1.global_variables_initializer()
    with v1.Session() as session:
        session.run(initialize)
        points = [{}] + [{x: random.randn(4).astype("f") + 0.1} for _ in range(3)]
        points += [{turns: 0} for turns in _turns(y.graph)]
        try:
            live = any(np.any(session.run(gradient, point) != 0) for point in points)
        except Exception:  # pylint: disable=broad-except  # the CPU has no kernel for some
            return "live"
    return "live" if live else "zero"


def _turns(graph):
    """Numbers of iterations that a run may feed."""
    fed = [op for op in graph.get_operations() if op.type == "PlaceholderWithDefault"]
    return [op.outputs[0] for op in fed if op.outputs[0].dtype.name == "int32"]


def _check(tf, v1, gradients, name, build):
    v1.set_random_seed(4)  # weights drawn anew could leave a relu dead at all points
    x = v1.placeholder_with_default(np.float32([0.3, -0.7, 1.2, 0.9]), [4], name="x")
    try:
        y = tf.convert_to_tensor(build(tf, v1, x))
    except Exception as error:  # pylint: disable=broad-except  # not in every TensorFlow
        pytest.skip("cannot be built here: " + " ".join(str(error).split())[:80])
    before = len(y.graph.get_operations())
    explanation = gradients.explain_gradient(y, x)
    assert len(y.graph.get_operations()) == before
    verdict, blockers = explanation.verdict(x), explanation.blockers(x)
    assert verdict == _by_tf(tf, v1, y, x), str(explanation)
    if verdict != "live":
        assert CAUSE_OF.get(name, blockers[0].cause) in [blocker.cause for blocker in blockers]
        assert BLAMED.get(name, blockers[0].op_type) == blockers[0].op_type
        assert all(blocker.advice for blocker in blockers)
        assert bool(explanation.error(x)) <= (verdict == "none")
    assert str(explanation) and explanation.to_dot()


@pytest.mark.costly(in_ci=60)
@pytest.mark.parametrize("name", explain_cases.CASES)
def test_ops(tf, v1, graph, gradients, name):
    v1.disable_control_flow_v2()
    _check(tf, v1, gradients, name, explain_cases.CASES[name])


@pytest.mark.costly(in_ci=30)
@pytest.mark.parametrize("name", explain_structures.CASES)
def test_structures(tf, v1, graph, control_flow, gradients, name):
    _check(tf, v1, gradients, name, explain_structures.CASES[name])


def test_every_cause_belongs_to_a_case():
    assert set(CAUSE_OF) | set(BLAMED) <= set(explain_cases.CASES) | set(explain_structures.CASES)


HOPS = {
    "sin": lambda tf, v1, a: tf.sin(a),
    "floor": lambda tf, v1, a: tf.floor(a),
    "sign": lambda tf, v1, a: tf.sign(a),
    "stop": lambda tf, v1, a: tf.stop_gradient(a),
    "int": lambda tf, v1, a: tf.cast(tf.cast(3.0 * a, tf.int32), tf.float32),
    "complex": lambda tf, v1, a: tf.math.real(tf.complex(a, a) * tf.complex(0.5, 1.0)),
    "sort": lambda tf, v1, a: tf.sort(a),
    "gather": lambda tf, v1, a: tf.gather(a, [3, 0, 0, 1]),
    "cumsum": lambda tf, v1, a: tf.cumsum(a),
    "zero": lambda tf, v1, a: a * tf.constant(0.0),
    "while": lambda tf, v1, a: v1.while_loop(
        lambda i, c: i < 2, lambda i, c: (i + 1, tf.sin(c)), [tf.constant(0), a]
    )[1],
    "no loop": lambda tf, v1, a: v1.while_loop(
        lambda i, c: i < 0, lambda i, c: (i + 1, tf.floor(c)), [tf.constant(0), a]
    )[1],
    "no backprop": lambda tf, v1, a: v1.while_loop(
        lambda i, c: i < 2, lambda i, c: (i + 1, c), [tf.constant(0), a], back_prop=False
    )[1],
    "cond": lambda tf, v1, a: v1.cond(
        v1.placeholder_with_default(True, []), lambda: tf.sin(a), lambda: tf.floor(a)
    ),
    "map": lambda tf, v1, a: tf.map_fn(lambda b: b * 2.0, a),
    "function": lambda tf, v1, a: tf.function(lambda b: tf.tanh(b))(a),
    "function of floor": lambda tf, v1, a: tf.function(lambda b: tf.floor(b) + b)(a),
}


@pytest.mark.costly(in_ci=5)
@pytest.mark.parametrize("seed", range(12))
def test_random_compositions(tf, v1, graph, control_flow, gradients, seed):
    """Chains with joins of the hops above."""
    random, names = np.random.RandomState(seed), sorted(HOPS)
    for _ in range(4):
        with v1.Graph().as_default():
            x = v1.placeholder_with_default(np.float32([0.3, -0.7, 1.2, 0.9]), [4])
            values, program = [x], []
            for _ in range(random.randint(2, 6)):
                program.append(names[random.randint(len(names))])
                value = HOPS[program[-1]](tf, v1, values[random.randint(len(values))])
                if random.rand() < 0.4:
                    value = value + values[random.randint(len(values))] * 0.7
                values.append(value)
            explanation = gradients.explain_gradient(values[-1], x)
            assert explanation.verdict(x) == _by_tf(tf, v1, values[-1], x), program
            assert explanation.verdict(x) == "live" or explanation.blockers(x), program
