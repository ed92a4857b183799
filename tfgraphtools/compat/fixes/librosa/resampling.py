"""The resampling of librosa 0.7, with the filters of resampy 0.2. Later versions changed them.

Source: ``resampy.resample`` of 0.2, after Smith's "Digital Audio Resampling".
"""

import functools

#: filter -> (zero crossings, beta of the window, cutoff as a fraction of the Nyquist rate)
_FILTERS = {
    "kaiser_best": (64, 14.769656459379492, 0.9475937167399596),
    "kaiser_fast": (16, 8.555504641634386, 0.85),
}
_STEPS = 512  # entries of the filter table for each zero crossing


def resample(plain, used, y, *, orig_sr, target_sr, res_type, fix=True, scale=False, **options):
    """``librosa.resample`` of 0.7."""
    if res_type not in _FILTERS or orig_sr == target_sr:
        return plain(
            y, orig_sr=orig_sr, target_sr=target_sr, res_type=res_type, fix=fix, scale=scale,
            **options
        )  # fmt: skip
    import numpy
    from librosa import util

    used()
    util.valid_audio(y)
    axis, ratio = options.pop("axis", -1), float(target_sr) / orig_sr
    found = _filtered(numpy.moveaxis(y, axis, 0), ratio, res_type)
    found = numpy.moveaxis(found, 0, axis)
    if fix:
        size = int(numpy.ceil(y.shape[axis] * ratio))
        found = util.fix_length(found, size=size, axis=axis, **options)
    if scale:
        found = found / numpy.sqrt(ratio)
    return numpy.asfortranarray(found, dtype=y.dtype)


def _filtered(x, ratio, name):
    import numpy

    length = int(x.shape[0] * ratio)
    if length < 1:
        raise ValueError(
            f"resample: expected a longer signal, got {x.shape[0]} samples, which times {ratio:g} "
            "is less than one sample. Pass a longer signal"
        )
    window = _window(name) * min(1.0, ratio)
    steps = numpy.append(numpy.diff(window), 0.0)
    columns = numpy.ascontiguousarray(x).reshape(x.shape[0], -1)
    found = numpy.zeros((length, columns.shape[1]), x.dtype)
    _kernel()(columns, found, ratio, window, steps, _STEPS)
    return found.reshape((length, *x.shape[1:]))


@functools.lru_cache(maxsize=None)
def _window(name):
    """The right half of a windowed sinc."""
    import numpy

    zeros, beta, rolloff = _FILTERS[name]
    count = zeros * _STEPS
    sinc = rolloff * numpy.sinc(rolloff * numpy.linspace(0, zeros, count + 1))
    return numpy.kaiser(2 * count + 1, beta)[count:] * sinc


@functools.lru_cache(maxsize=None)
def _kernel():
    import numba

    return numba.njit(nogil=True)(_add)


def _add(x, y, ratio, window, steps, table):
    """Adds the weighted samples of `x` around the time of each sample of `y`.

    Times are added one by one, so that they round as in resampy 0.2.
    """
    scale = min(1.0, ratio)
    stride = int(scale * table)
    time = 0.0
    for t in range(y.shape[0]):
        n = int(time)
        share = scale * (time - n)
        offset = int(share * table)
        rest = share * table - offset
        for i in range(min(n + 1, (window.shape[0] - offset) // stride)):
            weight = window[offset + i * stride] + rest * steps[offset + i * stride]
            for j in range(y.shape[1]):
                y[t, j] += weight * x[n - i, j]
        share = scale - share
        offset = int(share * table)
        rest = share * table - offset
        for i in range(min(x.shape[0] - n - 1, (window.shape[0] - offset) // stride)):
            weight = window[offset + i * stride] + rest * steps[offset + i * stride]
            for j in range(y.shape[1]):
                y[t, j] += weight * x[n + i + 1, j]
        time += 1.0 / ratio
