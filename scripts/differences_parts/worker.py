"""Makes the calls in one TensorFlow; run by scripts/differences in each of the two.

worker.py walk OUT                      the API: a JSON line for each symbol
worker.py generate SYMBOLS OUT FIRST N SEED
                                        draws and makes calls; keeps those that are worth it
worker.py replay CALLS OUT FIRST        makes the calls that generate kept
worker.py objects ASKED OUT FIRST       makes the objects; ASKED: 1.15's OUT, or "" for 1.15
worker.py methods OUT                   the public methods of the objects, in the form of walk

With DIFFERENCES_EAGER=1 in the environment all calls are made in eager execution, and with
DIFFERENCES_NAMED=1 they give the result a name.
"""

import contextlib
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import arguments  # noqa: E402
import eagerly  # noqa: E402
import outcomes  # noqa: E402
import symbols  # noqa: E402

#: Seconds for one call; how many draws a symbol gets; how many errors are kept.
SECONDS, DRAWS, ERRORS = 5, 40, 2

#: Seconds after which no more is drawn for a symbol.
ENOUGH = 8


def walk(out):
    """Writes every public callable: its name, and those that are one object only once."""
    import tensorflow as tf

    first = {}
    with open(out, "w") as file:
        for name, value in symbols.walk(tf, "tensorflow"):
            try:
                alias = first.setdefault(value, name)
            except TypeError:
                alias = name
            record = {
                "name": name,
                "alias": None if alias == name else alias,
                "class": isinstance(value, type),
                "signature": symbols.signature(value),
            }
            file.write(json.dumps(record) + "\n")


def signatures(names, out):
    """Writes the signatures of the symbols of a list, and which are not there."""
    with open(names) as file, open(out, "w") as results:
        for line in file:
            name = json.loads(line)["name"]
            record = {"name": name, "missing": None, "signature": None}
            try:
                record["signature"] = symbols.signature(symbols.find(name))
            except Exception as error:
                record["missing"] = type(error).__name__
            results.write(json.dumps(record) + "\n")


def methods(out):
    """Writes the methods of the objects as OBJECT:METHOD, those of a class only once."""
    import tensorflow as tf
    from objects import make

    seen = set()
    with open(out, "w") as file:
        for name, made in sorted(make.MADE.items()):
            with tf.Graph().as_default():
                try:
                    value = made()
                except Exception:  # an object that 1.15 does not make here
                    continue
                for method, owner, signature in symbols.methods(value):
                    record = {"name": f"{name}:{method}", "signature": signature, "class": False}
                    record["alias"] = None if (owner, method) not in seen else owner
                    seen.add((owner, method))
                    file.write(json.dumps(record) + "\n")


def find(name):
    """The function of a symbol; that of a method makes its object first."""
    if ":" not in name:
        return symbols.find(name)
    from objects import describe, make

    made, method = name.split(":")

    def call(**given):
        return describe.read(make.MADE[made](), method)(**given)

    return call


def draw_call(symbol, attempt, seed=0):
    """The arguments of one call of a symbol, by keyword, drawn from its 1.15 signature."""
    draw = arguments.Draw(symbol["name"], attempt, seed)
    given = {}
    for name, has_default, text in symbol["signature"]:
        if name.startswith("*"):
            continue
        if not has_default:
            given[name] = draw.by_name(name)
        elif draw.random.random() < (0 if attempt == 0 else 0.3):
            default = _literal(text)
            if default is not _UNKNOWN:
                given[name] = draw.by_default(name, default)
    if os.environ.get("DIFFERENCES_NAMED"):
        given["name"] = "n"
    return given


_UNKNOWN = object()


def _literal(text):
    import ast

    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return _UNKNOWN


def generate(listed, out, first, wanted, seed):
    with open(listed) as file:
        every = [json.loads(line) for line in file]
    with open(out, "a") as results:
        for number in range(first, len(every)):
            symbol = every[number]
            results.write(json.dumps({"begin": number}) + "\n")
            results.flush()
            good, bad, begun = 0, 0, time.time()
            for attempt in range(DRAWS if symbol["signature"] else 1):
                call = draw_call(symbol, attempt, seed)
                made = make(symbol["name"], call)
                failed = "error" in made
                if (failed and bad < ERRORS) or (not failed and good < wanted):
                    good, bad = good + (not failed), bad + failed
                    record = {"symbol": symbol["name"], "call": call, "made": made}
                    results.write(json.dumps(record) + "\n")
                if good >= wanted or time.time() > begun + ENOUGH:
                    break


def replay(calls, out, first):
    with open(calls) as file, open(out, "a") as results:
        for number, line in enumerate(file):
            if number < first:
                continue
            record = json.loads(line)
            results.write(json.dumps({"begin": number}) + "\n")
            results.flush()
            made = make(record["symbol"], record["call"])
            results.write(json.dumps({"number": number, "made": made}) + "\n")


def make(name, call):
    """Makes one call in a graph of its own; what came of it."""

    def stop(*_):
        raise TimeoutError("the time limit of a call")

    try:
        function = find(name)  # before the clock starts: it may load half of contrib
    except Exception as error:
        return {"error": type(error).__name__, "message": outcomes.message(error)}

    import tensorflow as tf

    if not tf.executing_eagerly():
        tf.disable_resource_variables()  # a call before this one may have enabled them
    signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    folder, before = tempfile.mkdtemp(), os.getcwd()
    os.chdir(folder)  # what a call writes there, no other finds
    try:
        way = eagerly if tf.executing_eagerly() else outcomes
        return way.of_call(function, call)
    except BaseException as error:  # SystemExit included: nothing may end the process
        return {"error": type(error).__name__, "message": outcomes.message(error)}
    finally:
        signal.alarm(0)
        os.chdir(before)
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def quiet():
    """What calls print is nobody's business; real stdout and stderr go to the null device."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    warnings.simplefilter("ignore")
    yield


if __name__ == "__main__":
    way, words = sys.argv[1], sys.argv[2:]
    with quiet():
        try:
            if os.environ.get("DIFFERENCES_EAGER"):
                import tensorflow as tf

                tf.enable_eager_execution()
            if way == "walk":
                walk(*words)
            elif way == "methods":
                methods(*words)
            elif way == "signatures":
                signatures(*words)
            elif way == "generate":
                generate(words[0], words[1], *map(int, words[2:]))
            elif way == "objects":
                from objects import make as objects

                objects.write(words[0], words[1], int(words[2]))
            else:
                replay(words[0], words[1], int(words[2]))
        except BaseException:
            import traceback

            with open(words[1] + ".error", "w") as file:
                traceback.print_exc(file=file)
            raise
    os._exit(0)  # threads of queues and servers may still wait
