"""Reporting tools of the studies: tables, printed digits, discrepancies, parts of figures."""
