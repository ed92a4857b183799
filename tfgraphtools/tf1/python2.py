"""What Python 2 computed otherwise, as functions to call by name.

from tfgraphtools.tf1.python2 import divide
divide(7, 2)   # 3, and divide(7.0, 2) is 3.5
"""

from tfgraphtools.compat.fixes.python.python2.division import divide

__all__ = ["divide"]
