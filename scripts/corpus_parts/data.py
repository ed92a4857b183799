"""Small local stand-ins for the data that public scripts expect, made by rule, never fetched.

A script's data column says "kind:place kind:place". A place is where the public
script itself looks, to the letter, such as "/tmp/data" or "../data". One that is
relative to the script's folder is made in the copy of that folder. At one outside
of it nothing is written: it is made inside the copy, and the text of the copied
scripts is made to point there. "mnist-loader:mnist.load_data" makes a module whose
function stands for that one of Keras, which accepts no file but the original; "package:name"
makes nothing: an installed package of TF 1 that the script imports, which `run` is told by
--v1-package; "option:--python2" is another option of `run`.
"""

import gzip
import json
import pathlib
import pickle
import struct

import numpy as np

from corpus_parts import papers, projects
from corpus_parts.samples import WORDS, digits, image, text, write_lines

#: A dialogue: questions and answers.
SIDES = ("enc", "dec")


def needs(column):
    """The (kind, place) pairs of a data column."""
    return [tuple(word.split(":", 1)) for word in column.split()]


def make(column, folder):
    """Makes what a data column names; returns {place outside of the folder: where it is now}."""
    moved = {}
    for kind, place in needs(column):
        if kind == "mnist-loader":
            moved[place + "("] = "__import__('mnist_npz').load_data("
        here = pathlib.Path(folder) / place.lstrip("./")
        if place.startswith(("/", "..")):
            moved[place] = str(here)
        MAKERS[kind](here)
    return moved


def relocate(folder, moved):
    """Points the Python sources of a folder at the places that were moved."""
    for path in pathlib.Path(folder).rglob("*.py") if moved else ():
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        changed = text
        for old, new in moved.items():
            changed = changed.replace(old, new)
        if changed != text:
            path.write_text(changed, encoding="utf-8", errors="surrogateescape")


def _mnist(folder, counts=(12000, 2000), compress=True):
    folder.mkdir(parents=True, exist_ok=True)
    for part, count in zip(("train", "t10k"), counts):
        images, labels = digits(count, seed=len(part))
        heads = struct.pack(">iiii", 2051, count, 28, 28), struct.pack(">ii", 2049, count)
        bodies = heads[0] + images.tobytes(), heads[1] + labels.tobytes()
        for name, body in zip(("images-idx3-ubyte", "labels-idx1-ubyte"), bodies):
            path = folder / f"{part}-{name}"
            if compress:
                path = path.with_name(path.name + ".gz")
                body = gzip.compress(body, 1)
            path.write_bytes(body)


def _mnist_raw(folder):
    _mnist(folder, compress=False)


def _mnist_small(folder):
    """A thousand digits beside the 5,000 that are set apart, for scripts that learn slowly."""
    _mnist(folder, (6000, 500))


def _mnist_full(folder):
    """As many as the original has, for scripts that count on it."""
    _mnist(folder, (60000, 10000))


def _mnist_full_raw(folder):
    _mnist(folder, (60000, 10000), compress=False)


