"""GPT-1's arrays, which lie in a folder of NumPy files."""
