"""``python -m tfgraphtools`` is the command ``tfgraphtools``."""

from tfgraphtools.cli import console_main

if __name__ == "__main__":
    console_main()
