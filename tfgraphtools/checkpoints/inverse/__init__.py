"""The way back from PyTorch, Hugging Face, timm and Keras to a TF1 checkpoint."""
