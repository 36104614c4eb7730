"""Places where van Zyl and Engelbrecht contradict themselves or the mathematics, with evidence."""
