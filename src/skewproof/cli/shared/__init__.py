"""Parts that commands share: options, files of predictions, output and messages."""
