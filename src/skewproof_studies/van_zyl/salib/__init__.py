"""The study's indices by SALib itself."""
