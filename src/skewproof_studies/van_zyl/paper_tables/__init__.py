"""The tables as the paper prints them, beside the computed ones."""
