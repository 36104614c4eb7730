"""The experiment of Section 9: metrics of classifiers on real data (Tables 9 to 11)."""
