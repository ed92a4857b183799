"""What TF 1.15 printed for the cells of ``tests/scripts``, so that a run need not ask it again.

A recording belongs to the text of a cell: a cell that changed has none, and runs on TF 1.15 as long
as nobody records it. ``--whole`` runs all on TF 1.15, and compares. To record those that have none:

    TFGRAPHTOOLS_TF1_PYTHON=/path/to/python PYTHONPATH=. python tests/compat/recorded_cells.py
"""

import hashlib
import json
import os
import pathlib
import sys
import tempfile

FILE = pathlib.Path(__file__).resolve().with_suffix(".json")


def key(cell):
    """Returns what names a cell's recording: its file, and a hash of its text."""
    return cell.file + ":" + hashlib.sha256(cell.text.encode()).hexdigest()[:16]


def runs_on_115(cell):
    """Tells whether TF 1.15 can run a cell."""
    return "not-on-1.15" not in cell.remarks


def recordings():
    """Returns {key: what TF 1.15 printed}."""
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


def main():
    """Records the cells that have no recording, and forgets those of cells that are gone."""
    helpers = FILE.parent.parent / "helpers"
    sys.path.append(str(helpers))  # last: "selection" and others are names of packages, too
    import forks
    import row_scripts

    python = os.environ["TFGRAPHTOOLS_TF1_PYTHON"]
    server = forks.Server(python, "plain", row_scripts.environment_of_115())
    known, printed = recordings(), {}
    for cell in filter(runs_on_115, row_scripts.cells()):
        printed[key(cell)] = known.get(key(cell)) or _printed(server, cell)
    server.close()
    text = json.dumps(printed, indent=1, sort_keys=True, ensure_ascii=False)
    FILE.write_text(text + "\n", encoding="utf-8")


def _printed(server, cell):
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "cell.py").write_text(cell.text, encoding="utf-8")
        print(cell.name, flush=True)
        return server.run(folder, "cell.py").checked()


if __name__ == "__main__":
    main()
