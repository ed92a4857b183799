"""Accumulation, clipping, decay and a freeze on a parameter server, with the hooks watching.

The servers live in a process of their own, and end with it.
"""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

SCRIPT = """
import socket, sys
import numpy as np
import tensorflow as tf
from tfgraphtools import training

v1 = tf.compat.v1
v1.disable_eager_execution()


def free_port():
    with socket.socket() as one:
        one.bind(("localhost", 0))
        return one.getsockname()[1]


def train(target, device, resource):
    with v1.Graph().as_default(), v1.device(device):
        w = v1.get_variable("w", initializer=np.ones(4, np.float32), use_resource=resource)
        t = v1.get_variable("t", initializer=np.ones((4, 2), np.float32), use_resource=resource)
        loss = tf.reduce_sum(w * w) + tf.reduce_sum(tf.gather(t, [0, 2, 2]) ** 2)
        optimizer = v1.train.AdamOptimizer(0.1)
        optimizer = training.DecoupledWeightDecayOptimizer(optimizer, {"w": 0.01})
        optimizer = training.FreezeOptimizer(optimizer, {"w": [True, False, False, False]})
        optimizer = training.GradientTransformOptimizer(
            optimizer, training.transforms.clip_by_global_norm(1.0))
        optimizer = training.GradientAccumulationOptimizer(optimizer, 3)
        step = optimizer.minimize(loss, global_step=v1.train.get_or_create_global_step())
        trace = training.TraceHook({"w": w, "t": t})
        hooks = [trace, training.FrozenGuardHook(optimizer)]
        with v1.train.MonitoredTrainingSession(master=target, hooks=hooks) as session:
            for _ in range(7):
                session.run(step)
    assert trace.steps.tolist() == [0, 0, 0, 1, 1, 1, 2, 2], trace.steps
    return trace


cluster = {job: ["localhost:%d" % free_port()] for job in ("ps", "worker")}
servers = [v1.train.Server(cluster, job_name=job, task_index=0) for job in cluster]
placed = v1.train.replica_device_setter(cluster=v1.train.ClusterSpec(cluster))
for resource in (False, True):
    there, here = train(servers[1].target, placed, resource), train("", None, resource)
    for name in ("w", "t"):
        assert there[name].tobytes() == here[name].tobytes(), (name, there[name], here[name])
    assert len(np.unique(here["w"][:, 1])) == 3 and (here["w"][:, 0] == 1).all()
print("the same")
"""


def test_as_in_one_process(this_server, tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    assert this_server.run(tmp_path, "script.py").checked() == "the same\n"
