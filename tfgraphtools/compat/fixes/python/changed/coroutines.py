"""What asyncio took and had until Python 3.8 to 3.10."""

from tfgraphtools.compat.engine.rewrites.kinds import Call
from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import left, made


@made(
    "asyncio.wait",
    "Python 3.10",
    "takes coroutines, and the loop that runs",
    Call(keywords={"loop": None}),
)
def _wait(real, used):
    async def wait(fs, *, loop=None, **options):
        futures = list(fs)
        if loop is not None or not all(map(real.isfuture, futures)):
            used()
            futures = [real.ensure_future(one) for one in futures]
        return await real.wait(futures, **options)

    return wait


def _is_task_class(value):
    if not isinstance(value, type) or value.__name__ != "Task":
        raise AttributeError
    if value.__module__.partition(".")[0] not in ("_asyncio", "asyncio"):
        raise AttributeError


def _of_asyncio(name):
    def function(cls):
        import asyncio

        return getattr(asyncio, name)

    return function


CALLS = Table("what asyncio waits for", "calls", [_wait])

ATTRIBUTES = Table(
    "class methods of tasks",
    "listed",
    [
        left(
            "asyncio.Task",
            "Python 3.9",
            "Task.current_task and Task.all_tasks are functions of asyncio",
            _is_task_class,
            {name: _of_asyncio(name) for name in ("current_task", "all_tasks")},
            "asyncio",
        )
    ],
)
