"""Data of users: arrays, labels and their texts, weights, and frames of every engine."""
