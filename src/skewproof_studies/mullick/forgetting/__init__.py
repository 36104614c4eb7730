"""Which measures forget the rarest class, and at which imbalance."""
