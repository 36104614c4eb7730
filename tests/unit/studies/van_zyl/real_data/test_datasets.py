import io
import subprocess

import numpy as np
import pytest
from scipy import sparse

from skewproof.studies.van_zyl.real_data.datasets import Data, git_blob_id, read_data, undersampled


def npz(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    file.seek(0)
    return file


def csv(text):
    return io.BytesIO(text.encode())


@pytest.mark.parametrize("content", [b"", b"a,class\n1,0\n", bytes(range(256)) * 100])
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


def test_mostly_zero_features_are_sparse_and_the_same():
    features = np.eye(9)
    data = read_data(npz(X=features, y=np.arange(9) % 2), "npz")
    assert sparse.issparse(data.features)
    np.testing.assert_array_equal(data.dense(), features)


@pytest.mark.parametrize(
    ("file", "kind", "fault"),
    [
        (npz(X=np.ones((2, 1))), "npz", "arrays X: expected X and y"),
        (npz(X=np.ones(2), y=[0, 1]), "npz", r"X of the shape \(2,\): expected two dimensions"),
        (npz(X=np.ones((3, 1)), y=[0, 1]), "npz", "3 rows, 2 labels: expected equal lengths"),
        (npz(X=np.full((2, 1), np.nan), y=[0, 1]), "npz", "a value is missing"),
        (npz(X=np.ones((2, 1)), y=[1, 2]), "npz", "classes 1, 2: expected 0 and 1"),
        (npz(X=np.ones((2, 1)), y=[1, 1]), "npz", "classes 1: expected 0 and 1"),
        (csv("a,b\n1,0\n2,1\n"), "csv", 'columns a, b: expected one named "class"'),
    ],
)
def test_what_is_no_data_set_is_refused(file, kind, fault):
    with pytest.raises(ValueError, match=fault):
        read_data(file, kind)


def test_undersampling_keeps_the_smaller_class_whole():
    positive = np.arange(100) % 10 == 0
    data = Data(np.arange(100.0)[:, None], positive)
    kept = undersampled(data, 1)
    assert kept.positive.sum() == 10
    assert len(kept.positive) == 20
    assert set(kept.features[kept.positive, 0]) == set(np.flatnonzero(positive))
    np.testing.assert_array_equal(kept.features, undersampled(data, 1).features)
    assert not np.array_equal(kept.features, undersampled(data, 2).features)
