"""What a public function leaves behind in the graph: nothing but the ops that it says it adds."""

import numpy as np
import pytest

#: Functions that only look at the graph: op for op it is as before.
LOOKS = {
    "effects": lambda w: w.gradients.effects([w.loss, w.step]),
    "explain_gradient": lambda w: str(w.gradients.explain_gradient(w.loss, [w.w, w.b, w.x])),
    "explain_file": lambda w: w.gradients.explain_file("model.meta", "loss", ["w"]).verdict("w"),
    "GradientProbe": lambda w: w.gradients.GradientProbe(w.session, w.loss, w.w).run(w.feed),
    "first_nonfinite": lambda w: w.gradients.first_nonfinite(w.loss, w.w, w.feed, w.session),
    "of_type": lambda w: w.gradients.of_type("Relu")(w.h.op),
    "require_gradients": lambda w: w.gradients.require_gradients(),
    "set_gradient": lambda w: w.gradients.clear_gradient(
        w.gradients.set_gradient(w.relu.op, w.gradients.guided_relu) and w.relu.op
    ),
    "clear_gradient": lambda w: w.gradients.clear_gradient(
        w.gradients.set_gradient(w.relu.op, w.gradients.guided_relu) and w.relu.op
    ),
    "register_gradient": lambda w: w.gradients.register_gradient(w.gradients.guided_relu),
}
#: Functions that add ops, which nothing that was there before takes.
ADDS = {
    "RecomputeOptimizer": lambda w: w.gradients.RecomputeOptimizer(
        w.v1.train.GradientDescentOptimizer(0.1)
    ).minimize(w.loss),
    "ceil": lambda w: w.gradients.ceil(w.h),
    "check_gradients": lambda w: w.gradients.check_gradients(w.mean_loss, w.w, w.feed, w.session),
    "clip_gradient": lambda w: w.gradients.clip_gradient(w.h, -1.0, 1.0),
    "clip_sign": lambda w: w.gradients.clip_sign(w.h),
    "floor": lambda w: w.gradients.floor(w.h),
    "graph_replace": lambda w: w.gradients.graph_replace(w.loss, {w.key: w.w + 1.0}),
    "hessian": lambda w: w.gradients.hessian(w.loss, w.b),
    "hessian_norm": lambda w: w.gradients.hessian_norm(w.loss, w.w, samples=1),
    "hvp": lambda w: w.gradients.hvp(w.loss, w.w, np.ones([3, 2])),
    "jvp": lambda w: w.gradients.jvp(w.losses, w.w, np.ones([3, 2])),
    "linear_ramp": lambda w: w.gradients.linear_ramp(w.h),
    "mask_gradient": lambda w: w.gradients.mask_gradient(w.h, w.h > 0.0),
    "override_gradient": lambda w: w.overridden(),
    "per_example_gradient_norms": lambda w: w.gradients.per_example_gradient_norms(w.losses, w.w),
    "per_example_gradients": lambda w: w.gradients.per_example_gradients(w.losses, w.w),
    "private_gradients": lambda w: w.gradients.private_gradients(w.losses, w.w, 1.0, 1.0),
    "project_conflicting": lambda w: w.gradients.project_conflicting(
        [[(w.w * 1.0, w.w)], [(w.w * -2.0, w.w)]]
    ),
    "recompute_gradients": lambda w: w.gradients.recompute_gradients(w.loss, [w.w, w.b]),
    "reverse_gradient": lambda w: w.gradients.reverse_gradient(w.h, 2.0),
    "round": lambda w: w.gradients.round(w.h),
    "scale_gradient": lambda w: w.gradients.scale_gradient(w.h, 2.0),
    "sign": lambda w: w.gradients.sign(w.h),
    "smooth": lambda w: w.gradients.smooth(w.h),
    "soft_floor": lambda w: w.gradients.soft_floor(w.h),
    "soft_step": lambda w: w.gradients.soft_step(w.h),
    "straight_through": lambda w: w.gradients.straight_through(w.tf.floor, w.h),
    "to_integer": lambda w: w.gradients.to_integer(w.h),
    "vjp": lambda w: w.gradients.vjp(w.losses, w.w, w.losses),
}
#: What is no function of a graph: classes of results, and gradient functions.
NO_CALLS = {
    "Effects", "Explanation", "Hits", "Nonfinite", "Report", "guided_relu", "redirected_relu",
}  # fmt: skip
#: Functions whose ops take values of constants in, as those of tf.gradients do.
TAKE_CONSTANTS_IN = {
    "RecomputeOptimizer", "hessian", "hessian_norm", "hvp", "jvp", "per_example_gradient_norms",
    "per_example_gradients", "private_gradients", "recompute_gradients", "vjp",
}  # fmt: skip

#: Functions that draw random numbers: the op seeds of what is built next are others.
DRAW = {"private_gradients", "project_conflicting"}

#: Collections in which TensorFlow itself enters the ops of minimize, and of loops and conds.
OF_NEW_OPS = {"cond_context", "train_op", "while_context"}


