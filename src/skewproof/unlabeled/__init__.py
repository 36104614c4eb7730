"""Prevalence and metrics of instances without labels."""
