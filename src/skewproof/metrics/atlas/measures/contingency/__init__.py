"""Statistics of contingency tables: agreement, association, tests and entropies."""
