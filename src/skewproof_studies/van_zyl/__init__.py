"""J.-P. van Zyl and A. P. Engelbrecht, Analysis of classification metric behaviour under class
imbalance, Egyptian Informatics Journal 31 (2025) 100711, doi:10.1016/j.eij.2025.100711."""
