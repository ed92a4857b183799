"""``tensorflow.models.rnn.translate.data_utils``: words and their numbers, of 0.x's tutorial.

Source: the tutorial "Sequence-to-Sequence Models" of TF 0.12.
"""

import re

_PAD, _GO, _EOS, _UNK = b"_PAD", b"_GO", b"_EOS", b"_UNK"
_START_VOCAB = [_PAD, _GO, _EOS, _UNK]
PAD_ID, GO_ID, EOS_ID, UNK_ID = range(4)

_MARKS = re.compile(rb"([.,!?\"':;)(])")
_DIGIT = re.compile(rb"\d")


def basic_tokenizer(sentence):
    """Returns the words and marks of a sentence, as bytes."""
    words = (word for part in _bytes(sentence).split() for word in _MARKS.split(part))
    return [word for word in words if word]


def create_vocabulary(
    vocabulary_path, data_path, max_vocabulary_size, tokenizer=None, normalize_digits=True
):
    """Writes the words of a file, the most frequent first, unless the vocabulary is there."""
    import collections
    import os

    if os.path.exists(vocabulary_path):
        return
    counts = collections.Counter()
    with open(data_path, "rb") as lines:
        for line in lines:
            counts.update(_words(line, tokenizer, normalize_digits))
    words = _START_VOCAB + sorted(counts, key=counts.get, reverse=True)
    with open(vocabulary_path, "wb") as file:
        file.writelines(word + b"\n" for word in words[:max_vocabulary_size])


def initialize_vocabulary(vocabulary_path):
    """Returns (word -> number, the words) of a file that has one in each line."""
    with open(vocabulary_path, "rb") as lines:
        words = [line.strip() for line in lines]
    return {word: number for number, word in enumerate(words)}, words


def sentence_to_token_ids(sentence, vocabulary, tokenizer=None, normalize_digits=True):
    """Returns the numbers of the words of a sentence."""
    words = _words(sentence, tokenizer, normalize_digits)
    return [vocabulary.get(word, UNK_ID) for word in words]


def data_to_token_ids(
    data_path, target_path, vocabulary_path, tokenizer=None, normalize_digits=True
):
    """Writes a file's sentences as numbers, unless the target is there."""
    import os

    if os.path.exists(target_path):
        return
    vocabulary, _ = initialize_vocabulary(vocabulary_path)
    with open(data_path, "rb") as lines, open(target_path, "w") as file:
        for line in lines:
            ids = sentence_to_token_ids(line, vocabulary, tokenizer, normalize_digits)
            file.write(" ".join(map(str, ids)) + "\n")


def _words(sentence, tokenizer, normalize_digits):
    """Returns the words of a sentence; digits of no interest are 0."""
    words = tokenizer(sentence) if tokenizer else basic_tokenizer(sentence)
    return [_DIGIT.sub(b"0", _bytes(word)) if normalize_digits else word for word in words]


def _bytes(text):
    return text if isinstance(text, bytes) else text.encode("utf-8")
