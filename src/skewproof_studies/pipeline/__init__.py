"""Parts of the workflow beyond the studies: files, tracking, batches, a lock and downloads.

This is the only package that knows paths.
"""
