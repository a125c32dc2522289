"""The class of a check of a text: three-way agreement is never claimed where DuckDB wasn't asked."""

from __future__ import annotations

from collections import Counter

import pytest

from assay.queries.classification import alike, classification
from assay.queries.fuzzer import Count
from assay.queries.table import ended
from assay.session.ending import Exit
from oracles.answers.outcome import Raised, Rows
from oracles.checks.result import CheckResult
from oracles.checks.verdict import judge
from strategies.ir import Case, Database, Verbatim

ONE, TWO = (Rows(("int32",), ((("int32", n),),)) for n in (1, 2))
THIRD, NEARLY = (Rows(("double",), ((("double", n.hex()),),)) for n in (1 / 3, 1 / 3 + 1e-16))
RATIO, ROUNDED = (
    Rows(("decimal128(20, 15)",), ((("decimal128(20, 15)", n),),)) for n in ("0.333333333333333", "0.333333333333330")
)
OVERFLOW = Raised("ARITHMETIC_OVERFLOW", "22003", "overflow", "user")
NOT_ASKED = Raised("UnsupportedNode", None, "sqlglot can't read it", "unsupported")
BROKEN = Raised("INTERNAL_ERROR", "XX000", "broken", "internal")

CLASSES = {
    "all equal": (ONE, ONE, ONE, "all"),
    "DuckDB not asked": (ONE, ONE, NOT_ASKED, "spark"),
    "DuckDB raises": (ONE, ONE, OVERFLOW, "spark"),
    "off differs": (ONE, TWO, ONE, "finding"),
    "off differs, DuckDB not asked": (ONE, TWO, NOT_ASKED, "finding"),
    "off differs in its types": (ONE, Rows(("int64",), ()), NOT_ASKED, "finding"),
    "DuckDB differs": (ONE, ONE, TWO, "finding"),
    "off breaks": (ONE, BROKEN, ONE, "finding"),
    "both raise": (OVERFLOW, OVERFLOW, ONE, "unjudged"),
    "on alone raises": (OVERFLOW, ONE, ONE, "unjudged"),
    "off alone raises": (ONE, OVERFLOW, ONE, "unjudged"),
    "on and off differ in the last figures": (THIRD, NEARLY, THIRD, "unjudged"),
    "DuckDB differs in the last figures": (THIRD, THIRD, NEARLY, "spark"),
    "DuckDB rounds a decimal": (RATIO, RATIO, ROUNDED, "spark"),
    "off rounds a decimal": (RATIO, ROUNDED, RATIO, "finding"),
}


def checked(on, off, duckdb):
    case = Case(Verbatim("SELECT 1", "SELECT 1"), Database(()))
    verdict = judge(on, off, duckdb, fired=True)
    return CheckResult(
        case=case,
        off=("R",),
        fired=("R",),
        differed=True,
        verdict=verdict,
        legs={"on": on, "off": off, "duckdb": duckdb},
    )


@pytest.mark.parametrize(("on", "off", "duckdb", "name"), CLASSES.values(), ids=CLASSES)
def test_a_check_stands_by_what_its_legs_show(on, off, duckdb, name):
    assert classification(checked(on, off, duckdb)).name == name


def doubles(*numbers):
    return Rows(("double", "int32"), tuple((("double", each.hex()), ("int32", 1)) for each in numbers))


ALIKE = {
    "a rounding would part them": ((2.50000000497,), (2.50000000559,)),
    "next to a power of ten": ((9.99999999999,), (10.0,)),
    "in another order": ((1e300, 2.0), (2.0000000001, 1e300)),
    "the same not-a-number": ((float("nan"), 1.0), (1.0, float("nan"))),
}
UNLIKE = {
    "in the ninth figure": ((2.5,), (2.50000001,)),
    "zero and next to nothing": ((0.0,), (1e-300,)),
    "another sign": ((1e-12,), (-1e-12,)),
    "another number of rows": ((1.0,), (1.0, 1.0)),
    "in the eighth figure": ((2.5,), (2.5000001,)),
    "by more than half a unit of the ninth": ((2.5,), (2.500000006,)),
    "one near, one not": ((1.0, 2.0), (1.0000000001, 2.1)),
    "as often, but not the same ones": ((1.0, 1.0, 2.0), (1.0, 2.0, 2.0)),
    "two near the same one": ((1.0, 1.0000000001), (1.0, 2.0)),
    "a chain of near ones that is moved on": ((1.0, 1.000000004), (1.000000004, 1.000000008)),
    "no number and one": ((float("inf"),), (1.0,)),
    "infinities": ((float("inf"),), (float("-inf"),)),
    "not-a-number and infinity": ((float("nan"),), (float("inf"),)),
}


@pytest.mark.parametrize(("one", "two"), ALIKE.values(), ids=ALIKE)
def test_numbers_are_alike_within_half_a_unit_of_their_ninth_figure(one, two):
    assert (alike(doubles(*one), doubles(*two)), alike(doubles(*two), doubles(*one))) == (True, True)


