"""What the literature says about metrics under imbalance, and what computing says."""
