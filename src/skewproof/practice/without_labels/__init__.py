"""Prevalence and metrics of instances that nobody has labeled."""
