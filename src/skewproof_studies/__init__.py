"""What the package computes of single papers, a folder each; none imports another."""
