"""librosa: what needs no librosa. Cells of ``tests/scripts/librosa.py`` show the rest."""

import types

import pytest

from tfgraphtools.compat import is_tf1

if is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

import numpy as np

from tfgraphtools.compat.fixes.librosa import arguments, calls, resampling, results, rhythm

pytestmark = pytest.mark.quick

#: filter, ratio -> every ninth number that resampy 0.2.2 gives for `_SIGNAL`
RESAMPLED = {
    ("kaiser_best", 0.5): [0.444494, 0.20946, 0.011777],
    ("kaiser_fast", 1.6): [
        -0.074176,
        1.711609,
        1.343894,
        1.176015,
        2.450212,
        2.132721,
        -0.231664,
        -0.700347,
    ],  # fmt: skip
}
_SIGNAL = np.sin(np.arange(40) * 0.3) + np.arange(40) % 3


@pytest.mark.parametrize("name, ratio", RESAMPLED)
def test_resampled_as_by_resampy(name, ratio, monkeypatch):
    monkeypatch.setattr(resampling, "_kernel", lambda: resampling._add)  # without numba
    found = resampling._filtered(_SIGNAL, ratio, name)
    assert found.shape == (int(40 * ratio),)
    np.testing.assert_allclose(found[::9], RESAMPLED[name, ratio], atol=1e-6)


def test_channels_are_resampled_apart(monkeypatch):
    monkeypatch.setattr(resampling, "_kernel", lambda: resampling._add)
    one = resampling._filtered(_SIGNAL, 0.5, "kaiser_fast")
    both = resampling._filtered(np.stack([_SIGNAL, -_SIGNAL], 1), 0.5, "kaiser_fast")
    np.testing.assert_array_equal(both, np.stack([one, -one], 1))


def test_a_signal_that_is_too_short_is_an_error():
    with pytest.raises(ValueError, match="expected a longer signal, got 1 samples"):
        resampling._filtered(np.ones(1), 0.5, "kaiser_fast")


@pytest.mark.parametrize(
    "name, words, wanted",
    [
        ("stft", {"n_fft": 4}, {"n_fft": 4}),
        ("get_duration", {"filename": "a"}, {"path": "a"}),
        ("util.frame", {"y": 1}, {"x": 1}),
        ("salience", {"h_range": [1]}, {"harmonics": [1]}),
        ("hz_to_octs", {"A440": 880.0}, {"tuning": 12.0}),
        ("filters.chroma", {"A440": 880.0, "n_chroma": 24}, {"n_chroma": 24, "tuning": 24.0}),
        ("icqt", {"amin": 1.0}, {}),
    ],
)
def test_arguments_of_old(name, words, wanted):
    arguments.translate(name, (), words)
    assert words == wanted


def test_each_line_is_read_once():
    lines = list(calls._lines())
    names = [name for name, _, _ in lines]
    assert len(set(names)) == len(names)
    assert set(results.INSIDE) - {"util.nnls"} <= set(names), "a function without a row"
    for _, words, _ in lines:
        order, defaults = calls._order(words), calls._defaults(words)
        assert len(set(order)) == len(order)
        assert all(name.isidentifier() for name in [*order, *defaults])


def test_places_that_changed_between_06_and_07_are_said(capsys):
    order, other = ["y", "sr", "win_length"], ["y", "sr", "power"]
    calls._say_if_unclear("shown", (1, 2), order, other)
    assert capsys.readouterr().err == ""
    calls._say_if_unclear("shown", (1, 2, 3), order, other)
    assert "argument 3 is win_length" in capsys.readouterr().err


def test_peaks_wait(monkeypatch):
    """Of peaks that are close to each other, the first counts."""
    util = types.SimpleNamespace(valid_int=lambda x, cast: int(cast(x)))
    monkeypatch.setitem(__import__("sys").modules, "librosa", types.SimpleNamespace(util=util))
    x = np.zeros(40)
    x[[5, 9, 30]] = [1, 3, 2]
    sizes = {"pre_max": 2, "post_max": 2, "pre_avg": 3, "post_avg": 4, "delta": 0.5}
    found = [
        rhythm.peak_pick(lambda *a, **b: None, lambda: None, x, wait=wait, **sizes).tolist()
        for wait in (2, 10)
    ]
    assert found == [[5, 9, 30], [5, 30]]
