"""A verification tells of its proofs, the database of a refutation, and a machine without the solver."""

from __future__ import annotations

import importlib.util
from collections import Counter

import pytest

from assay.commands.cli import main
from assay.session.ending import Exit
from assay.verify.grammar import Schema
from assay.verify.pairs import Pair
from assay.verify.proofs import Proofs, are_the_same, database_for
from strategies.ir import INT, Column, Scan, SetOp, Table

COLUMNS = (Column("a", INT),)
PAIR = Pair(query=SetOp("except", Scan("t0", COLUMNS), Scan("t1", COLUMNS)), schema=Schema((INT,), 3), on={}, off={})


def test_the_text_counts_all_pairs_and_gives_the_commonest_reasons():
    reasons = Counter({f"reason {number}": number for number in range(1, 8)})
    first, second = Proofs(2, proven=1_000, refuted=1, undecided=2, outside=reasons).lines()
    assert first == (
        "proven for all values, up to 2 rows a table: 1,000 of 1,031 pairs of plans; refuted: 1, undecided in time: 2"
    )
    assert second.startswith("not encodable: 28 pairs, because of reason 7 (7), reason 6 (6), ")
    assert second.endswith("reason 3 (3), and others")


def test_without_a_pair_that_is_left_out_there_is_no_line_of_reasons():
    assert list(Proofs(1, proven=1).lines()) == [
        "proven for all values, up to 1 row a table: 1 of 1 pair of plans; refuted: 0, undecided in time: 0"
    ]


def test_the_summary_has_each_count():
    assert Proofs(2, proven=1, outside=Counter(arithmetic=3)).summary() == {
        "rows": 2,
        "proven": 1,
        "refuted": 0,
        "undecided": 0,
        "not_encodable": {"arithmetic": 3},
    }


SAME = {
    "numbered alike": ('{"id":1},{"id":2},{"id":1}', '{"id":7},{"id":1},{"id":7}', True),
    "numbered otherwise": ('{"id":1},{"id":2},{"id":1}', '{"id":7},{"id":1},{"id":1}', False),
    "two columns for one": ('{"id":1},{"id":1}', '{"id":1},{"id":2}', False),
    "other names": ('{"name":"a","id":1}', '{"name":"b","id":1}', False),
}


@pytest.mark.parametrize(("on", "off", "same"), SAME.values(), ids=SAME)
def test_plans_are_the_same_up_to_their_numbers(on, off, same):
    assert are_the_same(on, off) == same


def test_the_database_of_a_refutation_has_all_tables_of_the_query():
    """A table that no plan reads any more has no rows."""
    found = database_for(PAIR, {"t1": ((None,), (7,))})
    assert found.tables == (Table("t0", COLUMNS, ()), Table("t1", COLUMNS, ((None,), (7,))))


def test_without_the_solver_one_line_says_which_extra_brings_it(monkeypatch, capsys):
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *more: None if name == "z3" else real(name, *more))
    assert main(["verify", "--rule", "CombineFilters", "--prove"]) == Exit.BAD_INPUT
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "--prove: needs z3: install Assay with its extra proof, or z3-solver\n")
