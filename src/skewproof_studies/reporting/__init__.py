"""Layout of studies: tables, printed digits and discrepancies."""