def _mnist_npz(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    train, test = digits(12000, seed=1), digits(2000, seed=2)
    arrays = {"x_train": train[0], "y_train": train[1], "x_test": test[0], "y_test": test[1]}
    np.savez(str(path), **arrays)


def _mnist_loader(place):
    """A module beside the script that reads what `_mnist_npz` makes."""
    _mnist_npz(place.with_name("mnist.npz"))
    content = """import numpy, os
def load_data(path=None):
    with numpy.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'mnist.npz')) as file:
        train, test = [[file[name + part] for name in 'xy'] for part in ('_train', '_test')]
    return tuple(train), tuple(test)
"""
    place.with_name("mnist_npz.py").write_text(content)


def _text_file(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text(20000))


def _ptb(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for seed, (part, count) in enumerate((("train", 30000), ("valid", 4000), ("test", 4000))):
        (folder / f"ptb.{part}.txt").write_text(text(count, seed))


def _cifar10(folder):
    """The batches of the Python version: pickles with keys of bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    names = [f"data_batch_{number}" for number in range(1, 6)] + ["test_batch"]
    for seed, name in enumerate(names):
        images, labels = digits(2000, size=32, seed=seed)
        pixels = np.repeat(images[:, None], 3, axis=1).reshape(len(images), -1)
        batch = {b"data": pixels, b"labels": [int(label) for label in labels]}
        (folder / name).write_bytes(pickle.dumps(batch, protocol=2))
    meta = {b"label_names": [b"class%d" % number for number in range(10)]}
    (folder / "batches.meta").write_bytes(pickle.dumps(meta, protocol=2))


def _cifar10_bin(folder):
    folder.mkdir(parents=True, exist_ok=True)
    names = [f"data_batch_{number}.bin" for number in range(1, 6)] + ["test_batch.bin"]
    for seed, name in enumerate(names):
        images, labels = digits(1000, size=32, seed=seed)
        pixels = np.repeat(images[:, None], 3, axis=1).reshape(len(images), -1)
        (folder / name).write_bytes(np.hstack([labels[:, None], pixels]).tobytes())


def _images(folder):
    """A folder of 64 small pictures."""
    for seed in range(64):
        image(folder / f"{seed + 1:06d}.jpg", seed=seed)


def _image_classes(folder):
    """Two folders of pictures, one for each class."""
    for seed in range(40):
        image(folder / f"class{seed % 2}" / f"{seed:03d}.jpg", seed=seed)


def _characters(folder):
    """Twelve folders of twenty gray drawings of one character each, as Omniglot has them."""
    from PIL import Image

    images, labels = digits(600, classes=12)
    for label in range(12):
        here = folder / f"character{label:02d}"
        here.mkdir(parents=True, exist_ok=True)
        for number, drawn in enumerate(images[labels == label][:20]):
            Image.fromarray(drawn).save(str(here / f"{number:02d}.png"))


def _libfm(path, labels=(-1, 1)):
    """Lines "label index:value index:value ..." of 10 fields."""
    random = np.random.RandomState(0)
    lines = []
    for label, row in zip(random.choice(labels, 3000), random.randint(0, 50, (3000, 10))):
        fields = [f"{at * 50 + value}:1" for at, value in enumerate(row)]
        lines.append("{} {}".format(label, " ".join(fields)))
    write_lines(path, lines)


def _libsvm(path):
    _libfm(path, labels=(0, 1))


def _pairs(path):
    """Lines "user item" in the order of time."""
    write_lines(path, [f"{1 + at // 20} {1 + at * 7 % 101}" for at in range(4000)])


def _tagged(path, between=" "):
    """Sentences of one character a line with its tag, as for Chinese names of places."""
    named = [f"B-{kind} I-{kind} I-{kind} O B-{kind} O" for kind in ("LOC", "PER", "ORG")]
    sentence = list(zip("abcdefghijklmnopqr", " ".join(named).split()))
    write_lines(path, ([between.join(pair) for pair in sentence] + [""]) * 100)


def _tagged_with_tabs(path):
    _tagged(path, between="\t")


def _tsp(path):
    """Tours of ten points: "x y x y ... output 1 4 2 ... 1"."""
    random = np.random.RandomState(0)
    lines = []
    for points in random.rand(600, 10, 2):
        order = [1, *(2 + random.permutation(9)), 1]
        lines.append(" ".join(map(str, [*points.ravel(), "output", *order])))
    write_lines(path, lines)


def _babi(folder):
    """Stories of one task with questions, as the bAbI tasks have them."""
    rooms, lines = ["bathroom", "hallway", "office"], []
    for story in range(300):
        room, other = rooms[story % 3], rooms[story // 3 % 3]
        lines += [f"1 Mary moved to the {room}.", f"2 John went to the {other}."]
        lines += [f"3 Where is Mary? \t{room}\t1"]
    for part in ("train", "test"):
        write_lines(folder / f"qa1_single-supporting-fact_{part}.txt", lines)


def _dialogue(path):
    write_lines(path, text(2000).splitlines())


def _translation_settings(path):
    """A small model of the TensorFlow tutorial on translation, as its descendants are told it."""
    write_lines(
        path,
        [
            "[strings]",
            "mode = train",
            *(
                f"{part}_{side} = data/{part}.{side}"
                for part in ("train", "test")
                for side in SIDES
            ),
            "working_directory = working_dir/",
            "[ints]",
            *(f"{side}_vocab_size = 200" for side in SIDES),
            "num_layers = 1",
            "layer_size = 32",
            "max_train_data_size = 0",
            "batch_size = 16",
            "steps_per_checkpoint = 5",
            "[floats]",
            "learning_rate = 0.5",
            "learning_rate_decay_factor = 0.99",
            "max_gradient_norm = 5.0",
        ],
    )


def _bert(folder):
    """A vocabulary, the configuration of a tiny BERT, and a task of sentences (CoLA)."""
    letters = [prefix + letter for letter in "abcdefghijklmnopqrstuvwxyz" for prefix in ("", "##")]
    special = "[PAD] [UNK] [CLS] [SEP] [MASK]".split()
    vocabulary = list(dict.fromkeys(special + list(WORDS) + letters))
    write_lines(folder / "vocab.txt", vocabulary)
    sizes = {"vocab_size": len(vocabulary), "hidden_size": 16, "num_hidden_layers": 1}
    sizes.update(num_attention_heads=2, intermediate_size=32)
    write_lines(folder / "bert.json", [json.dumps(sizes)])
    rows = [f"x\t{at % 2}\t\t{line}" for at, line in enumerate(text(900).splitlines())]
    for part in ("train", "dev"):
        write_lines(folder / "glue" / (part + ".tsv"), rows)


def _vocabulary(path):
    """The numbers of words as JSON, after three of special meaning, for models of sequences."""
    words = ["_GO", "_EOS", "_UNK", *WORDS]
    write_lines(path, [json.dumps({word: number for number, word in enumerate(words)})])


def _ratings(path):
    """Lines "user::item::rating::time", as MovieLens has them."""
    random = np.random.RandomState(0)
    lines = []
    for time in range(20000):
        user, item = random.randint(1, 6041), random.randint(1, 3953)
        lines.append(f"{user}::{item}::{1 + (user + item) % 5}::{978300000 + time}")
    write_lines(path, lines)


def _nothing(place):
    pass


def _folder(folder):
    folder.mkdir(parents=True, exist_ok=True)


#: kind -> the function that makes it at a path
MAKERS = {
    "mnist": _mnist,
    "mnist-raw": _mnist_raw,
    "mnist-small": _mnist_small,
    "mnist-full": _mnist_full,
    "mnist-full-raw": _mnist_full_raw,
    "mnist-npz": _mnist_npz,
    "mnist-loader": _mnist_loader,
    "text": _text_file,
    "ptb": _ptb,
    "cifar10": _cifar10,
    "cifar10-bin": _cifar10_bin,
    "image": image,
    "images": _images,
    "image-classes": _image_classes,
    "characters": _characters,
    "libfm": _libfm,
    "libsvm": _libsvm,
    "pairs": _pairs,
    "tagged": _tagged,
    "tagged-tabs": _tagged_with_tabs,
    "dialogue": _dialogue,
    "translation-settings": _translation_settings,
    "babi": _babi,
    "tsp": _tsp,
    "bert": _bert,
    "ratings": _ratings,
    "vocabulary": _vocabulary,
    "folder": _folder,
    "package": _nothing,
    "option": _nothing,
    **papers.MAKERS,
    **projects.MAKERS,
}
