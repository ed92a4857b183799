# %% builtins.open io.open codecs.open os.fdopen
import codecs, csv, io, os
open("table.csv", "wb").write(b"a,b\r\n1,2\r3,4\n")
with open("table.csv", "rU") as file:
    print(list(csv.reader(file)))
print(open("table.csv", mode="U").readline(), open("table.csv", "rbU").readline())
with io.open("table.csv", "rU", encoding="ascii") as file:
    print(file.read().split("\n"))
with codecs.open("table.csv", "rU", "ascii") as file:
    print(len(file.read()))
print(os.fdopen(os.open("table.csv", os.O_RDONLY), "rU").read())
# %% python.sum_of_floats
print(repr(sum([0.1] * 10)), repr(sum((x / 10 for x in range(20)), 0.5)), repr(sum([1, 2, 0.1, 0.2, 3])))
losses = [0.1, 0.7, 0.3]
print("%.17g" % (sum(losses) / len(losses)), sum([0.1] * 10) == 1, list(map(sum, [[0.1] * 10])))
print(sum([1e16, 1.0, -1e16]), sum([[1], [2]], []), sum([True, 0.5]), sum(range(4)))
# %% enum.Enum enum.IntEnum
import enum, json, pickle
from enum import Enum
class Mode(str, Enum):
    TRAIN = "train"
class Level(enum.IntEnum):
    LOW = 1
class Plain(Enum):
    A = 1
    def __str__(self):
        return "plain " + self.name
print("{}/{:>7}".format(Mode.TRAIN, Mode.TRAIN), f"{Mode.TRAIN}", "%s" % Mode.TRAIN, str(Mode.TRAIN), repr(Mode.TRAIN))
print("{}/{:03d}".format(Level.LOW, Level.LOW), "%s %d" % (Level.LOW, Level.LOW), str(Level.LOW), repr(Level.LOW), Level.LOW + 1)
print("{}".format(Plain.A), Plain(1), Plain["A"] is Plain.A, json.dumps([Mode.TRAIN, Level.LOW]), Mode("train") is Mode.TRAIN)
print(pickle.loads(pickle.dumps(Level.LOW)) is Level.LOW, isinstance(Level.LOW, int), Enum("Made", "a b").b)
# %% configparser.readfp
import configparser, io
parser = configparser.ConfigParser()
parser.readfp(io.StringIO("[a]\nb = 1\n"), "settings.ini")
print(parser.get("a", "b"))
try:
    parser.readfp(io.StringIO("b"), filename="settings.ini")
except configparser.Error as error:
    print(error)

# %% re.compile re.match re.fullmatch re.search re.sub re.subn re.findall re.finditer
import re
print(re.compile("^(?i)step").match("STEP 3").group(), re.match(r"\s*(?i)loss", " Loss").group(), re.search("(foo)(?i)", "xFOO").group(1))
print(re.fullmatch("a|(?i)b", "B"), re.search(b"x(?i)y", b"XY").group(), re.sub("a(?i)b", "-", "AB", 1))
print(re.subn("a(?s).(?i)b", "-", "A\nB"), re.findall("l(?m)$", "l\nl"), [m.start() for m in re.finditer("a(?x) b  # b", "ab")])
print(re.split(",(?i)x", "1,X2"), re.compile("(?i)a(?m)b").flags & re.M != 0, [re.compile("[(?i)]").pattern])
