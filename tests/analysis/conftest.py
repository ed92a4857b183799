"""Only the newer Python has `upgrade` and `doctor`."""

import sys

collect_ignore_glob = ["test_*.py"] if sys.version_info < (3, 8) else []
