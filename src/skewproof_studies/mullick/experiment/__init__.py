"""The experiment of Section 5 of Mullick et al., repeated on data sets that scikit-learn ships."""
