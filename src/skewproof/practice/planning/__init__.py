"""Sample sizes of studies."""
