"""What the workflow needs beside the package: files, tracking, batches, a lock, downloads.

The only room that knows paths.
"""
