# %% librosa.A_weighting librosa.amplitude_to_db librosa.autocorrelate librosa.blocks_to_frames
# %%+ [slow: imports librosa]
# %%+ librosa.blocks_to_samples librosa.blocks_to_time librosa.chirp librosa.clicks librosa.cqt
# %%+ librosa.cqt_frequencies librosa.db_to_amplitude librosa.db_to_power
# %%+ librosa.estimate_tuning librosa.fft_frequencies librosa.fmt
# %%+ librosa.fourier_tempo_frequencies librosa.frames_to_samples librosa.frames_to_time
# %%+ librosa.griffinlim librosa.griffinlim_cqt librosa.hybrid_cqt
# %%+ librosa.hz_to_mel librosa.icqt librosa.iirt
# %%+ librosa.interp_harmonics librosa.istft librosa.load librosa.lpc librosa.magphase
# %%+ librosa.mel_frequencies librosa.mel_to_hz librosa.midi_to_note librosa.mu_compress
# %%+ librosa.mu_expand librosa.note_to_midi librosa.pcen
# %%+ librosa.phase_vocoder librosa.piptrack librosa.pitch_tuning
# %%+ librosa.power_to_db librosa.pseudo_cqt librosa.reassigned_spectrogram librosa.resample
# %%+ librosa.salience librosa.samples_like librosa.samples_to_frames librosa.samples_to_time
# %%+ librosa.stft librosa.stream librosa.tempo_frequencies librosa.time_to_frames
# %%+ librosa.time_to_samples librosa.times_like librosa.tone librosa.zero_crossings
# %%+ [needs: librosa] [not-on-1.15: librosa 0.7] [tolerance: 1e-3]
import warnings
import numpy as np
import librosa
from scipy.io import wavfile
warnings.simplefilter("ignore")
random, sr = np.random.RandomState(0), 22050
time = np.arange(sr) / sr
y64 = 0.5 * np.sin(2 * np.pi * 440 * time) + 0.3 * np.sin(2 * np.pi * 1330 * time * (1 + time)) + 0.05 * random.randn(sr)
y, clicks = y64.astype("f4"), np.zeros(6 * sr, "f4")
for i in range(12):
    clicks[i * sr // 2 + 300:][:1000] += (np.exp(-np.arange(1000) / 200.0) * random.randn(1000)).astype("f4")
silent = np.where((time > 0.3) & (time < 0.8), y, 0).astype("f4")
C = (random.randn(1025, 44) + 1j * random.randn(1025, 44)).astype("c8")
CQ = (random.randn(84, 44) + 1j * random.randn(84, 44)).astype("c8")
S, D, mf = np.abs(C), random.rand(5, 6).astype("f4"), 10 * random.randn(20, 30).astype("f4")
M, freqs, ones = S[:128] ** 2, np.arange(1025) * sr / 2048.0, np.zeros(100)
ones[[10, 30, 33, 60]] = [1, 2, 3, 4]
rec, cost = random.rand(20, 20) > 0.6, random.rand(10, 12)
prob, trans = random.rand(3, 10), np.full((3, 3), 0.2) + 0.4 * np.eye(3)
prob /= prob.sum(0)
wavfile.write("a.wav", sr, np.int16(y * 20000))
def shown(value):
    if type(value).__name__ == "generator":
        value = list(value)
    if isinstance(value, (list, tuple)):
        return " ".join(map(shown, value))
    if value is None or isinstance(value, (str, bool)):
        return str(value).rpartition("/")[2]
    array = np.asarray(value.toarray() if hasattr(value, "toarray") else value)
    if array.dtype.kind == "O":
        return type(value).__name__
    return "%s %s %.4g" % (array.dtype.kind, array.shape, np.nansum(np.abs(array * 1.0)))
for line in """\
A_weighting(np.array([20.0, 1000.0, 8000]), None) |
amplitude_to_db(S, np.max, 1e-5, 60.0) | (S, ref=np.max, amin=1e-05, top_db=60.0)
autocorrelate(y, 100, 0) |
blocks_to_frames(np.arange(3), 16) | (np.arange(3), block_length=16)
blocks_to_samples(np.arange(3), 16, 512) | (np.arange(3), block_length=16, hop_length=512)
blocks_to_time(np.arange(3), 16, 512, sr) | (np.arange(3), block_length=16, hop_length=512, sr=sr)
chirp(110, 880, 8000, 4000) | (fmin=110, fmax=880, sr=8000, length=4000)
clicks([0.1, 0.5], None, sr, 512, 1000.0, 0.1, None, sr) | (times=[0.1, 0.5], frames=None, sr=sr, hop_length=512, click_freq=1000.0, click_duration=0.1, click=None, length=sr)
cqt_frequencies(24, 32.7, 12, 0.1) | (24, fmin=32.7, bins_per_octave=12, tuning=0.1)
db_to_amplitude(D - 40, 2.0) | (D - 40, ref=2.0)
db_to_power(D - 40, 2.0) | (D - 40, ref=2.0)
estimate_tuning(y, sr) |
fft_frequencies(sr, 512) | (sr=sr, n_fft=512)
fmt(y[:2000], 0.5) | (y[:2000], t_min=0.5)
fourier_tempo_frequencies(sr, 384, 512) | (sr=sr, win_length=384, hop_length=512)
frames_to_samples(np.arange(4), 256, 1024) | (np.arange(4), hop_length=256, n_fft=1024)
frames_to_time(np.arange(4), sr, 256) | (np.arange(4), sr=sr, hop_length=256)
griffinlim(S, 4, 512, init=None) |
hz_to_mel(np.array([60., 4000.]), True) | (np.array([60.0, 4000.0]), htk=True)
hz_to_note(466.2, cents=True) |
interp_harmonics(S, freqs, [0.5, 1, 2]) |
istft(C) | (C, dtype='float32')
load('a.wav', 16000) |
lpc(y, 8) | (y, order=8)
magphase(C, 2) | (C, power=2)
mel_frequencies(10, 20.0, 4000.0, True) | (10, fmin=20.0, fmax=4000.0, htk=True)
mel_to_hz([1.0, 20.0], True) | ([1.0, 20.0], htk=True)
midi_to_note(61, cents=True) |
mu_compress(y, 255, False) |
mu_expand(y, 255, False) | (y, mu=255, quantize=False)
note_to_midi(['C4', 'Db3'], False) | (['C4', 'Db3'], round_midi=False)
pcen(S, sr) | (S, sr=sr)
perceptual_weighting(S**2, freqs) |
phase_vocoder(C, 2.0) | (C, rate=2.0)
piptrack(y, sr, None, 1024, 256, 100.0, 2000.0, 0.2) |
pitch_tuning(np.array([440.0, 452.0, 231.0]), 0.02) | (np.array([440.0, 452.0, 231.0]), resolution=0.02)
power_to_db(S**2, np.max) | (S ** 2, ref=np.max)
pseudo_cqt(y, sr, 512, 261.6, 36) |
reassigned_spectrogram(y, sr, None, 1024) | (y, sr=sr, S=None, n_fft=1024, dtype='complex64', pad_mode='reflect')
resample(y, sr, 8000) |
salience(S, freqs, [1, 2, 3], fill_value=0) |
samples_like(S, 256) | (S, hop_length=256)
samples_to_frames([100, 2000], 256, 512) | ([100, 2000], hop_length=256, n_fft=512)
samples_to_time([100, 2000], sr) | ([100, 2000], sr=sr)
stft(y) | (y, dtype='complex64', pad_mode='reflect')
stream('a.wav', 4, 2048, 512) | ('a.wav', block_length=4, frame_length=2048, hop_length=512)
tempo_frequencies(8, 512, sr) | (8, hop_length=512, sr=sr)
time_to_frames([0.1, 0.4], sr, 256) | ([0.1, 0.4], sr=sr, hop_length=256)
time_to_samples([0.1, 0.4], sr) | ([0.1, 0.4], sr=sr)
times_like(S, sr, 256) | (S, sr=sr, hop_length=256)
tone(440, 8000, 400) | (440, sr=8000, length=400)
zero_crossings(y, 0.1) | (y, threshold=0.1)
""".splitlines():
    call = line.partition(" |")[0]
    print(call.partition("(")[0], shown(eval("librosa." + call)))
for line in """\
cqt(y, sr) |
griffinlim_cqt(np.abs(CQ), 2, sr, init=None) |
hybrid_cqt(y, sr, 512, 65.4, 36) |
icqt(CQ, sr) |
iirt(y, sr) |
""".splitlines():
    call = line.partition(" |")[0]
    print(call.partition("(")[0], np.ndim(eval("librosa." + call)))
#> A_weighting f (3,) 51.54
#> amplitude_to_db f (1025, 44) 5.973e+05
#> autocorrelate f (100,) 1.752e+05
#> blocks_to_frames i (3,) 48
#> blocks_to_samples i (3,) 2.458e+04
#> blocks_to_time f (3,) 1.115
#> chirp f (4000,) 2546
#> clicks f (22050,) 404.4
#> cqt_frequencies f (24,) 1659
#> db_to_amplitude f (5, 6) 0.6383
#> db_to_power f (5, 6) 0.006797
#> estimate_tuning f () 0.01
#> fft_frequencies f (257,) 1.417e+06
#> fmt c (8288,) 155.6
#> fourier_tempo_frequencies f (193,) 1.247e+05
#> frames_to_samples i (4,) 3584
#> frames_to_time f (4,) 0.06966
#> griffinlim f (22016,) 832.7
#> hz_to_mel f (2,) 2239
#> hz_to_note A♯4+0
#> interp_harmonics f (3, 1025, 44) 1.412e+05
#> istft f (22016,) 447.5
#> load f (16000,) 3410 i () 1.6e+04
#> lpc f (9,) 4.308
#> magphase f (1025, 44) 9e+04 c (1025, 44) 4.51e+04
#> mel_frequencies f (10,) 1.487e+04
#> mel_to_hz f (2,) 13.15
#> midi_to_note C#4+0
#> mu_compress f (22050,) 1.668e+04
#> mu_expand f (22050,) 1216
#> note_to_midi f (2,) 109
#> pcen f (1025, 44) 1.497e+04
#> perceptual_weighting f (1025, 44) 2.209e+05
#> phase_vocoder c (1025, 22) 2.822e+04
#> piptrack f (513, 87) 7.686e+04 f (513, 87) 1.193e+04
#> pitch_tuning f () 0.16
#> power_to_db f (1025, 44) 5.973e+05
#> pseudo_cqt f (36, 44) 615.9
#> reassigned_spectrogram f (513, 87) 2.46e+08 f (513, 87) 2.227e+04 f (513, 87) 8.044e+04
#> resample f (8000,) 2774
#> salience f (1025, 44) 1.432e+04
#> samples_like i (44,) 2.422e+05
#> samples_to_frames i (2,) 7
#> samples_to_time f (2,) 0.09524
#> stft c (1025, 44) 1.119e+05
#> stream f (3584,) 765.5 f (3584,) 764.5 f (3584,) 766.4 f (3584,) 765.1 f (3584,) 762.4 f (3584,) 764.9 f (3584,) 766.7 f (3584,) 762.7 f (3584,) 761.9 f (3584,) 764.2 f (1570,) 336.3
#> tempo_frequencies f (8,) inf
#> time_to_frames i (2,) 42
#> time_to_samples i (2,) 1.102e+04
#> times_like f (44,) 10.98
#> tone f (400,) 254.6
#> zero_crossings b (22050,) 2420
#> cqt 2
#> griffinlim_cqt 1
#> hybrid_cqt 2
#> icqt 1
#> iirt 2

# %% librosa.beat.beat_track librosa.beat.plp librosa.beat.tempo librosa.effects.harmonic [slow: numba compiles]
# %%+ [slow: imports librosa]
# %%+ librosa.effects.hpss librosa.effects.percussive librosa.effects.pitch_shift
# %%+ librosa.effects.preemphasis librosa.effects.remix librosa.effects.split
# %%+ librosa.effects.time_stretch librosa.effects.trim librosa.feature.chroma_cens
# %%+ librosa.feature.chroma_cqt librosa.feature.chroma_stft librosa.feature.delta
# %%+ librosa.feature.fourier_tempogram librosa.feature.inverse.mel_to_audio
# %%+ librosa.feature.inverse.mel_to_stft librosa.feature.inverse.mfcc_to_audio
# %%+ librosa.feature.inverse.mfcc_to_mel librosa.feature.melspectrogram librosa.feature.mfcc
# %%+ librosa.feature.poly_features librosa.feature.rms librosa.feature.spectral_bandwidth
# %%+ librosa.feature.spectral_centroid librosa.feature.spectral_contrast
# %%+ librosa.feature.spectral_flatness librosa.feature.spectral_rolloff
# %%+ librosa.feature.stack_memory librosa.feature.tempogram librosa.feature.tonnetz
# %%+ librosa.feature.zero_crossing_rate librosa.onset.onset_detect librosa.onset.onset_strength
# %%+ librosa.onset.onset_strength_multi
# %%+ [needs: librosa] [not-on-1.15: librosa 0.7] [tolerance: 1e-3]
import warnings
import numpy as np
import librosa
from scipy.io import wavfile
warnings.simplefilter("ignore")
random, sr = np.random.RandomState(0), 22050
time = np.arange(sr) / sr
y64 = 0.5 * np.sin(2 * np.pi * 440 * time) + 0.3 * np.sin(2 * np.pi * 1330 * time * (1 + time)) + 0.05 * random.randn(sr)
y, clicks = y64.astype("f4"), np.zeros(6 * sr, "f4")
for i in range(12):
    clicks[i * sr // 2 + 300:][:1000] += (np.exp(-np.arange(1000) / 200.0) * random.randn(1000)).astype("f4")
silent = np.where((time > 0.3) & (time < 0.8), y, 0).astype("f4")
C = (random.randn(1025, 44) + 1j * random.randn(1025, 44)).astype("c8")
CQ = (random.randn(84, 44) + 1j * random.randn(84, 44)).astype("c8")
S, D, mf = np.abs(C), random.rand(5, 6).astype("f4"), 10 * random.randn(20, 30).astype("f4")
M, freqs, ones = S[:128] ** 2, np.arange(1025) * sr / 2048.0, np.zeros(100)
ones[[10, 30, 33, 60]] = [1, 2, 3, 4]
rec, cost = random.rand(20, 20) > 0.6, random.rand(10, 12)
prob, trans = random.rand(3, 10), np.full((3, 3), 0.2) + 0.4 * np.eye(3)
prob /= prob.sum(0)
wavfile.write("a.wav", sr, np.int16(y * 20000))
def shown(value):
    if type(value).__name__ == "generator":
        value = list(value)
    if isinstance(value, (list, tuple)):
        return " ".join(map(shown, value))
    if value is None or isinstance(value, (str, bool)):
        return str(value).rpartition("/")[2]
    array = np.asarray(value.toarray() if hasattr(value, "toarray") else value)
    if array.dtype.kind == "O":
        return type(value).__name__
    return "%s %s %.4g" % (array.dtype.kind, array.shape, np.nansum(np.abs(array * 1.0)))
for line in """\
beat.tempo(clicks, sr, None, 512, 100.0) |
effects.harmonic(y) |
effects.preemphasis(y, 0.9) |
effects.remix(y, [(0, 1000), (3000, 5000)], False) | (y, [(0, 1000), (3000, 5000)], align_zeros=False)
effects.split(silent, 20, np.max, 1024, 256) |
effects.time_stretch(y, 1.5) |
effects.trim(silent, 20, np.max, 1024, 256) |
feature.chroma_stft(y, sr) |
feature.delta(S, 5, 2) | (S, width=5, order=2)
feature.inverse.mfcc_to_mel(mf, 40) | (mf, n_mels=40)
feature.melspectrogram(y, sr) |
feature.poly_features(y, sr, None, 1024) |
feature.rms(y64, None, 1024, 256, False) |
feature.spectral_bandwidth(y, sr) |
feature.spectral_centroid(y, sr, None, 1024, 256) |
feature.spectral_contrast(y, sr) |
feature.spectral_flatness(y) |
feature.spectral_rolloff(y, sr) |
feature.stack_memory(S, 3, 2) | (S, n_steps=3, delay=2)
feature.zero_crossing_rate(y, 1024, 256) | (y, frame_length=1024, hop_length=256)
onset.onset_detect(onset_envelope=ones, sr=sr, units='time') |
""".splitlines():
    call = line.partition(" |")[0]
    print(call.partition("(")[0], shown(eval("librosa." + call)))
for line in """\
feature.inverse.mel_to_audio(M, sr, n_iter=2) |
feature.inverse.mel_to_stft(M, sr, 1024) | (M, sr=sr, n_fft=1024)
feature.inverse.mfcc_to_audio(mf, 40, n_iter=2) |
""".splitlines():
    call = line.partition(" |")[0]
    found = eval("librosa." + call)
    print(call.partition("(")[0], np.shape(found[0] if isinstance(found, tuple) else found))
for line in """\
beat.beat_track(clicks, sr, None, 512, 120.0, 100, True) |
beat.plp(clicks, sr, None, 512, 192, 30, 300) |
effects.hpss(y) |
effects.percussive(y, margin=2.0) |
effects.pitch_shift(y, sr, 3, 12) |
feature.chroma_cens(y, sr) |
feature.chroma_cqt(y, sr) |
feature.fourier_tempogram(clicks, sr) |
feature.mfcc(y, sr) |
feature.tempogram(clicks, sr) |
feature.tonnetz(y, sr) |
onset.onset_strength(clicks, sr) |
onset.onset_strength_multi(y, sr, channels=[0, 32, 64, 96, 128]) |
""".splitlines():  # today's numbers
    call = line.partition(" |")[0]
    eval("librosa." + call)
    print(call.partition("(")[0])
#> beat.tempo f (1,) 117.5
#> effects.harmonic f (22050,) 6924
#> effects.preemphasis f (22050,) 3255
#> effects.remix f (3000,) 1054
#> effects.split i (1, 2) 2.432e+04
#> effects.time_stretch f (14700,) 4835
#> effects.trim f (12032,) 3852 i (2,) 2.432e+04
#> feature.chroma_stft f (12, 44) 82.82
#> feature.delta f (1025, 44) 1.259e+04
#> feature.inverse.mfcc_to_mel f (40, 30) 3902
#> feature.melspectrogram f (128, 44) 1.927e+05
#> feature.poly_features f (2, 44) 174.4
#> feature.rms f (1, 83) 34.44
#> feature.spectral_bandwidth f (1, 44) 1.343e+05
#> feature.spectral_centroid f (1, 87) 2.921e+05
#> feature.spectral_contrast f (7, 44) 5184
#> feature.spectral_flatness f (1, 44) 0.4261
#> feature.spectral_rolloff f (1, 44) 3.356e+05
#> feature.stack_memory f (3075, 44) 1.616e+05
#> feature.zero_crossing_rate f (1, 87) 9.135
#> onset.onset_detect f (4,) 3.088
#> feature.inverse.mel_to_audio (22016,)
#> feature.inverse.mel_to_stft (513, 44)
#> feature.inverse.mfcc_to_audio (14848,)
#> beat.beat_track
#> beat.plp
#> effects.hpss
#> effects.percussive
#> effects.pitch_shift
#> feature.chroma_cens
#> feature.chroma_cqt
#> feature.fourier_tempogram
#> feature.mfcc
#> feature.tempogram
#> feature.tonnetz
#> onset.onset_strength
#> onset.onset_strength_multi

# %% librosa.decompose.decompose librosa.decompose.hpss librosa.decompose.nn_filter [slow: numba compiles]
# %%+ [slow: imports librosa]
# %%+ librosa.filters.chroma librosa.filters.constant_q librosa.filters.constant_q_lengths
# %%+ librosa.filters.cq_to_chroma librosa.filters.diagonal_filter librosa.filters.get_window
# %%+ librosa.filters.mel librosa.filters.semitone_filterbank
# %%+ librosa.filters.window_sumsquare librosa.segment.agglomerative
# %%+ librosa.segment.cross_similarity librosa.segment.lag_to_recurrence
# %%+ librosa.segment.path_enhance librosa.segment.recurrence_matrix
# %%+ librosa.segment.recurrence_to_lag librosa.segment.subsegment librosa.sequence.dtw
# %%+ librosa.sequence.rqa librosa.sequence.transition_local librosa.sequence.viterbi
# %%+ librosa.sequence.viterbi_binary librosa.sequence.viterbi_discriminative
# %%+ librosa.util.axis_sort librosa.util.buf_to_float librosa.util.cyclic_gradient
# %%+ librosa.util.fill_off_diagonal librosa.util.find_files librosa.util.fix_frames
# %%+ librosa.util.fix_length librosa.util.frame librosa.util.index_to_slice
# %%+ librosa.util.localmax librosa.util.normalize
# %%+ librosa.util.pad_center librosa.util.peak_pick librosa.util.shear librosa.util.softmask
# %%+ librosa.util.sparsify_rows librosa.util.stack librosa.util.sync
# %%+ librosa.util.valid_int
# %%+ [needs: librosa] [not-on-1.15: librosa 0.7] [tolerance: 1e-3]
import warnings
import numpy as np
import librosa
from scipy.io import wavfile
warnings.simplefilter("ignore")
random, sr = np.random.RandomState(0), 22050
time = np.arange(sr) / sr
y64 = 0.5 * np.sin(2 * np.pi * 440 * time) + 0.3 * np.sin(2 * np.pi * 1330 * time * (1 + time)) + 0.05 * random.randn(sr)
y, clicks = y64.astype("f4"), np.zeros(6 * sr, "f4")
for i in range(12):
    clicks[i * sr // 2 + 300:][:1000] += (np.exp(-np.arange(1000) / 200.0) * random.randn(1000)).astype("f4")
silent = np.where((time > 0.3) & (time < 0.8), y, 0).astype("f4")
C = (random.randn(1025, 44) + 1j * random.randn(1025, 44)).astype("c8")
CQ = (random.randn(84, 44) + 1j * random.randn(84, 44)).astype("c8")
S, D, mf = np.abs(C), random.rand(5, 6).astype("f4"), 10 * random.randn(20, 30).astype("f4")
M, freqs, ones = S[:128] ** 2, np.arange(1025) * sr / 2048.0, np.zeros(100)
ones[[10, 30, 33, 60]] = [1, 2, 3, 4]
rec, cost = random.rand(20, 20) > 0.6, random.rand(10, 12)
prob, trans = random.rand(3, 10), np.full((3, 3), 0.2) + 0.4 * np.eye(3)
prob /= prob.sum(0)
wavfile.write("a.wav", sr, np.int16(y * 20000))
def shown(value):
    if type(value).__name__ == "generator":
        value = list(value)
    if isinstance(value, (list, tuple)):
        return " ".join(map(shown, value))
    if value is None or isinstance(value, (str, bool)):
        return str(value).rpartition("/")[2]
    array = np.asarray(value.toarray() if hasattr(value, "toarray") else value)
    if array.dtype.kind == "O":
        return type(value).__name__
    return "%s %s %.4g" % (array.dtype.kind, array.shape, np.nansum(np.abs(array * 1.0)))
for line in """\
decompose.hpss(S, 15, 2.0, False, 1.5) | (S, kernel_size=15, power=2.0, mask=False, margin=1.5)
decompose.nn_filter(S, None, np.median) |
filters.chroma(sr, 1024, 24, 0.1) |
filters.cq_to_chroma(36, 12, 12) | (36, bins_per_octave=12, n_chroma=12)
filters.diagonal_filter('hann', 5, 1.5) | ('hann', 5, slope=1.5)
filters.get_window('hann', 64, False) | ('hann', 64, fftbins=False)
filters.window_sumsquare('hann', 10, 256, 1024, 1024) | (window='hann', n_frames=10, hop_length=256, win_length=1024, n_fft=1024)
segment.agglomerative(S, 4, None, -1) | (S, 4, clusterer=None, axis=-1)
segment.cross_similarity(S, S[:, :10], 3) |
segment.lag_to_recurrence(np.vstack([rec, rec]) * 1.0, 1) | (np.vstack([rec, rec]) * 1.0, axis=1)
segment.path_enhance(rec * 1.0, 9, 'hann', 2.0) | (rec * 1.0, 9, window='hann', max_ratio=2.0)
segment.recurrence_matrix(S, 5, 2) |
segment.recurrence_to_lag(rec, False) | (rec, pad=False)
segment.subsegment(S, np.array([0, 10, 20]), 3) | (S, np.array([0, 10, 20]), n_segments=3)
sequence.dtw(S[:, :20], S[:, 5:30], None, 'cosine') | (S[:, :20], S[:, 5:30], C=None, metric='cosine')
sequence.rqa(rec * 1.0, 1, 1) | (rec * 1.0, gap_onset=1, gap_extend=1)
sequence.transition_local(5, 3, 'triangle', True) | (5, 3, window='triangle', wrap=True)
util.axis_sort(S, 1, True) |
util.buf_to_float(np.arange(8, dtype='i2'), 2) | (np.arange(8, dtype='i2'), n_bytes=2)
util.cyclic_gradient(S, 2, 0) | (S, edge_order=2, axis=0)
util.fill_off_diagonal(np.ones((8, 8)), 0.1) | (np.ones((8, 8)), radius=0.1)
util.find_files('.', 'wav', False) | ('.', ext='wav', recurse=False)
util.fix_frames([3, 10], 0, 30) | ([3, 10], x_min=0, x_max=30)
util.fix_length(y, 100) | (y, size=100)
util.frame(y) | (y, frame_length=2048, hop_length=512)
util.index_to_slice([0, 3, 8], 0, 10) | ([0, 3, 8], idx_min=0, idx_max=10)
util.localmax(S, 1) | (S, axis=1)
util.match_events(np.array([1, 5.0]), np.array([0, 2, 4, 6.0])) |
util.normalize(S, 2, 1) | (S, norm=2, axis=1)
util.pad_center(np.ones(5), 10) | (np.ones(5), size=10)
util.peak_pick(ones, 3, 3, 3, 5, 0.5, 10) |
util.shear(np.eye(4), -1, 0) | (np.eye(4), factor=-1, axis=0)
util.softmask(S, S[::-1], 2, True) | (S, S[::-1], power=2, split_zeros=True)
util.sparsify_rows(S[:4], 0.1) | (S[:4], quantile=0.1)
util.stack([y, y], 1) | ([y, y], axis=1)
util.sync(S, [0, 10, 20], np.median) | (S, [0, 10, 20], aggregate=np.median)
util.valid_int(3.7, np.ceil) | (3.7, cast=np.ceil)
""".splitlines():
    call = line.partition(" |")[0]
    print(call.partition("(")[0], shown(eval("librosa." + call)))
for line in """\
decompose.decompose(S, 4, sort=True) |
""".splitlines():
    call = line.partition(" |")[0]
    found = eval("librosa." + call)
    print(call.partition("(")[0], np.shape(found[0] if isinstance(found, tuple) else found))
for line in """\
filters.constant_q(sr, 32.7, 24, 12) |
filters.constant_q_lengths(sr, 32.7, 24, 12) |
filters.mel(sr, 1024, 40, 20.0, 4000.0, True, 1) |
filters.mr_frequencies(0.0) |
filters.semitone_filterbank(None, 0.0)[1] |
sequence.viterbi(prob, trans, None, True) |
sequence.viterbi_binary(prob[:1], np.array([[.7, .3], [.2, .8]]), None, None, True) |
sequence.viterbi_discriminative(prob, trans, None, None, True) |
""".splitlines():  # today's numbers
    call = line.partition(" |")[0]
    eval("librosa." + call)
    print(call.partition("(")[0])
#> decompose.hpss f (1025, 44) 1.796e+04 f (1025, 44) 1.792e+04
#> decompose.nn_filter f (1025, 44) 5.328e+04
#> filters.chroma f (24, 513) 345.8
#> filters.cq_to_chroma f (12, 36) 36
#> filters.diagonal_filter f (6, 6) 1
#> filters.get_window f (64,) 31.5
#> filters.window_sumsquare f (3328,) 3840
#> segment.agglomerative i (4,) 38
#> segment.cross_similarity b (10, 44) 132
#> segment.lag_to_recurrence f (20, 20) 148
#> segment.path_enhance f (20, 20) 179.5
#> segment.recurrence_matrix b (44, 44) 220
#> segment.recurrence_to_lag b (20, 20) 148
#> segment.subsegment i (9,) 137
#> sequence.dtw f (20, 25) 1356 i (30, 2) 680
#> sequence.rqa f (20, 20) 1218 u (13, 2) 223
#> sequence.transition_local f (5, 5) 5
#> util.axis_sort f (1025, 44) 5.642e+04 i (44,) 946
#> util.buf_to_float f (8,) 0.0008545
#> util.cyclic_gradient f (1025, 44) 1.661e+04
#> util.fill_off_diagonal None
#> util.find_files a.wav
#> util.fix_frames i (4,) 43
#> util.fix_length f (100,) 38.33
#> util.frame f (2048, 40) 2.863e+04
#> util.index_to_slice slice slice slice
#> util.localmax b (1025, 44) 1.484e+04
#> util.match_events i (2,) 4
#> util.normalize f (1025, 44) 6038
#> util.pad_center f (10,) 5
#> util.peak_pick i (3,) 100
#> util.shear f (4, 4) 4
#> util.softmask f (1025, 44) 2.255e+04
#> util.sparsify_rows f (4, 44) 196.5
#> util.stack f (22050, 2) 1.542e+04
#> util.sync f (1025, 3) 3636
#> util.valid_int i () 4
#> decompose.decompose (1025, 4)
#> filters.constant_q
#> filters.constant_q_lengths
#> filters.mel
#> filters.mr_frequencies
#> filters.semitone_filterbank
#> sequence.viterbi
#> sequence.viterbi_binary
#> sequence.viterbi_discriminative

# %% librosa.display.cmap librosa.display.specshow librosa.display.waveplot
# %%+ [slow: imports librosa]
# %%+ [needs: librosa matplotlib] [not-on-1.15: librosa 0.7]
import matplotlib
matplotlib.use("agg")
import warnings
import numpy as np
import librosa
import librosa.display
warnings.simplefilter("ignore")
S = np.random.RandomState(0).rand(5, 6)
print(librosa.display.cmap(S, False).name)
librosa.display.specshow(S, None, None, "time")
librosa.display.waveplot(S[0], 100)
print("drawn")
#> magma
#> drawn

# %% librosa.output librosa.core.time_frequency [slow: imports librosa]
# %%+ [needs: librosa] [not-on-1.15: librosa 0.7] [tolerance: 1e-3]
import warnings
import numpy as np
import librosa
from scipy.io import wavfile
warnings.simplefilter("ignore")
random, sr = np.random.RandomState(0), 22050
time = np.arange(sr) / sr
y64 = 0.5 * np.sin(2 * np.pi * 440 * time) + 0.3 * np.sin(2 * np.pi * 1330 * time * (1 + time)) + 0.05 * random.randn(sr)
y, clicks = y64.astype("f4"), np.zeros(6 * sr, "f4")
for i in range(12):
    clicks[i * sr // 2 + 300:][:1000] += (np.exp(-np.arange(1000) / 200.0) * random.randn(1000)).astype("f4")
silent = np.where((time > 0.3) & (time < 0.8), y, 0).astype("f4")
C = (random.randn(1025, 44) + 1j * random.randn(1025, 44)).astype("c8")
CQ = (random.randn(84, 44) + 1j * random.randn(84, 44)).astype("c8")
S, D, mf = np.abs(C), random.rand(5, 6).astype("f4"), 10 * random.randn(20, 30).astype("f4")
M, freqs, ones = S[:128] ** 2, np.arange(1025) * sr / 2048.0, np.zeros(100)
ones[[10, 30, 33, 60]] = [1, 2, 3, 4]
rec, cost = random.rand(20, 20) > 0.6, random.rand(10, 12)
prob, trans = random.rand(3, 10), np.full((3, 3), 0.2) + 0.4 * np.eye(3)
prob /= prob.sum(0)
wavfile.write("a.wav", sr, np.int16(y * 20000))
def shown(value):
    if type(value).__name__ == "generator":
        value = list(value)
    if isinstance(value, (list, tuple)):
        return " ".join(map(shown, value))
    if value is None or isinstance(value, (str, bool)):
        return str(value).rpartition("/")[2]
    array = np.asarray(value.toarray() if hasattr(value, "toarray") else value)
    if array.dtype.kind == "O":
        return type(value).__name__
    return "%s %s %.4g" % (array.dtype.kind, array.shape, np.nansum(np.abs(array * 1.0)))
from librosa.core.time_frequency import hz_to_mel
for found in (
    librosa.stft(y, 512), hz_to_mel(440.0, htk=True), librosa.load("a.wav", None), librosa.core.time_frequency.midi_to_hz(60),
):
    print(shown(found))
librosa.output.write_wav("o.wav", y, sr, True)
rate, found = wavfile.read("o.wav")
print(rate, shown(found))
#> c (257, 173) 6.358e+04
#> f () 549.6
#> f (22050,) 4705 i () 2.205e+04
#> f () 261.6
#> 22050 f (22050,) 8128

# %% librosa.feature.rmse librosa.dtw librosa.fill_off_diagonal [slow: imports librosa]
# %%+ librosa.util.frame
# %%+ [needs: librosa] [not-on-1.15: librosa 0.6] [tolerance: 1e-3]
import warnings
import numpy as np
import librosa
from scipy.io import wavfile
warnings.simplefilter("ignore")
random, sr = np.random.RandomState(0), 22050
time = np.arange(sr) / sr
y64 = 0.5 * np.sin(2 * np.pi * 440 * time) + 0.3 * np.sin(2 * np.pi * 1330 * time * (1 + time)) + 0.05 * random.randn(sr)
y, clicks = y64.astype("f4"), np.zeros(6 * sr, "f4")
for i in range(12):
    clicks[i * sr // 2 + 300:][:1000] += (np.exp(-np.arange(1000) / 200.0) * random.randn(1000)).astype("f4")
silent = np.where((time > 0.3) & (time < 0.8), y, 0).astype("f4")
C = (random.randn(1025, 44) + 1j * random.randn(1025, 44)).astype("c8")
CQ = (random.randn(84, 44) + 1j * random.randn(84, 44)).astype("c8")
S, D, mf = np.abs(C), random.rand(5, 6).astype("f4"), 10 * random.randn(20, 30).astype("f4")
M, freqs, ones = S[:128] ** 2, np.arange(1025) * sr / 2048.0, np.zeros(100)
ones[[10, 30, 33, 60]] = [1, 2, 3, 4]
rec, cost = random.rand(20, 20) > 0.6, random.rand(10, 12)
prob, trans = random.rand(3, 10), np.full((3, 3), 0.2) + 0.4 * np.eye(3)
prob /= prob.sum(0)
wavfile.write("a.wav", sr, np.int16(y * 20000))
def shown(value):
    if type(value).__name__ == "generator":
        value = list(value)
    if isinstance(value, (list, tuple)):
        return " ".join(map(shown, value))
    if value is None or isinstance(value, (str, bool)):
        return str(value).rpartition("/")[2]
    array = np.asarray(value.toarray() if hasattr(value, "toarray") else value)
    if array.dtype.kind == "O":
        return type(value).__name__
    return "%s %s %.4g" % (array.dtype.kind, array.shape, np.nansum(np.abs(array * 1.0)))
from librosa import dtw
square = np.ones((8, 8))
librosa.fill_off_diagonal(square, radius=0.1)
for found in (
    librosa.feature.rmse(y), librosa.feature.rmse(S=S), librosa.feature.rmse(y, None, 1024, 256, False), dtw(S[:, :20], S[:, 5:30]),
    librosa.dtw(S[:, :20], S[:, 5:30], metric="cosine"), square,
    librosa.util.frame(y, hop_length=256), librosa.feature.delta(S),
    librosa.stft(y.astype("f8"), 512),
):
    print(shown(found))
#> f (1, 44) 18.26
#> f (1, 44) 62.15
#> f (1, 83) 34.44
#> f (20, 25) 1.871e+05 i (30, 2) 680
#> f (20, 25) 1356 i (30, 2) 680
#> f (8, 8) 8
#> f (2048, 79) 5.653e+04
#> f (1025, 44) 3031
#> c (257, 173) 6.358e+04

# %% librosa.logamplitude librosa.core.logamplitude librosa.core.spectrum.logamplitude librosa.get_duration librosa.core.get_duration
# %%+ [not-on-1.15: librosa is not there] [needs: librosa]
import numpy as np
import librosa
from librosa.core.spectrum import logamplitude
rng = np.random.RandomState(0)
S = rng.rand(4, 5)
def decibels(S, ref, amin=1e-10, top_db=80.0):
    d = 10 * np.log10(np.maximum(amin, S)) - 10 * np.log10(np.maximum(amin, ref))
    return d if top_db is None else np.maximum(d, d.max() - top_db)
print(np.allclose(librosa.logamplitude(S), decibels(S, 1.0)), np.allclose(librosa.logamplitude(S, ref_power=np.max), decibels(S, S.max())), np.allclose(logamplitude(S, 0.5, 1e-3, 10.0), decibels(S, 0.5, 1e-3, 10.0)), np.allclose(librosa.core.logamplitude(S ** 9, ref_power=2.0, top_db=None), decibels(S ** 9, 2.0, top_db=None)))
y = np.zeros(11025)
print(librosa.get_duration(y, 22050), librosa.get_duration(y, sr=11025), librosa.core.get_duration(y=y))
#> True True True True
#> 0.5 1.0 0.5
