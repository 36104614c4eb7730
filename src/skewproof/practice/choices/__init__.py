"""What a metric asks for: its exchange rate, its best points and cut-offs, and their limits."""
