"""Every way to freeze, under every core optimizer: exact, and the one that was meant."""

import pathlib

import numpy as np
import pytest

from training_cases import CORE, same_bits

SHAPE = (32, 40)  # whole packets of 64
STEPS = 3


def mask_of(kind):
    random = np.random.RandomState(5)
    mask = np.zeros(SHAPE, bool)
    if kind == "rows":
        mask[:] = random.rand(SHAPE[0], 1) < 0.5
    elif kind == "few-frozen":
        mask[7, 11] = mask[0, 39] = True
    elif kind == "few-trainable":
        mask[:] = True
        mask[7, 11] = mask[0, 39] = False
    elif kind == "few-trainable-rows":
        mask[:] = True
        mask[3] = mask[11] = False
    elif kind in ("elements", "touched-rows", "fused"):
        mask[:] = random.rand(*SHAPE) < 0.5
    return mask


def given_mask(kind, tf, v1):
    """The mask as a user gives it: what is known of it decides the way."""
    mask = mask_of(kind)
    if kind.startswith("few-"):
        return mask
    if kind == "rows":
        return v1.placeholder_with_default(mask[:, :1], [SHAPE[0], 1])
    if kind == "whole-variable":
        return v1.placeholder(tf.bool, [])
    return v1.placeholder_with_default(mask, None if kind == "elements" else SHAPE)


WAYS = {
    "whole-variable": "whole variable",
    "rows": "rows that train",
    "few-frozen": "few frozen elements",
    "few-trainable": "few trainable elements",
    "few-trainable-rows": "few trainable rows",
    "elements": "copy and restore",
}


def test_the_documented_ways(training):
    """docs/frozen_elements.md has the rows of the table, in its order."""
    from tfgraphtools.training.freezing import choice_of_way

    docs = pathlib.Path(__file__).resolve().parents[2] / "docs" / "frozen_elements.md"
    rows = [[cell.strip() for cell in line.split("|")] for line in docs.read_text().splitlines()]
    documented = [(row[1], row[2]) for row in rows if row[2:3] in (["inside"], ["around"])]
    assert documented == [(way.label, way.where) for way in choice_of_way.WAYS]
    for way in (choice_of_way.FUSED, choice_of_way.COMPACT_SLOTS, choice_of_way.ELEMENT_CLOCK):
        assert f'"{way.label}", {way.where}' in docs.read_text()


def gradient(tf, v1):
    return v1.placeholder(tf.float32, SHAPE)


@pytest.mark.costly(in_ci=24)
@pytest.mark.parametrize("kind", WAYS)
@pytest.mark.parametrize("case", CORE)
def test_dense(case, kind, variables, graph, v1, tf, training, session):
    start = np.random.RandomState(0).normal(size=SHAPE).astype(np.float32)
    plain_w, w = (v1.get_variable(n, initializer=start) for n in ("plain", "w"))
    grad, mask = gradient(tf, v1), given_mask(kind, tf, v1)
    plain_optimizer = CORE[case].build(v1.train, 0.1)
    frozen = training.FreezeOptimizer(CORE[case].build(v1.train, 0.1), {"w": mask})
    steps = [
        plain_optimizer.apply_gradients([(grad, plain_w)]),
        frozen.apply_gradients([(grad, w)]),
    ]
    assert frozen.ways() == {"w": WAYS[kind]}
    check(session(), plain_optimizer, frozen, plain_w, w, steps, grad, mask, mask_of(kind))


def check(run, plain_optimizer, frozen, plain_w, w, steps, grad, mask, where):
    names = frozen.get_slot_names()
    plain_state = [plain_w] + [plain_optimizer.get_slot(plain_w, name) for name in names]
    state = [w] + [frozen.get_slot(w, name) for name in names]
    whole = not isinstance(mask, np.ndarray) and mask.shape.rank == 0
    random = np.random.RandomState(1)
    for step in range(STEPS):
        if whole:
            where = np.full(SHAPE, step == 1)
        g = random.normal(size=SHAPE).astype(np.float32)
        feed = {grad: np.where(where, np.nan, g)}
        if whole:
            feed[mask] = step == 1
        before = run.run(state)
        run.run(steps[0], {grad: g})
        run.run(steps[1], feed)
        for old, new in zip(before, run.run(state)):
            assert same_bits(old[where], new[where])
        assert where.all() or not same_bits(before[0], run.run(w))
    if not whole:
        for a, b in zip(run.run(plain_state), run.run(state)):
            assert same_bits(a[~where], b[~where])


