"""Numbers that a Markdown document takes from data files: the documents' declarations and the files, to records.

In: a document's header or comment (or a folder's ``flopkb.yaml``) and files of results. Out: frozen records, one for
each file and one for each document that declares something, so that links, formulas, claims, provenance and repair
treat these values as they treat recorded ones. Nothing in a file is executed, nothing outside the repository is opened
unless it is allowed, and what cannot be read is a fault at its declaration. Rules are not known here.
"""
