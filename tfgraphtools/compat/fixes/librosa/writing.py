"""``librosa.output``: writes a signal as a .wav file, times and intervals as .csv files."""

import csv
import types


def module():
    """The module ``librosa.output``."""
    found = types.ModuleType("librosa.output", __doc__)
    vars(found).update(write_wav=write_wav, times_csv=times_csv, annotation=annotation)
    return found


def write_wav(path, y, sr, norm=False):
    """Writes a mono or stereo signal as a .wav file of floats; ``norm`` scales it to [-1, 1]."""
    import librosa
    import numpy
    from scipy.io import wavfile

    librosa.util.valid_audio(y)
    if norm and numpy.issubdtype(y.dtype, numpy.floating):
        y = librosa.util.normalize(y, norm=numpy.inf, axis=None)
    wavfile.write(path, sr, y.T if y.ndim > 1 and y.shape[0] == 2 else y)


def times_csv(path, times, annotations=None, delimiter=",", fmt="%0.3f"):
    """Writes a line for each time, with its annotation."""
    _write(path, [[fmt % time] for time in times], annotations, delimiter)


def annotation(path, intervals, annotations=None, delimiter=",", fmt="%0.3f"):
    """Writes a line for each interval, with its annotation."""
    from librosa import util

    util.valid_intervals(intervals)
    _write(path, [[fmt % start, fmt % end] for start, end in intervals], annotations, delimiter)


def _write(path, lines, annotations, delimiter):
    from librosa import ParameterError

    if annotations is not None:
        if len(annotations) != len(lines):
            raise ParameterError(
                f"annotations: expected {len(lines)}, one for each line, got {len(annotations)}. "
                "Pass as many as times or intervals"
            )
        lines = [[*line, text] for line, text in zip(lines, annotations)]
    with open(path, "w") as file:
        csv.writer(file, delimiter=delimiter).writerows(lines)
