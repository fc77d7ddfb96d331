"""Pages of every kind: one tree of blocks, one writer a format."""
