"""The commands for predictions that are not labeled, or only in part."""
