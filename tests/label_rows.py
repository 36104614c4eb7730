"""Rows of labels from confusion matrices."""


def label_rows(slices, labels):
    """Yield key, true label, predicted label and count of each cell with instances.

    A slice has its key and its matrix, with the labels in the order of rows and of columns.
    """
    for key, matrix in slices.items():
        for true, row in zip(labels, matrix, strict=True):
            for predicted, count in zip(labels, row, strict=True):
                if count:
                    yield key, true, predicted, count


def label_lines(slices, labels):
    """List a line of CSV for each instance: its key, true and predicted label."""
    return [
        f"{key},{true},{predicted}"
        for key, true, predicted, count in label_rows(slices, labels)
        for _ in range(count)
    ]