class _World:
    """A network with constants that a user may feed, dropout, a loop, a branch, and its step."""

    def __init__(self, tf, v1, gradients):
        self.tf, self.v1, self.gradients = tf, v1, gradients
        v1.set_random_seed(3)
        self.x = v1.placeholder(tf.float32, [None, 3], name="x")
        self.w = v1.get_variable("w", initializer=np.full([3, 2], 0.4, "f"))
        self.b = v1.get_variable("b", initializer=[0.1, -0.2])
        self.key = self.w.ref() if hasattr(self.w, "ref") else self.w
        self.rate, self.axes = tf.constant(0.5, name="rate"), tf.constant([1], name="axes")
        self.relu = tf.nn.relu(tf.matmul(self.x, self.w) + self.b)
        turns = tf.constant(2, name="turns")
        step = lambda i, h: (i + 1, tf.sin(h))  # noqa: E731
        h = tf.reshape(self.relu, tf.constant([-1, 2], name="sizes")) * self.rate
        self.h = v1.where(h > tf.constant(-1.0, name="limit"), h, tf.zeros_like(h))
        looped = v1.while_loop(lambda i, h: i < turns, step, [0, self.h])[1]
        self.losses = tf.reduce_sum(self.h**2, self.axes)
        self.mean_loss = tf.reduce_mean(self.losses)
        self.loss = tf.reduce_mean(self.losses, name="loss")
        dropped = tf.reduce_sum(v1.nn.dropout(looped, rate=0.5)) + self.loss
        self.step = v1.train.MomentumOptimizer(0.1, 0.9).minimize(dropped)
        initialize = v1.global_variables_initializer()
        self.feed = {self.x: np.random.RandomState(0).normal(size=[4, 3])}
        self.fetches = [self.step, dropped]
        v1.train.export_meta_graph("model.meta")
        self.session = v1.Session()
        self.session.run(initialize)
        v1.get_default_graph()._unfeedable_tensors.clear()  # minimize forbids to feed some

    def overridden(self):
        with self.gradients.override_gradient({"Relu": self.gradients.guided_relu}):
            self.tf.nn.relu(self.h)

    def train(self):
        losses = [self.session.run(self.fetches, self.feed)[1] for _ in range(3)]
        return losses + self.session.run([self.w, self.b])


def _operations(graph):
    return {op.name: (op.type, [source.name for source in op.inputs],
                      [before.name for before in op.control_inputs],
                      op.node_def.SerializeToString(),
                      op._get_control_flow_context())
            for op in graph.get_operations()}  # fmt: skip


def _state(graph):
    """What a tool may leave behind beside ops, each by name."""
    from tfgraphtools import _tf

    known = {
        "feedable": {t.name for op in graph.get_operations() for t in op.outputs
                     if graph.is_feedable(t)},
        "fetchable": {op.name for op in graph.get_operations() if graph.is_fetchable(op)},
        "collections": {key: [str(item) for item in graph.get_collection_ref(key)]
                        for key in graph.get_all_collection_keys()},
        "seed": graph.seed,
        "finalized": graph.finalized,
        "gradient overrides": dict(graph._gradient_override_map),
        "registry": set(_tf.registered_gradients()),
        "loss scaling": getattr(graph, "_is_loss_scaled_by_optimizer", None),
        "control inputs": list(graph._current_control_dependencies()),
        "name scope": graph.get_name_scope(),
        "context": graph._get_control_flow_context(),
    }  # fmt: skip
    return known


def _next(tf, v1, graph):
    """The name, what it waits for and the seeds of a random op that is built next."""
    tf.random.uniform([2], name="drawn")
    op = next(op for op in graph.get_operations() if op.name == "drawn/RandomUniform")
    return (op.name, op.control_inputs), (op.get_attr("seed"), op.get_attr("seed2"))


def test_every_public_function_has_a_row(gradients):
    assert set(LOOKS) | set(ADDS) | NO_CALLS == set(gradients.__all__)


@pytest.mark.costly(in_ci=12)
@pytest.mark.parametrize("name", [*LOOKS, *ADDS])
def test_nothing_is_left_behind(tf, v1, variables, gradients, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    from tfgraphtools import _tf

    call = LOOKS.get(name) or ADDS[name]
    results = []
    for called in (False, True):
        with v1.Graph().as_default() as graph:
            world = _World(tf, v1, gradients)
            operations, state = _operations(graph), _state(graph)
            if called and name in LOOKS:  # also of a graph that takes no ops, and stays so
                graph.finalize()
                call(world)
                assert graph.finalized
                _tf.unfinalize(graph)
            elif called:
                call(world)
            after, state_after = _operations(graph), _state(graph)
            assert {key: after.get(key) for key in operations} == operations
            assert name in ADDS or set(after) == set(operations)
            new = {t.name for key in set(after) - set(operations)
                   for t in graph.get_operation_by_name(key).outputs}  # fmt: skip
            state_after["feedable"] -= new
            state_after["fetchable"] -= set(after) - set(operations)
            listed = state["collections"]
            state_after["collections"] = {
                key: items[: len(listed[key])] if key in OF_NEW_OPS else items
                for key, items in state_after["collections"].items()
                if key in listed or key not in OF_NEW_OPS
            }
            if name in TAKE_CONSTANTS_IN:
                state.pop("feedable"), state_after.pop("feedable")
            assert state_after == state
            named, seeds = _next(tf, v1, graph)
            # TF 1.15 counts all ops, so any that is added changes the seeds of what follows.
            same_seeds = name in LOOKS or (not _tf.IS_TF1 and name not in DRAW)
            results.append(((named, seeds if same_seeds else None), world.train()))
            world.session.close()
    assert results[0][0] == results[1][0]
    for expected, got in zip(results[0][1], results[1][1]):
        np.testing.assert_array_equal(got, expected)


def test_constants_stay_feedable(tf, v1, graph, gradients):
    """As the whole test above, for one constant, in words."""
    x, scale = v1.placeholder(tf.float32, [2]), tf.constant(3.0)
    y = tf.reduce_sum(x * scale)
    assert gradients.explain_gradient(y, x).verdict(x) == "live"
    with v1.Session() as session:
        assert session.run(y, {x: [1, 2], scale: 10.0}) == 30.0