@pytest.mark.parametrize(("one", "two"), UNLIKE.values(), ids=UNLIKE)
def test_other_numbers_are_not_alike(one, two):
    assert (alike(doubles(*one), doubles(*two)), alike(doubles(*two), doubles(*one))) == (False, False)


def one_cell(tag, payload):
    return Rows((tag,), (((tag, payload),),))


LIST = "list<double>"
EXACT = {
    "another cell of the row": (doubles(1.0), Rows(("double", "int32"), ((("double", (1.0).hex()), ("int32", 2)),))),
    "whole numbers": (one_cell("int64", 10**15), one_cell("int64", 10**15 + 1)),
    "decimals": (
        one_cell("decimal128(20, 15)", "0.333333333333333"),
        one_cell("decimal128(20, 15)", "0.333333333333330"),
    ),
    "texts of numbers": (one_cell("string", "1.0000000001"), one_cell("string", "1.0")),
    "other types": (one_cell("double", (1.0).hex()), one_cell("float", (1.0).hex())),
    "a number and NULL": (one_cell("double", (0.0).hex()), Rows(("double",), ((None,),))),
    "the order in a list": (
        one_cell(LIST, (("double", (1.0).hex()), ("double", (2.0).hex()))),
        one_cell(LIST, (("double", (2.0).hex()), ("double", (1.0).hex()))),
    ),
    "the length of a list": (
        one_cell(LIST, (("double", (1.0).hex()),)),
        one_cell(LIST, (("double", (1.0).hex()), ("double", (1.0).hex()))),
    ),
}


@pytest.mark.parametrize(("one", "two"), EXACT.values(), ids=EXACT)
def test_all_but_floating_point_numbers_has_to_be_equal(one, two):
    assert (alike(one, two), alike(two, one), alike(one, one)) == (False, False, True)


def test_numbers_in_a_list_are_alike_as_others_are():
    one, two = (one_cell(LIST, (("double", number.hex()), None)) for number in (2.50000000497, 2.50000000559))
    assert alike(one, two)


def test_rows_are_alike_as_wholes():
    one, two, crossed = (
        Rows(("double", "double"), tuple(tuple(("double", each.hex()) for each in row) for row in rows))
        for rows in (((1.0, 5.0), (2.0, 7.0)), ((2.0, 7.0000000001), (1.0, 5.0)), ((1.0, 7.0), (2.0, 5.0)))
    )
    assert (alike(one, two), alike(one, crossed)) == (True, False)


@pytest.mark.parametrize("other", [1 / 3 + 1e-9, float("nan"), -1 / 3], ids=str)
def test_numbers_that_differ_by_more_than_rounding_are_not_alike(other):
    assert not alike(THIRD, Rows(("double",), ((("double", other.hex()),),)))


def count(fired=("R",), with_rows=1, shown=None, **classes):
    in_agreement = fired if shown is None else shown
    return Count(classes=Counter(classes), fired=Counter(fired), shown=Counter(in_agreement), with_rows=with_rows)


ENDINGS = {
    "agreement": ({"a": count(all=3)}, [], Exit.GREEN),
    "agreement of Spark alone": ({"a": count(spark=3)}, [], Exit.GREEN),
    "a finding among others": ({"a": count(all=3), "b": count(finding=1, unjudged=4)}, [], Exit.FOUND),
    "a query that is never judged": ({"a": count(all=3), "b": count(unjudged=4)}, [], Exit.UNDECIDED),
    "a named rule that never fired": ({"a": count(all=3)}, ["R", "S"], Exit.UNDECIDED),
    "named rules that fired": ({"a": count(all=3), "b": count(("S",), all=1)}, ["R", "S"], Exit.GREEN),
    "a named rule that fired where nothing was judged": (
        {"a": count(all=11, unjudged=9, shown=())},
        ["R"],
        Exit.UNDECIDED,
    ),
    "a rule that fired so, among others": ({"a": count(all=11, unjudged=9, shown=())}, [], Exit.GREEN),
    "known divergences alone": ({"a": count(known=20, with_rows=0)}, [], Exit.UNDECIDED),
    "a query of known divergences alone": ({"a": count(all=3), "b": count(known=20)}, [], Exit.UNDECIDED),
    "known divergences among agreements": ({"a": count(all=3, known=3)}, [], Exit.GREEN),
    "a query that is hardly ever judged": ({"a": count(all=30), "b": count(all=2, unjudged=28)}, [], Exit.UNDECIDED),
    "a query that is judged half of the time": ({"a": count(all=3, unjudged=3)}, [], Exit.GREEN),
    "a query without rows among others": ({"a": count(all=3), "b": count(all=3, with_rows=0)}, [], Exit.GREEN),
    "no row at all": ({"a": count(all=3, with_rows=0)}, [], Exit.UNDECIDED),
    "no rule at all": ({"a": count((), all=3)}, [], Exit.UNDECIDED),
}


@pytest.mark.parametrize(("counts", "named", "code"), ENDINGS.values(), ids=ENDINGS)
def test_a_run_ends_by_what_was_found_judged_and_fired(counts, named, code):
    assert ended(counts, named).code == code
