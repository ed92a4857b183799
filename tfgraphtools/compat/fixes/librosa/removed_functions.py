"""Names that librosa removed since 0.5."""

from tfgraphtools.compat.engine import views
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes import removed
from tfgraphtools.compat.fixes.build import provides
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


NAMES = Table("functions that left librosa", "names", [_rmse, _waveplot])

MODULES = Table(
    "modules that left librosa",
    "modules",
    [Fix("librosa.output", "librosa 0.8", "writes .wav files", wav_files.module)],
)

TABLES = (*removed.tables_of("librosa"), NAMES, MODULES)
