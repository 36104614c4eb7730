"""Areas under curves of scores: on samples, in binormal populations, by chance, from counts."""
