from functools import partial

import pytest

from skewproof_studies.pipeline import batches as module
from skewproof_studies.pipeline.batches import merged, parted, read_batches

FIRST = {"1": ["a", "b", "c"]}
batched = partial(module.batched, largest=4)


def test_at_first_all_are_one_batch():
    assert batched(["a", "b", "c"], {}) == FIRST


def test_what_is_new_is_a_batch_of_its_own():
    assert batched(["a", "new", "b", "c", "other"], FIRST) == FIRST | {"2": ["new", "other"]}


def test_very_many_are_batches_of_their_own():
    members = [f"member_{number}" for number in range(10)]
    found = batched([*members, "a"], FIRST)
    assert found == {"1": ["a"], "2": members[:4], "3": members[4:8], "4": members[8:]}
    more = batched([*members, "new", "a"], merged(FIRST, found))
    assert more == found | {"5": ["new"]}  # though the batch before is not full


def test_the_order_of_what_is_wanted_changes_nothing():
    assert batched(["c", "b", "a"], FIRST) == FIRST


def test_what_is_not_wanted_leaves_its_batch_and_comes_back_to_it():
    fewer = batched(["a", "c"], FIRST)
    assert fewer == {"1": ["a", "c"]}
    assert merged(FIRST, fewer) == FIRST
    assert batched(["a", "b", "c"], merged(FIRST, fewer)) == FIRST


def test_names_are_not_used_again():
    recorded = merged(FIRST, batched(["d"], FIRST))
    assert batched(["d"], FIRST) == {"2": ["d"]}
    assert batched(["d", "e"], recorded) == {"2": ["d"], "3": ["e"]}


@pytest.mark.parametrize("wanted", [["a"], ["a", "z"], list("abcdefgh"), ["x", "y"]])
def test_all_that_is_wanted_is_in_one_batch_each(wanted):
    batches = batched(wanted, FIRST | {"2": ["d"]})
    assert sorted(member for batch in batches.values() for member in batch) == sorted(wanted)


@pytest.mark.parametrize(
    ("members", "largest", "sizes"),
    [
        *((1, 16, [1]), (2, 16, [1, 1]), (3, 16, [2, 1]), (5, 16, [3, 2]), (50, 4096, [25, 25])),
        *((50, 16, [13, 13, 13, 11]), (50, 1, [1] * 50), (3, 1, [1, 1, 1])),
    ],
)
def test_parts_are_two_at_least_and_about_as_large(members, largest, sizes):
    batch = [str(number) for number in range(members)]
    parts = parted({"7": batch}, {}, largest=largest)["7"]
    assert [len(part) for part in parts.values()] == sizes
    assert [member for part in parts.values() for member in part] == batch
    assert list(parts) == [str(number) for number in range(1, 1 + len(sizes))]


def test_what_is_not_wanted_leaves_its_part_and_changes_no_other():
    recorded = {"1": list("abcdef"), "2": ["g"]}
    assert parted(recorded, {}, largest=3) == {
        "1": {"1": ["a", "b", "c"], "2": ["d", "e", "f"]},
        "2": {"1": ["g"]},
    }
    batches = batched(["f", "b", "a"], recorded)
    assert parted(batches, recorded, largest=3) == {"1": {"1": ["a", "b"], "2": ["f"]}}
    batches = batched(["f", "d"], recorded)
    assert parted(batches, recorded, largest=3) == {"1": {"2": ["d", "f"]}}


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "3", '{"levels": {}}', '{"levels": [], "metrics": {}}', "[" * 10**5),
        *('{"levels": {"1": [5]}, "metrics": {}}', '{"levels": {"x": ["1:1"]}, "metrics": {}}'),
    ],
    ids=range(9),
)
def test_a_record_that_no_run_wrote(tmp_path, text):
    path = tmp_path / "batches.json"
    path.write_text(text)
    with pytest.raises(ValueError, match="not a record of batches; remove it"):
        read_batches(path)


def test_without_a_record(tmp_path):
    assert read_batches(tmp_path / "batches.json") == {"levels": {}, "metrics": {}}
