"""Best points that each metric chooses on binormal curves as positives become rare."""
