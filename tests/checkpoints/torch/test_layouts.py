"""Layouts: against TF's and PyTorch's own definitions, and there and back bit for bit."""

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest

from tfgraphtools.checkpoints.torch import layouts

pytestmark = pytest.mark.quick

SIZES = st.integers(1, 4)


@pytest.mark.parametrize(
    "source, target, names",
    [
        ((3, 4), (4, 3), {"transposed"}),
        ((3, 4), (3, 4), {"same"}),
        ((3, 3), (3, 3), {"same", "transposed"}),
        ((1, 1, 3, 4), (4, 3), {"transposed"}),
        ((1, 3, 4), (3, 4), {"same"}),
        ((2, 1, 3, 4), (4, 3), set()),
        ((5, 5, 2, 6), (6, 2, 5, 5), {"conv"}),
        ((5, 2, 6), (6, 2, 5), {"conv"}),
        ((5, 4, 3, 2, 6), (6, 2, 5, 4, 3), {"conv"}),
        ((5, 5, 2, 3), (6, 1, 5, 5), {"depthwise"}),
        ((7,), (7,), {"same"}),
        ((), (), {"same"}),
        ((7,), (8,), set()),
    ],
)
def test_candidates(source, target, names):
    assert set(layouts.candidates(source, target)) == names


@hypothesis.given(st.lists(SIZES, min_size=0, max_size=5), st.randoms(use_true_random=False))
def test_there_and_back(shape, random):
    array = np.arange(int(np.prod(shape)), dtype=np.float32).reshape(shape)
    rank = len(shape)
    conv = [shape[i] for i in (rank - 1, rank - 2, *range(rank - 2))] if rank > 1 else shape
    targets = [tuple(shape), tuple(conv), tuple(shape[::-1])]
    if rank > 2:
        targets.append((shape[-2] * shape[-1], 1, *shape[:-2]))
    for target in targets:
        for layout in layouts.candidates(shape, target).values():
            there = layout.forward(array)
            assert there.shape == target
            assert np.array_equal(layout.backward(there), array)


@hypothesis.given(st.lists(SIZES, min_size=2, max_size=4), SIZES)
def test_flattened_there_and_back(rows, outputs):
    kernel = np.arange(int(np.prod(rows)) * outputs, dtype=np.float32).reshape(-1, outputs)
    layout = layouts.flattened(rows, kernel.shape, kernel.shape[::-1])
    there = layout.forward(kernel)
    image = np.random.RandomState(0).randint(0, 9, rows).astype(np.float32)
    channels_first = np.moveaxis(image, -1, 0).reshape(-1)
    assert np.array_equal(there @ channels_first, image.reshape(-1) @ kernel)
    assert np.array_equal(layout.backward(there), kernel)
