"""Beats and peaks of librosa 0.7.

Source: Ellis, "Beat tracking by dynamic programming", and ``librosa.beat`` of 0.7.
"""


def beat_track(plain, used, *, y=None, sr=22050, onset_envelope=None, hop_length=512,
               start_bpm=120.0, tightness=100, trim=True, bpm=None, prior=None, units="frames",
               sparse=True):  # fmt: skip
    """(tempo, beats); the tempo is a scalar."""
    import librosa
    import numpy

    if not sparse or (y is None and onset_envelope is None) or _has_channels(y, onset_envelope):
        return plain(
            y=y, sr=sr, onset_envelope=onset_envelope, hop_length=hop_length, sparse=sparse,
            start_bpm=start_bpm, tightness=tightness, trim=trim, bpm=bpm, prior=prior, units=units,
        )  # fmt: skip
    used()
    if onset_envelope is None:
        onset_envelope = librosa.onset.onset_strength(
            y=y, sr=sr, hop_length=hop_length, aggregate=numpy.median
        )
    if not onset_envelope.any():
        return 0, numpy.array([], dtype=int)
    if bpm is None:
        bpm = librosa.feature.tempo(
            onset_envelope=onset_envelope, sr=sr, hop_length=hop_length, start_bpm=start_bpm,
            prior=prior,
        )[0]  # fmt: skip
    beats = _beats(onset_envelope, bpm, float(sr) / hop_length, tightness, trim)
    if units == "samples":
        beats = librosa.frames_to_samples(beats, hop_length=hop_length)
    elif units == "time":
        beats = librosa.frames_to_time(beats, hop_length=hop_length, sr=sr)
    elif units != "frames":
        raise librosa.ParameterError(
            f"beat_track: expected units of 'frames', 'samples' or 'time', got {units!r}. "
            "Pass units='frames'"
        )
    return bpm, beats


def _has_channels(y, onset_envelope):
    given = y if onset_envelope is None else onset_envelope
    return getattr(given, "ndim", 1) > 1


def _beats(envelope, bpm, rate, tightness, trim):
    import numpy
    from librosa import ParameterError, util
    from scipy import signal

    for name, value in (("bpm", bpm), ("tightness", tightness)):
        if value <= 0:
            raise ParameterError(
                f"beat_track: expected {name} above 0, got {value}. Pass a positive {name}"
            )
    period = round(60.0 * rate / bpm)
    window = numpy.exp(-0.5 * (numpy.arange(-period, period + 1) * 32.0 / period) ** 2)
    deviation = envelope.std(ddof=1)
    scaled = envelope / deviation if deviation > 0 else envelope
    scores = signal.convolve(scaled, window, "same")
    before, sums = _best_paths(scores, period, tightness)
    peaks = util.localmax(sums)
    beats = [numpy.argwhere(sums * peaks * 2 > numpy.median(sums[numpy.argwhere(peaks)])).max()]
    while before[beats[-1]] >= 0:
        beats.append(before[beats[-1]])
    beats = numpy.array(beats[::-1], dtype=int)
    smooth = signal.convolve(scores[beats], signal.windows.hann(5), "same")
    valid = numpy.argwhere(smooth > (0.5 * (smooth**2).mean() ** 0.5 if trim else 0.0))
    return beats[valid.min() : valid.max()]


def _best_paths(scores, period, tightness):
    """The previous beat on the best path to each frame, and the score of that path."""
    import numpy

    before, sums = numpy.zeros_like(scores, dtype=int), numpy.zeros_like(scores)
    window = numpy.arange(-2 * period, -numpy.round(period / 2) + 1, dtype=int)
    costs = -tightness * numpy.log(-window / period) ** 2
    least, is_first = 0.01 * scores.max(), True
    for frame, score in enumerate(scores):
        beyond = numpy.maximum(0, min(-window[0], len(window)))
        candidates = costs.copy()
        candidates[beyond:] = candidates[beyond:] + sums[window[beyond:]]
        best = numpy.argmax(candidates)
        sums[frame] = score + candidates[best]
        is_first = is_first and bool(score < least)
        before[frame] = -1 if is_first else window[best]
        window = window + 1
    return before, sums


def estimate_tempo(onset_envelope, sr=22050, hop_length=512, start_bpm=120, std_bpm=1.0,
                   ac_size=4.0, duration=90.0, offset=0.0):  # fmt: skip
    """The tempo of 0.5: the best among a peak of the autocorrelation and its simple fractions."""
    import librosa
    import numpy

    rate = float(sr) / hop_length
    end = int(min(len(onset_envelope) - 1, numpy.round((offset + duration) * rate)))
    start = int(max(0, end - numpy.round(duration * rate)))
    width = int(min(end, numpy.round(ac_size * rate)))
    part = numpy.asarray(onset_envelope[start:end], "float64")
    sums = librosa.autocorrelate(part, max_size=width)[1:]
    tempos = librosa.tempo_frequencies(width, hop_length=hop_length, sr=sr)[1:]
    sums *= numpy.exp(-0.5 * ((numpy.log2(tempos) - numpy.log2(start_bpm)) / std_bpm) ** 2)
    peaks = librosa.util.localmax(sums)
    peaks[: numpy.argmax(sums < 0)] = False
    lags = numpy.argmax(peaks * sums) * numpy.asarray([1.0 / 3, 0.5, 1, 2, 3])
    lags = lags[lags < len(sums)].astype(int)
    best = lags[numpy.argmax(sums[lags])]
    return tempos[best] if best > 0 else start_bpm


def peak_pick(plain, used, x, *, pre_max, post_max, pre_avg, post_avg, delta, wait, **options):
    """The positions of peaks; one at the start counts only if it is a peak of the average, too."""
    import numpy
    from librosa import util
    from scipy import ndimage

    found = plain(x, pre_max=pre_max, post_max=post_max, pre_avg=pre_avg, post_avg=post_avg,
                  delta=delta, wait=wait, **options)  # fmt: skip
    if x.ndim != 1 or options.get("sparse") is False:
        return found
    used()
    sizes = (pre_max, post_max, pre_avg, post_avg, wait)
    pre_max, post_max, pre_avg, post_avg, wait = (
        util.valid_int(size, cast=numpy.ceil) for size in sizes
    )
    origin = int(numpy.ceil(0.5 * (pre_max - post_max)))
    highest = ndimage.maximum_filter1d(
        x, pre_max + post_max, mode="constant", origin=origin, cval=x.min()
    )
    origin = int(numpy.ceil(0.5 * (pre_avg - post_avg)))
    means = ndimage.uniform_filter1d(x, pre_avg + post_avg, mode="nearest", origin=origin)
    for place in [*range(min(pre_avg, len(x))), *range(max(len(x) - post_avg, 0), len(x))]:
        means[place] = numpy.mean(x[max(place - pre_avg, 0) : place + post_avg])
    peaks, last = [], -numpy.inf
    is_peak = x * (x == highest)
    for place in numpy.nonzero(is_peak * (is_peak >= means + delta))[0]:
        if place > last + wait:
            peaks.append(place)
            last = place
    return numpy.array(peaks)
