"""What others read: pages, documents, data and plots.

In comes a base that was evaluated; out go files: one tree of blocks for every page and document, one writer for each
format, one table of columns for all data formats. No value that a reader sees is computed here.
"""
