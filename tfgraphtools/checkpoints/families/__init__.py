"""Families of TF1 models, one data file each, and their way into Hugging Face folders."""
