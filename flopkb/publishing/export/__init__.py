"""The whole base as data and as a site: one module (or package) a format, over one resolved view of the records."""
