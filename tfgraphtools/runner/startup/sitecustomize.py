# Python executes this first in every process that a script under `tfgraphtools run` starts.
# Any Python may: it holds to what all of them read, and leaves all others as they are.
import os
import sys


def _next_sitecustomize():
    """Hands over to the sitecustomize that this one hides, if there is one."""
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != here]
    own = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # noqa: F401
    except ImportError:
        if own is not None:
            sys.modules["sitecustomize"] = own


def _begin():
    import json

    run = json.loads(os.environ["TFGRAPHTOOLS_RUN"])
    if run["prefix"] != sys.prefix:
        return
    sys.path.insert(0, run["folder"])
    try:
        from tfgraphtools.runner import inherit
    finally:
        sys.path.remove(run["folder"])
    inherit.begin(run)


_next_sitecustomize()
if "TFGRAPHTOOLS_RUN" in os.environ and sys.version_info >= (3, 9):
    _begin()
