"""What studies report with: tables, printed digits, discrepancies, parts of figures."""
