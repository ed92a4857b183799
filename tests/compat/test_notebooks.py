"""Which lines of a notebook only IPython reads."""

import json

import pytest

from tfgraphtools.compat import notebook_cells

pytestmark = pytest.mark.quick

#: Cells, with a ">" before each line that is IPython's.
CELLS = {
    "first": ">%matplotlib inline\n import os",
    "shell": ">!pip install a \\\n>   b\nx = 1",
    "assigned": ">files = !ls \"it's\n>a, b = %time f()\nx = 1",
    "in-a-block": 'if x:\n>    !echo "(\n    y = 2',
    "help": ">np.sum?\n>?np\n>a.b[0]??\nx = 1 #why?",
    "in-brackets": "print('%d'\n  % (3,\n%y))\n>%cd x",
    "in-a-string": "x = \"\"\"\n%no\n!no\nwhy?\n\"\"\" + '''\n%no\n'''\n>!yes",
    "joined": "x = 5 \\\n  % 3\nprint 'a' \\\n%y",
    "quotes-in-strings": "x = 'it\\'s # (' # ) (\n>!yes\ny = \"'\"\n>!yes",
    "brackets-in-comments": "x = [  # (\n% 1]\n>%yes",
    "unequal": "x = a != b\ny = c %d\n>z = !ls",
    "empty": "",
    "an-open-bracket": "x = (\n%y",
}


@pytest.mark.parametrize("name", CELLS)
def test_commands(name):
    lines = CELLS[name].split("\n")
    source = "\n".join(line.lstrip(">") for line in lines)
    found = {place for first, end in notebook_cells.commands(source) for place in range(first, end)}
    assert found == {place for place, line in enumerate(lines) if line.startswith(">")}


def test_formats_3_and_4():
    cells = [
        {"cell_type": "markdown", "source": "text"},
        {"cell_type": "code", "source": ["a\n", "b"]},
        {"cell_type": "code", "input": "c"},
    ]
    four, three = {"cells": cells}, {"worksheets": [{"cells": cells}]}
    assert notebook_cells.code_cells(json.dumps(four)) == ["a\nb", "c"]
    assert notebook_cells.code_cells(json.dumps(three)) == ["a\nb", "c"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"cells": [3]}', '{"cells": 3}', "null"])
def test_no_notebook(text):
    with pytest.raises(ValueError, match="not a notebook"):
        notebook_cells.code_cells(text)
