"""The installed distributions and their versions: the one reader of them."""