def test_large_ref_variables_are_restored_in_blocks(
    monkeypatch, variables, graph, v1, tf, training, session
):
    """Four blocks, the last one shorter: as the plain optimizer where not frozen."""
    from tfgraphtools.training.freezing import ways

    monkeypatch.setattr(ways, "BLOCK", 2000)
    shape = (200, 70)
    where = np.random.RandomState(3).rand(*shape) < 0.5
    start, grad = np.random.RandomState(0).normal(size=(2,) + shape).astype(np.float32)
    plain_w, w = (v1.get_variable(n, initializer=start) for n in ("plain", "w"))
    plain_optimizer, inner = v1.train.AdamOptimizer(0.1), v1.train.AdamOptimizer(0.1)
    mask = v1.placeholder_with_default(where, shape)
    frozen = training.FreezeOptimizer(inner, {"w": mask})
    bad = np.where(where, np.nan, grad)
    steps = [plain_optimizer.apply_gradients([(tf.constant(grad), plain_w)])]
    steps.append(frozen.apply_gradients([(tf.constant(bad), w)]))
    blocks = [op for op in graph.get_operations() if op.type == "ScatterUpdate"]
    assert len(blocks) == (12 if variables == "ref" else 0)
    run = session()
    for _ in range(STEPS):
        run.run(steps)
    states = [(plain_w, w, start)]
    for name in ("m", "v"):
        states.append(
            (plain_optimizer.get_slot(plain_w, name), inner.get_slot(w, name), np.zeros_like(start))
        )
    for of_plain, of_frozen, first in states:
        a, b = run.run([of_plain, of_frozen])
        assert same_bits(b[where], first[where]) and same_bits(a[~where], b[~where])


@pytest.mark.parametrize("case", CORE)
def test_sparse(case, variables, graph, v1, tf, training, session):
    """Rows 3 (twice) and 8 have gradients; only Adam moves the others too."""
    start = np.random.RandomState(0).normal(size=SHAPE).astype(np.float32)
    plain_w, w = (v1.get_variable(n, initializer=start) for n in ("plain", "w"))
    where = mask_of("touched-rows")
    values = v1.placeholder(tf.float32, [3, SHAPE[1]])
    grad = tf.IndexedSlices(values, tf.constant([3, 8, 3]), tf.constant(SHAPE))
    plain_optimizer = CORE[case].build(v1.train, 0.1)
    frozen = training.FreezeOptimizer(CORE[case].build(v1.train, 0.1), {"w": where})
    steps = [
        plain_optimizer.apply_gradients([(grad, plain_w)]),
        frozen.apply_gradients([(grad, w)]),
    ]
    wanted = "copy and restore" if case == "adam" else "touched rows"
    assert frozen.ways() == {"w": wanted}
    run = session()
    states = [
        [v] + [o.get_slot(v, name) for name in o.get_slot_names()]
        for o, v in ((plain_optimizer, plain_w), (frozen, w))
    ]
    before = run.run(states[1])
    for step in range(STEPS):
        run.run(steps, {values: np.random.RandomState(step).normal(size=(3, SHAPE[1]))})
    for old, a, b in zip(before, *run.run(states)):
        assert same_bits(old[where], b[where]) and same_bits(a[~where], b[~where])
    assert not same_bits(before[0], run.run(w))


@pytest.mark.parametrize("shape", [(), (40,), (1, 40), (32, 1), (32, 40)], ids=str)
@pytest.mark.parametrize("known", [True, False], ids=["static", "fed"])
def test_masks_of_touched_rows_broadcast(known, shape, variables, graph, v1, tf, training, session):
    mask = np.random.RandomState(2).rand(*shape) < 0.5
    w = v1.get_variable("w", initializer=np.zeros(SHAPE, np.float32))
    passed_mask = mask if known else v1.placeholder_with_default(mask, None)
    grad = tf.IndexedSlices(tf.ones([2, 40]), tf.constant([3, 8]), tf.constant(SHAPE))
    frozen = training.FreezeOptimizer(
        v1.train.GradientDescentOptimizer(1.0), {"w": passed_mask}, slots="advance"
    )
    step = frozen.apply_gradients([(grad, w)])
    assert frozen.ways() == {"w": "touched rows"}
    run = session()
    run.run(step)
    wanted = np.zeros(SHAPE)
    wanted[[3, 8]] = -1
    assert np.array_equal(run.run(w), np.where(mask, 0, wanted))


