"""Areas under curves of scores: in samples, in binormal populations, by chance, and from counts."""
