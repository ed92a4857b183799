"""Arguments of librosa's functions that were renamed or removed."""

import math


def translate(name, given, words):
    """Replaces old keyword arguments by those of today, in place.

    Args:
      name: the name of the function, below librosa.
      given: its positional arguments.
      words: its keyword arguments.
    """
    for old in _ARGUMENTS.get(name, {}):
        if old in words:
            _ARGUMENTS[name][old](words, words.pop(old), given)


def _renamed(new):
    def rename(words, value, given):
        words[new] = value

    return rename


def _ignore(words, value, given):
    pass


def _tuned(words, frequency, given):
    """Converts A440, the frequency of the note A, to a tuning in fractions of a bin."""
    if isinstance(frequency, (int, float)):
        bins = words.get("bins_per_octave", words.get("n_chroma", 12))
        words["tuning"] = bins * math.log2(frequency / 440.0)


def _raised(words, tuning, given):
    """Converts the tuning of a basis to a higher lowest frequency."""
    if isinstance(tuning, (int, float)) and tuning:
        from librosa import note_to_hz

        fmin = words.get("fmin")
        fmin = note_to_hz("C1") if fmin is None else fmin
        words["fmin"] = fmin * 2.0 ** (tuning / words.get("bins_per_octave", 12))


def _checked(words, mono, given):
    import numpy
    from librosa import ParameterError

    if mono and given and numpy.ndim(given[0]) > 1:
        shape = numpy.shape(given[0])
        raise ParameterError(
            f"valid_audio: expected one channel (mono=True), got an array of shape {shape}. "
            "Pass librosa.to_mono(y), or mono=False"
        )


_HARMONICS = {"h_range": _renamed("harmonics")}

#: function -> {old argument: the function that converts it}
_ARGUMENTS = {
    "feature.delta": {"trim": _ignore},
    "filters.chroma": {"A440": _tuned},
    "filters.constant_q": {"tuning": _raised},
    "filters.constant_q_lengths": {"tuning": _raised},
    "get_duration": {"filename": _renamed("path")},
    "hz_to_octs": {"A440": _tuned},
    "icqt": {"amin": _ignore},
    "interp_harmonics": _HARMONICS,
    "octs_to_hz": {"A440": _tuned},
    "onset.onset_strength": {"centering": _ignore},
    "salience": _HARMONICS,
    "util.frame": {"y": _renamed("x")},
    "util.valid_audio": {"mono": _checked},
}
