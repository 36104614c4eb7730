"""What every study reads from a configuration."""
