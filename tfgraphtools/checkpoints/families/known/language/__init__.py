"""Language models, into Transformers."""
