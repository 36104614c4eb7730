"""Indices and shifts under other distributions of classifiers, and changes of the ranking."""
