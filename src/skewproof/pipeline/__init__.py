"""What the workflow needs around the package: files, tracking of modules, batches, a lock, downloads.

The only room that knows paths.
"""
