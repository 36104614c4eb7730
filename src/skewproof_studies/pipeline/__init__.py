"""What the workflow needs beside the package: files, tracking, batches, a lock, downloads.

The only package that knows paths.
"""
