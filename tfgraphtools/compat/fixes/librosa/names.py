"""Names that librosa removed since 0.5: renamed functions, and functions without a successor.

Each calls today's functions as user code sees them, so that it returns the old values.
"""

from tfgraphtools.compat.engine import views
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.build import made
from tfgraphtools.compat.fixes.librosa import rhythm, writing

# ruff: noqa: N802, N803 (the names of librosa)


def _today(name):
    """The value of a dotted name, as user code sees it."""
    module, _, attribute = name.rpartition(".")
    return getattr(views.module(module), attribute)


def _renamed(old, since, new):
    return Row(old, since, f"{new} now", lambda real: _today(new))


@made("librosa.logamplitude", "librosa 0.6", "librosa.power_to_db")
def _logamplitude(real):
    def logamplitude(S, ref=1.0, amin=1e-10, top_db=80.0, ref_power=None):
        ref = ref if ref_power is None else ref_power
        return _today("librosa.power_to_db")(S, ref=ref, amin=amin, top_db=top_db)

    return logamplitude


@made("librosa.feature.rmse", "librosa 0.7", "rms; for a spectrogram the formula of 0.6")
def _rmse(real):
    def rmse(y=None, S=None, *arguments, **options):
        import numpy

        if S is None or y is not None:
            return _today("librosa.feature.rms")(y, S, *arguments, **options)
        return numpy.sqrt(numpy.mean(numpy.abs(S) ** 2, axis=0, keepdims=True))

    return rmse


@made("librosa.beat.estimate_tempo", "librosa 0.6", "estimates the tempo by one autocorrelation")
def _estimate_tempo(real):
    return rhythm.estimate_tempo


@made("librosa.filters.dct", "librosa 0.7", "the matrix of a discrete cosine transform")
def _dct(real):
    def dct(n_filters, n_input):
        import numpy
        from scipy import fftpack

        return fftpack.dct(numpy.eye(n_input), norm="ortho", axis=0)[:n_filters]

    return dct


@made("librosa.util.roll_sparse", "librosa 0.8", "rolls the rows or columns of a sparse matrix")
def _roll_sparse(real):
    def roll_sparse(x, shift, axis=0):
        import numpy
        from scipy import sparse

        if not sparse.issparse(x):
            return numpy.roll(x, shift, axis=axis)
        places = numpy.roll(numpy.arange(x.shape[axis]), shift)
        rolled = x.tocsr()[places] if axis == 0 else x.tocsc()[:, places]
        return rolled.asformat(x.format)

    return roll_sparse


@made("librosa.ifgram", "librosa 0.8", "computes the instantaneous frequencies of a spectrogram")
def _ifgram(real):
    return ifgram


def ifgram(
    y, sr=22050, n_fft=2048, hop_length=None, win_length=None, window="hann", norm=False,
    center=True, ref_power=1e-6, clip=True, dtype="complex64", pad_mode="reflect"
):  # fmt: skip
    """(frequencies, spectrogram), both [1 + n_fft / 2, frames].

    The frequency of a bin is corrected by its phase, with the derivative of the window.
    """
    import numpy
    from librosa import filters, util

    options = {"n_fft": n_fft, "center": center, "dtype": dtype, "pad_mode": pad_mode}
    width = win_length or n_fft
    options["hop_length"] = hop_length or width // 4
    stft = _today("librosa.stft")
    frame = util.pad_center(filters.get_window(window, width, fftbins=True), size=n_fft)
    found = stft(y, win_length=width, window=window, **options)
    slope = stft(y, window=-util.cyclic_gradient(frame), **options).conj()
    size, phase = _today("librosa.magphase")(found)
    least = ref_power(size**2) if callable(ref_power) else ref_power
    with numpy.errstate(divide="ignore", invalid="ignore"):
        more = (-phase * slope).imag / size
    more[size < least**0.5] = 0
    angles = numpy.linspace(0, 2 * numpy.pi, n_fft, endpoint=False)[: n_fft // 2 + 1, None] + more
    angles = numpy.clip(angles, 0, numpy.pi) if clip else angles
    if norm:
        found *= 2.0 / frame.sum()
    return angles * (sr * 0.5 / numpy.pi), found


@made("librosa.display.waveplot", "librosa 0.10", "librosa.display.waveshow, drawn in steps")
def _waveplot(real):
    def waveplot(
        y, sr=22050, max_points=5e4, x_axis="time", offset=0.0, max_sr=1000, ax=None, **options
    ):
        points = int(max_points or max(y.shape))
        return real.waveshow(
            y, sr=sr, max_points=points, axis=x_axis, offset=offset, ax=ax, **options
        )

    return waveplot


NAMES = Table(
    "names that left librosa",
    "names",
    [
        _rmse,
        _renamed("librosa.dtw", "librosa 0.7", "librosa.sequence.dtw"),
        _renamed("librosa.fill_off_diagonal", "librosa 0.7", "librosa.util.fill_off_diagonal"),
        _logamplitude,
        _estimate_tempo,
        _dct,
        _roll_sparse,
        _ifgram,
        _waveplot,
    ],
)

GONE = Table(
    "names that left librosa without a replacement",
    "gone",
    [
        Row(
            "librosa.util.example_audio_file",
            "librosa 0.8",
            "librosa no longer contains the recording; librosa.example('vibeace') downloads it",
        )
    ],
)

MODULES = Table(
    "modules that left librosa",
    "modules",
    [
        Row("librosa.output", "librosa 0.8", "writes .wav and .csv files", writing.module),
        Row(
            "librosa.core.time_frequency",
            "librosa 0.8",
            "librosa's conversions of units",
            lambda: views.module("librosa.core.convert"),
        ),
    ],
)

TABLES = (NAMES, GONE, MODULES)
