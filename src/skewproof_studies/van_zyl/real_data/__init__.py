"""Section 9 of van Zyl and Engelbrecht: metrics of classifiers on real data (Tables 9 to 11)."""