def test_fused(graph, v1, tf, training, session):
    from tfgraphtools import _tf

    if _tf.IS_TF1:
        pytest.skip("fused=True needs TF 2")
    v1.enable_resource_variables()
    start = np.random.RandomState(0).normal(size=SHAPE).astype(np.float32)
    plain_w, w = (v1.get_variable(n, initializer=start) for n in ("plain", "w"))
    grad, mask = gradient(tf, v1), given_mask("fused", tf, v1)
    where = mask_of("fused")
    plain_optimizer = v1.train.RMSPropOptimizer(0.1)
    frozen = training.FreezeOptimizer(v1.train.RMSPropOptimizer(0.1), {"w": mask}, fused=True)
    steps = [
        plain_optimizer.apply_gradients([(grad, plain_w)]),
        frozen.apply_gradients([(grad, w)]),
    ]
    assert frozen.ways() == {"w": "fused by XLA"}
    run = session()
    states = [w] + [frozen.get_slot(w, name) for name in frozen.get_slot_names()]
    before = run.run(states)
    for step in range(STEPS):
        g = np.random.RandomState(step).normal(size=SHAPE).astype(np.float32)
        run.run(steps[0], {grad: g})
        run.run(steps[1], {grad: np.where(where, np.nan, g)})
    for old, new in zip(before, run.run(states)):
        assert same_bits(old[where], new[where])
    values = run.run([plain_w, w])
    np.testing.assert_allclose(values[0][~where], values[1][~where], rtol=1e-5, atol=1e-6)


def test_fused_is_refused_where_it_cannot_be(graph, v1, tf, training):
    from tfgraphtools.errors import OptimizerKindError

    v1.disable_resource_variables()
    w = v1.get_variable("w", initializer=[1.0])
    with pytest.raises(OptimizerKindError, match="fused=True for 'w'.*a ref variable"):
        training.FreezeOptimizer(v1.train.AdamOptimizer(), {"w": True}, fused=True).minimize(
            tf.reduce_sum(w)
        )


def python_made(v1):
    """A momentum optimizer of several ops, which use the variable and the slot as tensors."""

    class PythonMade(v1.train.Optimizer):
        def __init__(self):
            super().__init__(False, "PythonMade")

        def _create_slots(self, variables):
            for variable in variables:
                self._zeros_slot(variable, "m", self._name)

        def _apply_dense(self, grad, variable):
            m = self.get_slot(variable, "m")
            m_t = v1.assign(m, 0.9 * m + grad)
            with v1.control_dependencies([m_t]):
                return v1.assign(variable, variable - 0.1 * m_t).op

        _resource_apply_dense = _apply_dense

    return PythonMade()


def test_an_optimizer_that_is_not_known_gets_the_whole_gradient(
    variables, graph, v1, training, session
):
    start = np.random.RandomState(0).normal(size=SHAPE).astype(np.float32)
    plain_w, w = (v1.get_variable(n, initializer=start) for n in ("plain", "w"))
    grad, where = v1.placeholder("float32", SHAPE), mask_of("few-trainable")
    plain_optimizer, frozen = (
        python_made(v1),
        training.FreezeOptimizer(python_made(v1), {"w": where}),
    )
    steps = [
        plain_optimizer.apply_gradients([(grad, plain_w)]),
        frozen.apply_gradients([(grad, w)]),
    ]
    assert frozen.ways() == {"w": "copy and restore"}
    check(session(), plain_optimizer, frozen, plain_w, w, steps, grad, where, where)


@pytest.mark.parametrize("columns, in_place", [(2**15, True), (2**16, False)])
def test_elements_beyond_int32_are_not_written_in_place(columns, in_place, graph, v1, tf, training):
    """Their places in the flat variable do not fit, and would be those of other elements."""
    from tfgraphtools.training.freezing import choice_of_way, masks

    w = v1.get_variable("w", [2**15, columns], use_resource=True)
    mask = masks.Mask(v1.placeholder(tf.bool, [2**15, 1]), "w").of(w)
    grad = v1.placeholder(tf.float32, w.shape)
    case = choice_of_way.Case([v1.train.MomentumOptimizer(0.1, 0.9)], grad, w, mask)
    assert case.in_place == in_place
