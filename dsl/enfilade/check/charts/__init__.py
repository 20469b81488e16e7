"""Charts: their axes, labels, cells, codes, edges and order."""
