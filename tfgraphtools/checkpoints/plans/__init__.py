"""Rewrite checkpoints: a plan lists what happens to each tensor, a writer does it.

plan, combine             `plan`, and ready-made plans: strip, merge, average, split
rules, steps, joined_tensors   which names match, and what happens to them
drafts, stored, expressions, casts, streams, threads   new values, computed in pieces
writer, overlay           the new files: an overlay of new bytes and links to what stays
recovery, transaction, replacement, staging   replace checkpoints, files and folders; `recover`
"""
