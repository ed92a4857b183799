"""What the user of compat can choose."""

import os
import sys
from typing import NamedTuple, Optional, Tuple


class Options(NamedTuple):
    """The choices of one run.

    Fields:
      script_folder: the folder of the script; None for that of the running one.
      packages: installed packages that are to be treated as user code.
      without: names of the fixes to disable.
      seeds: "tf1" for the seeds that TF 1.15 derives, None for those of today.
      show_plots: whether matplotlib may open windows; None to find out.
    """

    script_folder: Optional[str] = None
    packages: Tuple[str, ...] = ()
    without: Tuple[str, ...] = ()
    seeds: Optional[str] = None
    show_plots: Optional[bool] = None

    def folders(self):
        """The folders whose modules are user code."""
        script = self.script_folder
        if script is None:
            main = getattr(sys.modules.get("__main__"), "__file__", None)
            script = os.path.dirname(os.path.abspath(main)) if main else os.getcwd()
        listed = os.environ.get("PYTHONPATH", "").split(os.pathsep)
        return [script, os.getcwd(), *(folder for folder in listed if folder)]
