"""The files of a tokenizer beside a checkpoint, under the names that Transformers looks for."""

import os
import re

#: What Transformers asks for beside a vocabulary that tells small letters from capitals.
CONFIG, CASED = "tokenizer_config.json", {"do_lower_case": False}

_VOCABULARY = "vocab.txt"


def find(target, folders):
    """Returns ({name in the new folder: path}, notes).

    Args:
      target: a `family.Target`, whose ``copies`` says what the files are called here and there.
      folders: where they may be; the first that has one counts.
    """
    paths, notes = {}, []
    for folder in folders:
        inside = sorted(os.listdir(folder)) if target.copies and os.path.isdir(folder) else []
        for pattern, new in target.copies.items() if target.copies else ():
            names = [name for name in inside if re.fullmatch(pattern, name)]
            if len(names) > 1:
                notes.append(
                    "{} may each be the tokenizer's: copy the right one to {}".format(
                        " and ".join(names), new
                    )
                )
            elif names:
                paths.setdefault(new or names[0], os.path.join(folder, names[0]))
    return paths, notes


def is_cased(files):
    """Tells whether a vocabulary has capital letters, which a lower-casing tokenizer misses."""
    if _VOCABULARY not in files:
        return False
    with open(files[_VOCABULARY], encoding="utf-8", errors="replace") as lines:
        return any(line != line.lower() for line in lines if not line.startswith("["))
