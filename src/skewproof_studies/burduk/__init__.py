"""R. Burduk, "Classification performance metric for imbalance data based on recall and selectivity
normalized in class labels", arXiv:2006.13319, 2020."""
