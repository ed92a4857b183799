"""Parts of graphs, cut out and built again."""
