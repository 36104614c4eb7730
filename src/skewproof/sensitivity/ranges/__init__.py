"""The range of a formula over all confusion matrices."""
