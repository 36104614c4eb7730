"""Studies that reproduce published results, one package per study; no study imports another."""
