"""Which measure to use: the catalog, the questions and the evidence."""
