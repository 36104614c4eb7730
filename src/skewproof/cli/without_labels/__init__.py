"""The commands for predictions of which none or only some are labeled."""
