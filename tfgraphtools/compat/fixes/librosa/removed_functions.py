"""Names that librosa removed since 0.5."""

from tfgraphtools.compat.engine import views
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes import removed
from tfgraphtools.compat.fixes.build import in_place_of, provides
from tfgraphtools.compat.fixes.librosa import wav_files

# ruff: noqa: N803 (the names of librosa)


@provides("librosa.feature.rmse", "librosa 0.7", "rms; for a spectrogram the formula of 0.6")
def _rmse(real):
    def rmse(y=None, S=None, *arguments, **options):
        import numpy

        if S is None or y is not None:
            return views.module("librosa.feature").rms(y, S, *arguments, **options)
        return numpy.sqrt(numpy.mean(numpy.abs(S) ** 2, axis=0, keepdims=True))

    return rmse


@provides("librosa.display.waveplot", "librosa 0.10", "librosa.display.waveshow, drawn in steps")
def _waveplot(real):
    def waveplot(
        y, sr=22050, max_points=5e4, x_axis="time", offset=0.0, max_sr=1000, ax=None, **options
    ):
        points = int(max_points or max(y.shape))
        return real.waveshow(
            y, sr=sr, max_points=points, axis=x_axis, offset=offset, ax=ax, **options
        )

    return waveplot


def _logamplitude(real):
    def logamplitude(S, ref=1.0, amin=1e-10, top_db=80.0, ref_power=None):
        power_to_db = views.module("librosa").power_to_db
        return power_to_db(S, ref=ref if ref_power is None else ref_power, amin=amin, top_db=top_db)

    return logamplitude


_AMPLITUDES = [
    Fix(name + ".logamplitude", "librosa 0.6", "power_to_db; ref_power= is ref=", _logamplitude)
    for name in ("librosa", "librosa.core", "librosa.core.spectrum")
]

#: The arguments of ``get_duration`` until librosa 0.9, in their order.
_OF_DURATION = ("y", "sr", "S", "n_fft", "hop_length", "center", "path")


@in_place_of(
    "librosa.get_duration librosa.core.get_duration",
    "librosa 0.10",
    "takes arguments by position, and filename= as path=",
)
def _get_duration(original, used, *arguments, **options):
    if arguments or "filename" in options:
        used()
    options.update(zip(_OF_DURATION, arguments))
    if "filename" in options:
        options["path"] = options.pop("filename")
    return original(**options)


NAMES = Table("functions that left librosa", "names", [_rmse, _waveplot, *_AMPLITUDES])

DURATIONS = Table("durations of librosa", "calls", _get_duration)

MODULES = Table(
    "modules that left librosa",
    "modules",
    [Fix("librosa.output", "librosa 0.8", "writes .wav files", wav_files.module)],
)

TABLES = (*removed.tables_of("librosa"), NAMES, DURATIONS, MODULES)
