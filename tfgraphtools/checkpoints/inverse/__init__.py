"""From PyTorch, Hugging Face, timm and Keras back to a TF1 checkpoint."""
