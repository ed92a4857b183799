"""Constant-Q transforms of librosa 0.7: its filters and its resampling.

Source: ``librosa.core.constantq`` of 0.7, after Schoerkhuber and Klapuri.
"""

import math


def lengths(plain, used, *, sr, fmin=None, n_bins=84, bins_per_octave=12, window="hann",
            filter_scale=1, gamma=0):  # fmt: skip
    """``filters.constant_q_lengths``: the number of samples of each filter, as floats."""
    import numpy
    from librosa import ParameterError, filters

    if gamma:
        return plain(sr=sr, fmin=fmin, n_bins=n_bins, bins_per_octave=bins_per_octave,
                     window=window, filter_scale=filter_scale, gamma=gamma)  # fmt: skip
    used()
    quality = _quality(bins_per_octave, filter_scale)
    frequencies = fmin * 2.0 ** (numpy.arange(n_bins, dtype=float) / bins_per_octave)
    highest = frequencies[-1] * (1 + 0.5 * filters.window_bandwidth(window) / quality)
    if highest > sr / 2.0:
        raise ParameterError(
            f"constant_q_lengths: expected filters below {sr / 2.0} Hz, half the rate, got one "
            f"that reaches {highest:.1f} Hz. Pass fewer bins, or a lower fmin"
        )
    return quality * sr / frequencies


def _quality(bins_per_octave, filter_scale):
    return float(filter_scale) / (2.0 ** (1.0 / bins_per_octave) - 1)


