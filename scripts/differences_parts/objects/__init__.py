"""Objects that a TF1 script holds, made under both TFs, and all their attributes compared.

graphs     objects of the graph: ops, tensors, variables, shapes, cells
training   objects that train: sessions, optimizers, savers, queues, estimators
layers     layers and models, built and unbuilt
describe   what is kept of an attribute
compare    what differs
known      the known differences, each with its reason
"""
