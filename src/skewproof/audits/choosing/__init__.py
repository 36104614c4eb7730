"""Choice of a measure: the catalog, the questions and the evidence."""
