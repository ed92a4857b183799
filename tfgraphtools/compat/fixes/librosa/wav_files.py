"""``librosa.output``: writes a signal as a .wav file."""

import types


def module():
    """Returns the module ``librosa.output``."""
    output = types.ModuleType("librosa.output", __doc__)
    output.write_wav = write_wav
    return output


def write_wav(path, y, sr, norm=False):
    """Writes a mono or stereo signal as a .wav file of floats; ``norm`` scales it to [-1, 1]."""
    import librosa
    import numpy
    from scipy.io import wavfile

    librosa.util.valid_audio(y)
    if norm and numpy.issubdtype(y.dtype, numpy.floating):
        y = librosa.util.normalize(y, norm=numpy.inf, axis=None)
    wavfile.write(path, sr, y.T if y.ndim > 1 and y.shape[0] == 2 else y)
