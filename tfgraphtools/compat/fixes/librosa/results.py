"""Functions of librosa whose results differ from 0.7.

Each takes today's function, ``used()`` and today's arguments. It replaces the function in calls
of user code.
"""

import inspect
import types

from tfgraphtools.compat.engine import notices
from tfgraphtools.compat.fixes.build import ModuleWith
from tfgraphtools.compat.fixes.librosa import constant_q, resampling, rhythm

# ruff: noqa: N803 (the arguments of librosa)


def _mel(plain, used, *, norm="slaney", **options):
    """The norms 1 and infinity are called "slaney" and None today."""
    is_old = norm is not None and not isinstance(norm, str)
    if is_old:
        used()
    return plain(norm=norm if not is_old else "slaney" if norm == 1 else None, **options)


def _chroma(plain, used, *, n_chroma=12, base_c=True, **options):
    """Bins start three bins before A, whatever the number of bins in an octave."""
    import numpy

    if not base_c or n_chroma == 12:
        return plain(n_chroma=n_chroma, base_c=base_c, **options)
    used()
    found = plain(n_chroma=n_chroma, base_c=False, **options)
    return numpy.ascontiguousarray(numpy.roll(found, -3, axis=0))


def _preemphasis(plain, used, y, *, zi=None, coef=0.97, **options):
    """The filter starts as if all earlier samples had been one."""
    if zi is None:
        used()
        zi = [-coef]
    return plain(y, zi=zi, coef=coef, **options)


def _wide(plain, used, y, **options):
    """Computes in float64."""
    import numpy

    if y.dtype == numpy.float32:
        used()
        y = y.astype(numpy.float64)
    return plain(y, **options)


def _rms(plain, used, *, y=None, S=None, **options):
    """The result is float32 only for a float32 signal."""
    import numpy

    if "dtype" in options:
        return plain(y=y, S=S, **options)
    if getattr(y, "dtype", None) == numpy.float32:
        return plain(y=y, S=S, dtype=numpy.float32, **options)
    used()
    return plain(y=y, S=S, dtype=numpy.float64, **options)


def _of_this_type(plain, used, x, **options):
    """Returns the dtype of the input."""
    found = plain(x, **options)
    if getattr(x, "dtype", None) is None or x.dtype.kind != "f" or found.dtype == x.dtype:
        return found
    used()
    return found.astype(x.dtype)


def _mu_compress(plain, used, x, *, quantize=True, **options):
    found = plain(x, quantize=quantize, **options)
    return found if quantize else _of_this_type(lambda x: found, used, x)


def _list(plain, used, *arguments, **options):
    """Returns several notes as a list."""
    found = plain(*arguments, **options)
    if not hasattr(found, "tolist") or isinstance(found, str):
        return found
    used()
    return found.tolist()


def _whole(plain, used, *arguments, **options):
    """States and indices are int64."""
    found = plain(*arguments, **options)
    used()
    if isinstance(found, tuple):
        return (found[0].astype("int64"), *found[1:])
    return found.astype("int64")


def _viterbi(plain, used, prob, transition, **options):
    """The probability of a single path is a scalar."""
    found = _whole(plain, used, prob, transition, **options)
    if not isinstance(found, tuple) or prob.ndim != 2:
        return found
    return found[0], found[1].reshape(())[()]


def _rates(plain, used, *arguments, **options):
    """The rates are integers."""
    used()
    first, rates = plain(*arguments, **options)
    return first, rates.astype("int64")


def _axis_sort(plain, used, S, *, axis=-1, index=False, value=None):
    """Places equal values in the order of NumPy 1."""
    import numpy

    from tfgraphtools.compat.engine import views

    if S.ndim != 2:
        return plain(S, axis=axis, index=index, value=value)
    used()
    places = views.module("numpy").argsort((value or numpy.argmax)(S, axis=(1 - axis) % 2))
    found = numpy.take(S, places, axis=axis)
    return (found, places) if index else found


def _hpss(plain, used, y, **options):
    """The signal has the length of its frames, padded with zeros at the end."""
    parts = _separate(y, used, options)
    return tuple(_signal(part, y) for part in parts)


def _drawn(plain, used, *arguments, random_state=None, **options):
    """Draws phases with ``numpy.random``, which has the seed of the script."""
    if random_state is None:
        import numpy

        used()
        random_state = numpy.random.mtrand._rand
    return plain(*arguments, random_state=random_state, **options)


