"""Runs of a program in copies of a folder, and what two runs printed and wrote, compared.

One rule for `run --compare`, `upgrade --verify` and `revive`:

tree_copies, copied_runs  a copy of a folder, and a command that runs in one
timed_runs                a program that runs until it ends or has made progress
output_comparison         what was printed, line by line and number by number
file_comparison           what was written: texts, arrays, checkpoints; and what never compares
"""
