"""Tables that are read off the two TensorFlows."""
