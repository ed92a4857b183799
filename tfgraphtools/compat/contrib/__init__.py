"""contrib"""
from tfgraphtools.compat.contrib import finder
TABLES = ()
def install(options):
    finder.install()
