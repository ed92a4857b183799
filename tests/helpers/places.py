"""Where the tests find what they read: the suite, the package under test, and the checkout.

`scripts/test` copies the tests out of the source distribution into a folder that has no package, so
that they import the installed wheel. Tests that read the package's files take PACKAGE.
"""

import os
import pathlib

import tfgraphtools

#: The folder that has tests/, scripts/ and docs/.
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

#: The folder of the package that is imported.
PACKAGE = pathlib.Path(tfgraphtools.__file__).resolve().parent

#: The checkout from which the suite was copied; ROOT itself where it was not.
CHECKOUT = pathlib.Path(os.environ.get("TFGRAPHTOOLS_CHECKOUT", str(ROOT)))
