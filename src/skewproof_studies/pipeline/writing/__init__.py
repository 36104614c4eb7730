"""Writing of tables, figures and reports by scripts, complete or not at all."""
