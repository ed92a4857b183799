"""What ``tfgraphtools run`` costs: start-up, and a step of training, beside plain TensorFlow.

Plain and run take turns, each in a fresh process with the same settings of TensorFlow; printed
are the best of several, their difference or ratio, and the bounds. Start-up is in seconds of the
processor, a step in those of the clock.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts" / "bench"))

from processes import checked  # noqa: E402

ROUNDS = 5

_IMPORT = "import tensorflow as tf\n"

_TRAIN = """
import time
{imports}
x = tf.placeholder(tf.float32, [64, 32])
w = tf.get_variable("w", [32, 32])
loss = tf.reduce_mean(tf.square(tf.tanh(tf.matmul(x, w)) - 1.0))
step = tf.train.AdamOptimizer(1e-3).minimize(loss)
data = np.ones([64, 32], np.float32)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    best = 1e9
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(200):
            batch = np.reshape(data, [64, 32])
            session.run([step, loss], feed_dict={{x: batch}})
        best = min(best, time.perf_counter() - start)
print(best / 200)
"""

_PLAIN = "import numpy as np\nimport tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()"
_OLD = "import numpy as np\nimport tensorflow as tf"


def _run(words, folder):
    environment = dict(
        os.environ,
        PYTHONPATH=str(ROOT),
        TF_USE_LEGACY_KERAS="1",
        TF_ENABLE_ONEDNN_OPTS="1",
    )
    before = _children_seconds()
    done = checked([sys.executable, *words], cwd=folder, env=environment, stdout=subprocess.PIPE)
    return _children_seconds() - before, done.stdout


def _children_seconds():
    """Of the processor: what a busy machine lets others do in the meantime does not count."""
    times = os.times()
    return times.children_user + times.children_system


def main():
    """Prints both comparisons."""
    run = ["-m", "tfgraphtools", "run"]
    with tempfile.TemporaryDirectory() as folder:
        scripts = {
            "starts.py": _IMPORT,
            "plain.py": _TRAIN.format(imports=_PLAIN),
            "old.py": _TRAIN.format(imports=_OLD),
        }
        for name, text in scripts.items():
            pathlib.Path(folder, name).write_text(text)
        _run([*run, "starts.py"], folder)  # bytecode of ours is written once
        plain, ours, steps, our_steps = [], [], [], []
        for _ in range(ROUNDS):
            plain.append(_run(["starts.py"], folder)[0])
            ours.append(_run([*run, "starts.py"], folder)[0])
            steps.append(float(_run(["plain.py"], folder)[1]))
            our_steps.append(float(_run([*run, "old.py"], folder)[1]))
    print(f"import tensorflow             {min(plain):8.3f} s")
    print(f"run of a script that does it  {min(ours):8.3f} s")
    print(f"difference                    {min(ours) - min(plain):8.3f} s   (bound: 0.600 s)")
    print(f"a step, tensorflow.compat.v1  {min(steps) * 1e6:8.1f} us")
    print(f"a step, run                   {min(our_steps) * 1e6:8.1f} us")
    print(f"ratio                         {min(our_steps) / min(steps):8.3f}     (bound: 1.020)")


if __name__ == "__main__":
    main()