def _iirt(plain, used, y, *, sr=22050, win_length=2048, hop_length=None, center=True, tuning=0.0,
          pad_mode="reflect", flayout="sos", res_type="kaiser_best", **options):  # fmt: skip
    """Rounds the hop length of each band to its rate; the rounding error accumulates."""
    import librosa
    import numpy
    from scipy import signal

    if flayout not in ("ba", "sos") or y.ndim != 1:
        return plain(y, sr=sr, flayout=flayout)
    used()
    hop_length = hop_length or win_length // 4
    y = numpy.pad(y, int(hop_length), mode=pad_mode) if center else y
    bank, rates = librosa.filters.semitone_filterbank(tuning=tuning, flayout=flayout, **options)
    slower = {
        rate: librosa.resample(y, orig_sr=sr, target_sr=rate, res_type=res_type)
        for rate in numpy.unique(rates)
    }
    count, found = 1 + int((len(y) - win_length) // float(hop_length)), []
    for rate, band in zip(rates, bank):
        factor = float(sr) / float(rate)
        if flayout == "ba":
            part = signal.filtfilt(band[0], band[1], slower[rate])
        else:
            part = signal.sosfiltfilt(band, slower[rate])
        frames = librosa.util.frame(
            numpy.ascontiguousarray(part),
            frame_length=int(numpy.round(win_length / factor)),
            hop_length=int(numpy.round(hop_length / factor)),
        )
        found.append(factor * numpy.sum(frames**2, axis=0)[:count])
    return numpy.asfortranarray(found)


def _nnls(plain, used, A, B, **options):
    """Returns another solution if several are equally good."""
    if getattr(B, "ndim", 1) > 1:
        notices.once(
            "librosa.util.nnls",
            "librosa stops its search for the spectra of mel bands earlier than 0.7 did, so the "
            "results differ",
        )
    return plain(A, B, **options)


def _onset_detect(plain, used, *, y=None, onset_envelope=None, **options):
    """Scales the envelope that it gets to [0, 1], in place."""
    found = plain(y=y, onset_envelope=onset_envelope, **options)
    if getattr(onset_envelope, "ndim", 0) == 1 and options.get("normalize", True):
        used()
        onset_envelope -= onset_envelope.min()
        if onset_envelope.any():
            onset_envelope /= onset_envelope.max()
    return found


def _one_of_two(place):
    def part(plain, used, y, **options):
        return _signal(_separate(y, used, options)[place], y)

    return part


def _separate(y, used, options):
    import librosa

    used()
    names = "n_fft hop_length win_length window center pad_mode".split()
    frames = {name: options.pop(name) for name in names if name in options}
    return librosa.decompose.hpss(librosa.stft(y, **frames), **options)


def _signal(part, y):
    import librosa

    return librosa.util.fix_length(librosa.istft(part, dtype=y.dtype), size=len(y))


def _a_weighting(plain, used, frequencies, *, min_db=-80.0):
    """The constants of the weights had four digits."""
    import numpy

    used()
    frequencies = numpy.asanyarray(frequencies)
    squares = numpy.array([12200, 20.6, 107.7, 737.9]) ** 2.0
    with numpy.errstate(divide="ignore"):
        logs = [numpy.log10(frequencies**2.0 + square) for square in squares]
        found = numpy.log10(squares[0]) + 4 * numpy.log10(frequencies)
    found = 2.0 + 20.0 * (found - logs[0] - logs[1] - 0.5 * logs[2] - 0.5 * logs[3])
    return found if min_db is None else numpy.maximum(min_db, found)


def _perceptual_weighting(plain, used, S, frequencies, *, kind="A", **options):
    import librosa

    if kind != "A":
        return plain(S, frequencies, kind=kind, **options)
    weights = librosa.A_weighting(frequencies).reshape((-1, 1))
    return weights + librosa.power_to_db(S, **options)


def _ordered(plain, used, *arguments, **options):
    """Keeps the first of equally distant neighbours, in the order of NumPy 1."""
    import numpy
    from librosa import segment

    from tfgraphtools.compat.engine import views

    used()
    ordered = ModuleWith(numpy, argsort=views.module("numpy").argsort)
    function = types.FunctionType(
        inspect.unwrap(plain).__code__, {**vars(segment), "np": ordered}, plain.__name__
    )
    function.__kwdefaults__ = inspect.unwrap(plain).__kwdefaults__
    return function(*arguments, **options)


#: function -> its replacement in calls of user code.
INSIDE = {
    "A_weighting": _a_weighting,
    "autocorrelate": _wide,
    "beat.beat_track": rhythm.beat_track,
    "cqt": constant_q.cqt,
    "effects.harmonic": _one_of_two(0),
    "effects.hpss": _hpss,
    "effects.percussive": _one_of_two(1),
    "effects.preemphasis": _preemphasis,
    "feature.rms": _rms,
    "filters.chroma": _chroma,
    "filters.constant_q": constant_q.filters_of,
    "filters.constant_q_lengths": constant_q.lengths,
    "filters.mel": _mel,
    "filters.mr_frequencies": _rates,
    "griffinlim": _drawn,
    "griffinlim_cqt": _drawn,
    "hybrid_cqt": constant_q.hybrid_cqt,
    "icqt": constant_q.icqt,
    "iirt": _iirt,
    "hz_to_note": _list,
    "interp_harmonics": _of_this_type,
    "midi_to_note": _list,
    "mu_compress": _mu_compress,
    "mu_expand": _of_this_type,
    "onset.onset_detect": _onset_detect,
    "perceptual_weighting": _perceptual_weighting,
    "pseudo_cqt": constant_q.pseudo_cqt,
    "resample": resampling.resample,
    "sequence.viterbi": _viterbi,
    "sequence.viterbi_binary": _whole,
    "sequence.viterbi_discriminative": _whole,
    "segment.cross_similarity": _ordered,
    "segment.recurrence_matrix": _ordered,
    "util.axis_sort": _axis_sort,
    "util.match_events": _whole,
    "util.nnls": _nnls,
    "util.peak_pick": rhythm.peak_pick,
}
