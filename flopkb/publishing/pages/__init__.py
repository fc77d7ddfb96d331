"""Pages of every kind: one tree of blocks, one writer a format, and the page of a record as such a tree.

``inlines`` and ``blocks`` are the tree, ``writing`` is the way through it (and plain text); ``html``, ``latex`` and
``markdown`` say how its nodes look. ``record`` (with ``facts`` and ``figures``) builds the page of a record from the resolved base:
the site, the Markdown export and ``flopkb show`` write the same parts, and what only one of them says is marked in the
tree. Where a page lies, and what is around it, the pages do not know.
"""
