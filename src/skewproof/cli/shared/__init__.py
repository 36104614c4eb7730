"""Parts that commands share: files of predictions, output and completion."""
