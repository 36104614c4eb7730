"""What several commands share: files of predictions, output, and completion."""