def filters_of(plain, used, *, sr, fmin=None, n_bins=84, bins_per_octave=12, window="hann",
               filter_scale=1, pad_fft=True, norm=1, dtype="complex64", gamma=0,
               **options):  # fmt: skip
    """``filters.constant_q``: (filters, [bins, samples], and the length of each)."""
    import numpy
    from librosa import filters, note_to_hz, util

    fmin = note_to_hz("C1") if fmin is None else fmin
    known = {"sr": sr, "fmin": fmin, "n_bins": n_bins, "bins_per_octave": bins_per_octave,
             "window": window, "filter_scale": filter_scale}  # fmt: skip
    if gamma:
        return plain(pad_fft=pad_fft, norm=norm, dtype=dtype, gamma=gamma, **known, **options)
    sizes = filters.constant_q_lengths(**known)
    quality, shape = _quality(bins_per_octave, filter_scale), getattr(filters, "__float_window")
    found = []
    for size in sizes:
        times = numpy.arange(-size // 2, size // 2, dtype=float)
        wave = numpy.exp(times * 1j * 2 * numpy.pi * (quality * sr / size) / sr)
        found.append(util.normalize(wave * shape(window)(len(wave)), norm=norm))
    longest = max(sizes)
    longest = 2 ** math.ceil(math.log2(longest)) if pad_fft else math.ceil(longest)
    padded = [util.pad_center(one, size=int(longest), **options) for one in found]
    return numpy.asarray(padded, dtype=dtype), numpy.asarray(sizes)


def _spectra(sr, fmin, n_bins, how, hop_length=None):
    """(sparse spectra of the filters, their width, the lengths of the filters)"""
    import librosa
    import numpy

    names = ("bins_per_octave", "filter_scale", "norm", "window")
    options = {name: how[name] for name in names}
    basis, sizes = librosa.filters.constant_q(sr=sr, fmin=fmin, n_bins=n_bins, **options)
    n_fft = basis.shape[1]
    if hop_length is not None:
        n_fft = max(n_fft, 2 ** (1 + math.ceil(math.log2(hop_length))))
    basis *= sizes[:, None] / float(n_fft)
    found = numpy.fft.fft(basis.astype("complex128"), n=n_fft, axis=1)[:, : n_fft // 2 + 1]
    return librosa.util.sparsify_rows(found, quantile=how["sparsity"]), n_fft, sizes


def _tuned(y, sr, fmin, tuning, bins_per_octave):
    import librosa

    fmin = librosa.note_to_hz("C1") if fmin is None else fmin
    if tuning is None:
        tuning = librosa.estimate_tuning(y=y, sr=sr, bins_per_octave=bins_per_octave)
    return fmin * 2.0 ** (tuning / bins_per_octave)


def _lengths(sr, fmin, n_bins, how):
    from librosa import filters

    names = ("bins_per_octave", "filter_scale", "window")
    options = {name: how[name] for name in names}
    return filters.constant_q_lengths(sr=sr, fmin=fmin, n_bins=n_bins, **options)


def cqt(plain, used, y, *, sr=22050, hop_length=512, fmin=None, n_bins=84, bins_per_octave=12,
        tuning=0.0, filter_scale=1, norm=1, sparsity=0.01, window="hann", scale=True,
        pad_mode="reflect", res_type=None):  # fmt: skip
    """``librosa.cqt``: octave by octave; the signal is resampled to half its rate each time."""
    import numpy

    used()
    how = {"bins_per_octave": bins_per_octave, "filter_scale": filter_scale, "norm": norm,
           "sparsity": sparsity, "window": window}  # fmt: skip
    fmin = _tuned(y, sr, fmin, tuning, bins_per_octave)
    found, sr = _octaves(y, sr, hop_length, fmin, n_bins, how, scale, pad_mode, res_type)
    columns = min(one.shape[1] for one in found)
    found = numpy.vstack([one[:, :columns] for one in found][::-1])[-n_bins:]
    found = numpy.asfortranarray(found)
    if scale:
        found /= numpy.sqrt(_lengths(sr, fmin, n_bins, how)[:, None])
    return found


def _octaves(y, sr, hop, fmin, n_bins, how, scale, pad_mode, res_type):
    """(the responses of the octaves, highest first; the rate of the first)"""
    import librosa
    import numpy

    bins = how["bins_per_octave"]
    count = math.ceil(n_bins / bins)
    highest = librosa.cqt_frequencies(n_bins, fmin=fmin, bins_per_octave=bins)[-bins:]
    low, high = numpy.min(highest), numpy.max(highest)
    width = librosa.filters.window_bandwidth(how["window"])
    cutoff = high * (1 + 0.5 * width / _quality(bins, how["filter_scale"]))
    is_fast = cutoff < 0.85 * sr / 2.0
    kind = res_type or ("kaiser_fast" if is_fast else "kaiser_best")
    y, sr, hop = _slower(y, sr, hop, kind, count, sr / 2.0, cutoff, scale)
    found, per_octave = [], min(bins, n_bins)
    if not res_type and not is_fast:
        spectra, n_fft, _ = _spectra(sr, low, per_octave, how)
        found.append(_response(spectra, y, n_fft, hop, pad_mode))
        low, count, kind = low / 2, count - 1, "kaiser_fast"
    if _twos(hop) < count - 1:
        raise librosa.ParameterError(
            f"cqt: expected a hop_length that is a multiple of {2 ** (count - 1)}, for {count} "
            f"octaves, got {hop}. Pass another hop_length"
        )
    spectra, n_fft, _ = _spectra(sr, low, per_octave, how)
    for octave in range(count):
        if octave:
            y = librosa.resample(y, orig_sr=2, target_sr=1, res_type=kind, scale=True)
            spectra, hop = spectra * numpy.sqrt(2), hop // 2
        found.append(_response(spectra, y, n_fft, hop, pad_mode))
    return found, sr


def _slower(y, sr, hop, kind, octaves, nyquist, cutoff, scale):
    """The signal at a lower rate, if its filters end far below half the rate."""
    import librosa
    import numpy

    by_band = max(0, int(math.ceil(math.log2(0.85 * nyquist / cutoff)) - 1) - 1)
    times = min(by_band, max(0, _twos(hop) - octaves + 1))
    if times <= 0 or kind != "kaiser_fast":
        return y, sr, hop
    factor = 2**times
    y = librosa.resample(y, orig_sr=sr, target_sr=sr / float(factor), res_type=kind, scale=True)
    if not scale:
        y *= numpy.sqrt(factor)
    return y, sr / float(factor), hop // factor


def _twos(number):
    """How many times a number can be divided by two."""
    return (number & -number).bit_length() - 1 if number > 0 else 0


def _response(spectra, y, n_fft, hop, pad_mode, window="ones"):
    import librosa

    stft = librosa.stft(y, n_fft=n_fft, hop_length=hop, window=window, pad_mode=pad_mode)
    return spectra.dot(stft)


def pseudo_cqt(plain, used, y, *, sr=22050, hop_length=512, fmin=None, n_bins=84,
               bins_per_octave=12, tuning=0.0, filter_scale=1, norm=1, sparsity=0.01,
               window="hann", scale=True, pad_mode="reflect"):  # fmt: skip
    """``librosa.pseudo_cqt``: the magnitudes of the filters, times a spectrogram of one width."""
    import librosa
    import numpy

    used()
    how = {"bins_per_octave": bins_per_octave, "filter_scale": filter_scale, "norm": norm,
           "sparsity": sparsity, "window": window}  # fmt: skip
    fmin = _tuned(y, sr, fmin, tuning, bins_per_octave)
    spectra, n_fft, _ = _spectra(sr, fmin, n_bins, how, hop_length)
    size = numpy.abs(librosa.stft(y, n_fft=n_fft, hop_length=hop_length, pad_mode=pad_mode))
    found = numpy.abs(spectra).dot(size)
    if scale:
        return found / numpy.sqrt(n_fft)
    return found * numpy.sqrt(_lengths(sr, fmin, n_bins, how)[:, None] / n_fft)


def hybrid_cqt(plain, used, y, *, sr=22050, hop_length=512, fmin=None, n_bins=84,
               bins_per_octave=12, tuning=0.0, res_type=None, **options):  # fmt: skip
    """``librosa.hybrid_cqt``: short filters as in `pseudo_cqt`, the others as in `cqt`."""
    import librosa
    import numpy

    fmin = _tuned(y, sr, fmin, tuning, bins_per_octave)
    how = {"filter_scale": 1, "window": "hann", **options, "bins_per_octave": bins_per_octave}
    sizes = _lengths(sr, fmin, n_bins, how)
    short = 2.0 ** numpy.ceil(numpy.log2(sizes)) < 2 * hop_length
    options.update(sr=sr, hop_length=hop_length, bins_per_octave=bins_per_octave, tuning=0.0)
    found = []
    if short.any():
        frequencies = librosa.cqt_frequencies(n_bins, fmin=fmin, bins_per_octave=bins_per_octave)
        low = numpy.min(frequencies[short])
        found.append(librosa.pseudo_cqt(y, fmin=low, n_bins=int(short.sum()), **options))
    if not short.all():
        count = n_bins - int(short.sum())
        full = librosa.cqt(y, fmin=fmin, n_bins=count, res_type=res_type, **options)
        found.append(numpy.abs(full))
    columns = min(one.shape[1] for one in found)
    return numpy.asfortranarray(numpy.vstack([one[:, :columns] for one in found][::-1])[-n_bins:])


def icqt(plain, used, C, *, sr=22050, hop_length=512, fmin=None, bins_per_octave=12, tuning=0.0,
         filter_scale=1, norm=1, sparsity=0.01, window="hann", scale=True, length=None,
         res_type="fft", dtype="float32"):  # fmt: skip
    """``librosa.icqt``: the sum of the signals of all octaves, lowest first."""
    import librosa
    import numpy

    used()
    how = {"bins_per_octave": bins_per_octave, "filter_scale": filter_scale, "norm": norm,
           "sparsity": sparsity, "window": window}  # fmt: skip
    bins, fmin = len(C), _tuned(None, sr, fmin, tuning, bins_per_octave)
    highest = librosa.cqt_frequencies(bins, fmin=fmin, bins_per_octave=bins_per_octave)
    highest = numpy.min(highest[-bins_per_octave:])
    spectra, n_fft, sizes = _spectra(sr, highest, min(bins, bins_per_octave), how)
    if length is not None:
        C = C[:, : math.ceil((length + max(sizes)) / hop_length)]
    back = (numpy.asarray(spectra.todense()) * n_fft / sizes[:, None]).conj().T
    y = None
    for octave in range(math.ceil(bins / bins_per_octave) - 1, -1, -1):
        part = C[slice(-(octave + 1) * bins_per_octave - 1, -octave * bins_per_octave - 1)]
        size = sizes[-part.shape[0] :, None]
        unit = numpy.sqrt(size) / n_fft if scale else size * numpy.sqrt(2**octave) / n_fft
        frames = back[:, -part.shape[0] :].dot(part / unit)
        one = librosa.istft(frames, window="ones", hop_length=hop_length // 2**octave, dtype=dtype)
        if y is not None:
            y = librosa.resample(
                y, orig_sr=1, target_sr=2, scale=True, res_type=res_type, fix=False
            )
            y[: len(one)] += one
        y = one if y is None else y
    return librosa.util.fix_length(y, size=length) if length else y
