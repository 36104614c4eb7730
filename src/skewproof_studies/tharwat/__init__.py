"""A. Tharwat, "Classification assessment methods", Applied Computing and Informatics 17 (1), 2021,
pp. 168-192."""
