"""What each metric chooses on a ROC curve as positives become rare."""
