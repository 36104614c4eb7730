import io
import subprocess

import numpy as np
import pytest
from scipy import sparse

from skewproof_studies.van_zyl.real_data.datasets import Data, git_blob_id, read_data, undersampled


def npz(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    file.seek(0)
    return file


def csv(text):
    return io.BytesIO(text.encode())


@pytest.mark.parametrize("content", [b"", bytes(range(256)) * 100])
def test_blob_id_is_gits(content, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(content)
    by_git = subprocess.run(
        ["git", "hash-object", "--no-filters", path], capture_output=True, text=True, check=True
    )
    assert git_blob_id(content) == by_git.stdout.strip()


def test_both_formats_give_the_same_data():
    features, labels = np.array([[1.5, 2], [3, 4], [5, 6]]), np.array([0, 1, 0])
    from_npz = read_data(npz(X=features, y=labels), "npz")
    from_csv = read_data(csv("a,b,class\n1.5,2,0\n3,4,1\n5,6,0\n"), "csv")
    for data in (from_npz, from_csv):
        np.testing.assert_array_equal(data.dense(), features)
        assert data.positive.tolist() == [False, True, False]
    mostly_zero = read_data(npz(X=np.eye(9), y=np.arange(9) % 2), "npz")
    assert sparse.issparse(mostly_zero.features)
    np.testing.assert_array_equal(mostly_zero.dense(), np.eye(9))


def test_undersampling_keeps_the_smaller_class_whole():
    positive = np.arange(100) % 10 == 0
    data = Data(np.arange(100.0)[:, None], positive)
    kept = undersampled(data, 1)
    assert kept.positive.sum() == 10
    assert len(kept.positive) == 20
    assert set(kept.features[kept.positive, 0]) == set(np.flatnonzero(positive))
    np.testing.assert_array_equal(kept.features, undersampled(data, 1).features)
    assert not np.array_equal(kept.features, undersampled(data, 2).features)


X, Y = np.eye(4), np.array([0, 1, 0, 1])


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"X": X, "y": Y[:, None]}, r"labels of the shape \(4, 1\): expected a label for each row"),
        ({"X": X[:, :0], "y": Y}, r"X of the shape \(4, 0\): expected rows of at least one"),
        ({"X": X + 1j, "y": Y}, "X of the type complex128: expected numbers"),
        ({"X": X, "y": Y.astype(object)}, "Object arrays cannot be loaded"),
        ({"X": np.full((4, 4), np.inf), "y": Y}, "missing or not finite"),
        ({"X": X}, "arrays X: expected X and y"),
        ({"X": X, "y": Y + 1}, "classes 1, 2: expected 0 and 1"),
        ({"X": X, "y": Y**0}, "classes 1: expected 0 and 1"),
    ],
)
def test_arrays_that_are_no_data_set(arrays, message):
    with pytest.raises(ValueError, match=message):
        read_data(npz(**arrays), "npz")


@pytest.mark.parametrize("end", [0, 50, -1])
def test_a_broken_archive_is_a_sentence(end):
    content = npz(X=X, y=Y).getvalue()
    with pytest.raises(ValueError, match="not a complete npz archive"):
        read_data(io.BytesIO(content[:end]), "npz")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,class,class\n1,0,0\n2,1,1\n", "2 columns named class, of a, class, class: expected"),
        ("class\n0\n1\n", r"X of the shape \(2, 0\): expected rows of at least one attribute"),
        ("a,class\n1,2,0\n3,4,1\n", "a row has more fields than the header: expected as many"),
        ("a\tb,c\n1,0\n", r"of a\\tb, c"),
        ("a,class\nx,0\n1,1\n", "could not convert string to float: 'x': expected numbers"),
        ("", "0 columns named class"),
    ],
)
def test_tables_that_are_no_data_set(text, message):
    with pytest.raises(ValueError, match=message):
        read_data(csv(text), "csv")
