import pytest

from skewproof.studies.burduk.claim import claim_in_the_tables, claim_shares, reactions


def test_the_claim_holds_in_every_pair_of_the_tables(rows):
    for table in rows.values():
        pairs = claim_in_the_tables(table)
        assert list(pairs["pair"]) == ["|psi1-psi2|", "|psi1-psi4|", "|psi2-psi3|", "|psi3-psi4|"]
        assert list(pairs["changes"]) == ["TP", "TN", "TN", "TP"]
        assert pairs["holds"].all()


def test_the_claim_does_not_hold_in_a_tenth_of_his_region(reactions_at_a_tenth):
    shares = claim_shares(reactions_at_a_tenth, 0.1)
    every = shares[shares["metric"] == "every"].set_index("region")["both"]
    assert every["u > 1/2 and v > 1/2"] > 0.98
    assert every["u > 1/2"] < 0.9  # "similar results apply to any TN"
    assert every["u > IR"] < 0.7
    assert every["whole"] == pytest.approx(every["u > IR"] * 0.9 + every["u < IR"] * 0.1)


def test_shares_converge_with_the_grid():
    coarse, fine = (
        claim_shares(reactions(positives=1000, negatives=250, grid=grid), 0.25)["both"]
        for grid in (100, 200)
    )
    assert (coarse - fine).abs().max() < 0.01
