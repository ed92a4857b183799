"""Stand-ins for the data of projects: scans, speech, traffic, titles, prices, handwriting."""

import json
import pickle
import shutil
import struct
import wave
import zipfile

import numpy as np

from corpus_parts.samples import WORDS, digits, image, text, write_lines


def _records(path, rows):
    """A TFRecord file of `tf.train.Example`, one a row {name: list of bytes, ints or floats}."""
    import tensorflow as tf

    path.parent.mkdir(parents=True, exist_ok=True)
    with tf.io.TFRecordWriter(str(path)) as file:
        for row in rows:
            file.write(_example(row).SerializeToString())


def _example(row):
    import tensorflow as tf

    example = tf.train.Example()
    for name, values in row.items():
        kind = {bytes: "bytes_list", int: "int64_list", float: "float_list"}[type(values[0])]
        getattr(example.features.feature[name], kind).value.extend(values)
    return example


def _scan(path, shape, seed, whole=False):
    """A volume of noise around a bright box; or labels 0 to 8."""
    import SimpleITK

    random = np.random.RandomState(seed)
    volume = random.normal(0, 10, shape)
    volume[:, shape[1] // 3 :, shape[2] // 3 :] += 100
    if whole:
        volume = random.randint(0, 9, shape)
    path.parent.mkdir(parents=True, exist_ok=True)
    volume = volume.astype(np.int16)
    SimpleITK.WriteImage(SimpleITK.GetImageFromArray(volume), str(path))


def _head_scans(folder):
    """Rows of patients, a hundred of which train, and three kinds of scans of four of them."""
    rows = [f"patient{row % 4},{row % 2},{20 + row}" for row in range(104)]
    write_lines(folder / "demographic_HH.csv", ["IXI_ID,sex,age", *rows])
    for number in range(4):
        for seed, kind in enumerate(("T1", "T2", "PD")):
            place = folder / "1mm" / f"patient{number}" / f"{kind}_1mm.nii.gz"
            _scan(place, (4, 224, 224), 10 * number + seed)


def _brains(folder):
    """Five folders of scans with labels, and a list of them beside the folder."""
    rows = [f"{number},{folder.name}/{number}" for number in range(1, 6)]
    write_lines(folder.with_suffix(".csv"), ["id,subj_folder", *rows])
    for number in range(1, 6):
        for seed, kind in enumerate(("T1", "T1_IR", "T2_FLAIR")):
            _scan(folder / str(number) / f"{kind}.nii", (12, 160, 160), 10 * number + seed)
        _scan(folder / str(number) / "LabelsForTraining.nii", (12, 160, 160), number, whole=True)


def _ad_clicks(folder):
    """Labels with one feature of each of eight fields, as libsvm has them."""
    random = np.random.RandomState(0)
    write_lines(folder / "featindex.txt", [f"{1 + at // 20}:{at % 20}\t{at}" for at in range(160)])
    for part, count in (("train", 4000), ("test", 1000)):
        lines = []
        for row in random.randint(0, 20, (count, 8)):
            fields = " ".join(f"{20 * field + value}:1" for field, value in enumerate(row))
            lines.append(f"{int(row[0] > 12)} {fields}")
        write_lines(folder / f"{part}.txt", lines)


def _verification_scores(folder):
    folder.mkdir(parents=True, exist_ok=True)
    labels = np.arange(400) % 2
    scores = labels + np.random.RandomState(0).normal(0, 0.7, 400)
    np.save(str(folder / "score_vector.npy"), scores)
    np.save(str(folder / "target_label_vector.npy"), labels)


def _waves(days, width, seed=0):
    """Speeds of traffic: a daily wave with noise, [288 times a day, roads]."""
    random = np.random.RandomState(seed)
    time = np.arange(days * 288)[:, None] / 288 * 2 * np.pi
    return 50 + 10 * np.sin(time + np.arange(width)) + random.normal(0, 2, (days * 288, width))


def _table(path, rows, header=None):
    lines = [",".join(f"{value:.3f}" for value in row) for row in rows]
    write_lines(path, [*([header] if header else []), *lines])


def _traffic(folder):
    """The distances of 20 roads, and their speeds of 44 days."""
    distances = np.abs(np.random.RandomState(0).normal(0, 5000, (20, 20)))
    np.fill_diagonal(distances, 0)
    _table(folder / "PeMSD7_W_20.csv", distances + distances.T)
    _table(folder / "PeMSD7_V_20.csv", _waves(44, 20))


def _speeds(path):
    _table(path, _waves(11, 156)[:2976], header=",".join(f"road{at}" for at in range(156)))


def _ranked_pages(folder):
    """Queries with pages of 46 features and a rank, as the LETOR collections have them."""
    random = np.random.RandomState(0)
    lines = []
    for at in range(1200):
        rank = random.randint(0, 3)
        values = np.clip(random.uniform(0, 0.6, 46) + rank * 0.2, 0, 1)
        fields = " ".join(f"{number}:{value:.6f}" for number, value in enumerate(values, 1))
        lines.append(f"{rank} qid:{at // 30} {fields} #docid = GX{at:05d} inc = 1 prob = 0.5")
    write_lines(folder / "Large_norm.txt", lines)
    write_lines(folder / "train.txt", lines[:900])
    write_lines(folder / "test.txt", lines[900:])


def _windows_cifar10(prefix):
    """The binary files of CIFAR-10 whose names begin with a folder of Windows."""
    for number in range(1, 6):
        images, labels = digits(4000, size=32, seed=number)
        pixels = np.repeat(images[:, None], 3, axis=1).reshape(len(images), -1)
        body = np.hstack([labels[:, None], pixels]).astype(np.uint8).tobytes()
        prefix.with_name(f"{prefix.name}data_batch_{number}.bin").write_bytes(body)


def _cifar10_bin_full(folder):
    """As many images as the original has."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, name in enumerate([f"data_batch_{at}" for at in range(1, 6)] + ["test_batch"]):
        images, labels = digits(10000, size=32, seed=number)
        pixels = np.repeat(images[:, None], 3, axis=1).reshape(len(images), -1)
        body = np.hstack([labels[:, None], pixels]).astype(np.uint8)
        (folder / f"{name}.bin").write_bytes(body.tobytes())


#: Settings of a small model that compares sentences: numbers, parts in use, and parts left out.
_SIZES = (
    "max_sent_length max_char_per_word char_emb_dim char_lstm_dim context_lstm_dim "
    "aggregation_lstm_dim cosine_MP_dim att_dim"
).split()
_PARTS = (
    "char full_match maxpool_match attentive_match max_attentive_match cosine mp_cosine highway "
    "match_highway aggregation_highway"
).split()
_OFF = ("use_cudnn", "with_moving_average")


def _sentence_pairs(folder):
    """Pairs of sentences, vectors of the words, and settings of a model that compares them."""
    lines = [line for line in text(6000).splitlines() if len(line.split()) > 4]
    pairs = [f"{at % 2}\t{line}\t{lines[at - at % 2]}\t{at}" for at, line in enumerate(lines)]
    for part, rows in (("train", pairs[:400]), ("dev", pairs[400:460]), ("test", pairs[460:])):
        write_lines(folder / f"{part}.tsv", rows)
    vectors = np.random.RandomState(0).normal(0, 0.1, (len(WORDS), 20)).round(4)
    rows = [" ".join([word, *map(str, row)]) for word, row in zip(WORDS, vectors)]
    write_lines(folder / "wordvec.txt", rows)
    settings = {f"{part}_path": f"{folder.name}/{part}.tsv" for part in ("train", "dev", "test")}
    settings.update({name: 8 for name in _SIZES}, word_vec_path=f"{folder.name}/wordvec.txt")
    settings.update({f"with_{name}": True for name in _PARTS}, model_dir="logs", suffix="small")
    settings.update(
        dict.fromkeys(_OFF, False), isLower=True, fix_word_vec=True, att_type="symmetric"
    )
    settings.update(batch_size=20, max_epochs=2, optimize_type="adam", lambda_l2=0.0)
    settings.update(dropout_rate=0.1, learning_rate=0.001, grad_clipper=10.0)
    settings.update({f"{layer}_layer_num": 1 for layer in ("context", "aggregation", "highway")})
    write_lines(folder / "settings.json", [json.dumps(settings)])


def _articles(folder):
    """Articles and abstracts in length-prefixed examples, and the words with their counts."""
    lines = text(12000).splitlines()
    folder.mkdir(parents=True, exist_ok=True)
    with open(str(folder / "train_000.bin"), "wb") as file:
        for at in range(0, len(lines) - 8, 8):
            abstract = " ".join(f"<s> {line} </s>" for line in lines[at : at + 2])
            row = {"article": " . ".join(lines[at : at + 8]), "abstract": abstract}
            body = _example({name: [value.encode()] for name, value in row.items()})
            body = body.SerializeToString()
            file.write(struct.pack("q", len(body)) + body)
    write_lines(folder / "vocab", [f"{word} {1000 - at}" for at, word in enumerate(WORDS)])


def _handwriting(path):
    """Strokes of a pen in one pickle: arrays [points, (dx, dy, end of stroke)]."""
    random = np.random.RandomState(0)
    strokes = []
    for _ in range(120):
        moves = random.normal(0, 8, (400, 2)) + [3, 0]
        ends = random.uniform(size=(400, 1)) < 0.05
        strokes.append(np.hstack([moves, ends]).astype(np.int16))
    path.parent.mkdir(parents=True, exist_ok=True)
    body = pickle.dumps(strokes, protocol=2).replace(b"cnumpy._core.", b"cnumpy.core.")
    path.write_bytes(body)


def _sound(path, rate, seconds, seed):
    """Tones with noise, 16 bits, one channel."""
    random = np.random.RandomState(seed)
    time = np.arange(int(rate * seconds)) / rate
    tones = sum(np.sin(2 * np.pi * pitch * time) for pitch in random.uniform(80, 2000, 4)) / 5
    sound = (tones + random.normal(0, 0.01, len(time))) * 20000
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(np.clip(sound, -32768, 32767).astype("<i2").tobytes())


def _speech(folder, count=8):
    """Recordings with their transcripts."""
    lines = [" ".join(line.split()[:4]) for line in text(2000).splitlines()]
    names = [f"LJ{number:03d}" for number in range(count)]
    rows = [f"{name}|{line}|{line}" for name, line in zip(names, lines)]
    for name in ("transcript.csv", "metadata.csv"):
        write_lines(folder / name, rows)
    for seed, name in enumerate(names):
        _sound(folder / "wavs" / f"{name}.wav", 22050, 1.5, seed)


def _speech_many(folder):
    _speech(folder, 40)


def _spectrograms(folder):
    """Of each recording of `_speech_many`, in the folders mels and mags beside each other."""
    random = np.random.RandomState(0)
    for name, width, frames in (("mels", 80, 30), ("mags", 1025, 120)):
        (folder.parent / name).mkdir(parents=True, exist_ok=True)
        for number in range(40):
            values = random.uniform(0, 1, (frames, width)).astype(np.float32)
            np.save(str(folder.parent / name / f"LJ{number:03d}.npy"), values)


def _noisy_speech(folder):
    for name, shift in (("noisy_trainset_wav_16k", 50), ("clean_trainset_wav_16k", 0)):
        for seed in range(4):
            _sound(folder / name / f"p{seed}.wav", 16000, 3, seed + shift)


def _noisy_records(path):
    random = np.random.RandomState(0)
    rows = []
    for _ in range(60):
        clean = random.randint(-9000, 9000, 2**14).astype(np.int32)
        noisy = clean + random.randint(-500, 500, 2**14).astype(np.int32)
        rows.append({"wav_raw": [clean.tobytes()], "noisy_raw": [noisy.tobytes()]})
    _records(path, rows)


def _title_records(path):
    """Three titles a row, as numbers of words, of their kinds and of characters."""
    random = np.random.RandomState(0)
    rows = []
    for at in range(400):
        row = {"anchor_item": [at], "anchor_cate": [at % 7], "anchor_commodity": [at % 5]}
        for side in ("anchor", "higher", "lower"):
            row[f"{side}_title_word"] = [int(value) for value in random.randint(0, 900, 30)]
            row[f"{side}_title_word_tag"] = [int(value) for value in random.randint(0, 36, 30)]
            row[f"{side}_title_word_weight"] = [float(value) for value in random.rand(30)]
            row[f"{side}_title_char"] = [int(value) for value in random.randint(0, 400, 60)]
        rows.append(row)
    _records(path, rows)


def _prices(path):
    prices = 100 + np.cumsum(np.random.RandomState(0).normal(0.05, 1, 2000))
    rows = [f"day{at},{price:.3f},{price + 0.5:.3f}" for at, price in enumerate(np.abs(prices))]
    write_lines(path, ["Date,Open,Close", *rows])


def _page_views(folder):
    """Views of pages by kind of reader and day, and those of the last days once more."""
    random = np.random.RandomState(0)
    days = np.arange("2015-07-01", "2017-09-12", dtype="datetime64[D]").astype(str)
    names = [
        f"Page{number}_{language}.wikipedia.org_{access}_{agent}"
        for number in range(12)
        for language in ("en", "de")
        for access, agent in (("all-access", "spider"), ("desktop", "all-agents"))
    ]
    views = random.poisson(40, (len(names), len(days)))
    for name, start, end in (("train_2", 0, -1), ("2017-08-15_2017-09-11", -28, None)):
        header = ",".join(["Page", *days[start:end]])
        rows = [",".join([page, *map(str, row[start:end])]) for page, row in zip(names, views)]
        write_lines(folder / f"{name}.csv", [header, *rows])


def _crimes(path):
    """Descriptions in categories, in an archive."""
    lines = text(20000).splitlines()
    rows = [f"2015-05-13,KIND{len(line) % 6},{line.upper()}" for line in lines]
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(str(path), "w") as archive:
        archive.writestr("train.csv", "\n".join(["Dates,Category,Descript", *rows]) + "\n")


def _related_names(folder):
    """Sentences about two names as arrays: words, distances to the names, relations."""
    random = np.random.RandomState(0)
    folder.mkdir(parents=True, exist_ok=True)
    np.save(str(folder / "vec.npy"), random.normal(0, 0.1, (16691, 100)).astype(np.float32))
    np.save(str(folder / "train_y.npy"), np.eye(12, dtype=int)[random.randint(0, 12, 600)])
    np.save(str(folder / "train_word.npy"), random.randint(0, 16691, (600, 1, 70)))
    for name in ("train_pos1", "train_pos2"):
        np.save(str(folder / f"{name}.npy"), random.randint(0, 123, (600, 1, 70)))


def _text_in_pictures(folder):
    """Pictures with the corners of the texts in them, as ICDAR has them."""
    for seed in range(12):
        image(folder / f"img_{seed}.jpg", size=(300, 300), seed=seed)
        boxes = ["40,40,180,40,180,90,40,90,word", "60,150,260,150,260,210,60,210,other"]
        write_lines(folder / f"img_{seed}.txt", boxes)


def _molecules_like(path):
    """A copy of the molecules that the checkout has for validation."""
    shutil.copy(str(path.with_name("valid.jsonl.gz")), str(path))


MAKERS = {
    "head-scans": _head_scans,
    "brains": _brains,
    "ad-clicks": _ad_clicks,
    "verification-scores": _verification_scores,
    "traffic": _traffic,
    "speeds": _speeds,
    "ranked-pages": _ranked_pages,
    "windows-cifar10": _windows_cifar10,
    "cifar10-bin-full": _cifar10_bin_full,
    "sentence-pairs": _sentence_pairs,
    "articles": _articles,
    "handwriting": _handwriting,
    "speech": _speech,
    "speech-many": _speech_many,
    "spectrograms": _spectrograms,
    "noisy-speech": _noisy_speech,
    "noisy-records": _noisy_records,
    "title-records": _title_records,
    "prices": _prices,
    "page-views": _page_views,
    "crimes": _crimes,
    "related-names": _related_names,
    "text-in-pictures": _text_in_pictures,
    "molecules-like": _molecules_like,
}
