"""How scripts write tables, figures and reports, whole or not at all."""
