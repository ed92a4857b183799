"""The tokenizer's files beside a checkpoint, as Transformers looks for them."""

import json

import pytest
from language_models import save_bert

from tfgraphtools import checkpoints
from tfgraphtools.checkpoints.families import family_registry, tokenizers

pytestmark = pytest.mark.quick


@pytest.mark.parametrize("word, is_cased", [("Hello", True), ("hello", False), ("[CLS]", False)])
def test_a_cased_vocabulary_is_not_lowered(tmp_path, word, is_cased):
    prefix = save_bert(tmp_path)
    words = ["[PAD]", "[UNK]", "[SEP]", "[MASK]", "[CLS]", "\u4e2d", word]
    (tmp_path / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    checkpoints.to_hugging_face(prefix, tmp_path / "hf")
    path = tmp_path / "hf" / "tokenizer_config.json"
    assert path.exists() == is_cased
    assert not is_cased or json.loads(path.read_text()) == {"do_lower_case": False}
    transformers = pytest.importorskip("transformers")
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(tmp_path / "hf"))
    assert tokenizer.tokenize("Hello") == (["[UNK]"] if word == "[CLS]" else [word])


def test_files_get_the_names_that_transformers_looks_for(tmp_path):
    folders = [tmp_path / "first", tmp_path / "second"]
    for folder in folders:
        folder.mkdir()
        for name in ("encoder.json", "vocab.bpe", "30k-clean.model", "x.vocab"):
            (folder / name).write_text(folder.name)
    by_name = {
        family.name: family.targets[0] for family in family_registry.FAMILIES if family.targets
    }
    for name, new in {
        "GPT-2": {"vocab.json": "encoder.json", "merges.txt": "vocab.bpe"},
        "ALBERT": {"spiece.model": "30k-clean.model"},
        "T5": {"spiece.model": "30k-clean.model"},
        "BERT": {},
        "VGG": {},
    }.items():
        files, notes = tokenizers.find(by_name[name], [tmp_path / "none", *folders])
        assert (
            files == {file_name: str(folders[0] / old) for file_name, old in new.items()}
            and not notes
        )
    (folders[0] / "other.model").write_text("")
    files, notes = tokenizers.find(by_name["T5"], folders[:1])
    assert not files and "30k-clean.model and other.model may each" in notes[0]
