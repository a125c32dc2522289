"""Plans are read from the JSON of Spark 4.3, and what can't be proven says why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay.proof.algebra import (
    Aggregate,
    Aggregated,
    Apply,
    Column,
    Constant,
    Counted,
    Filter,
    Item,
    Join,
    NotEncodable,
    OneRow,
    Project,
    Replicate,
    Table,
    Union,
)
from assay.proof.prove import Proven, prove
from assay.proof.reading import read_plan

STORED = json.loads(Path(__file__).with_name("proof_plans.json").read_text(encoding="utf-8"))
"""By the rule, both optimized plans of a query, as Spark 4.3.0 has them."""
TABLE = Table("t0", (1,), ("number",))


@pytest.mark.parametrize("legs", STORED.values(), ids=STORED)
def test_stored_plans_are_read_and_proven(legs):
    on, off = (json.dumps(legs[leg]) for leg in ("on", "off"))
    assert prove(on, off, rows=2, seconds=60) == Proven(2)


def test_a_stored_semi_join_is_that_join():
    legs = STORED["ReplaceIntersectWithSemiJoin"]
    on = read_plan(json.dumps(legs["on"]))
    (left,), (right,) = on.child.left.output, on.child.right.output
    tables = Table("t0", (left,), ("number",)), Table("t1", (right,), ("number",))
    joined = Join("semi", *tables, Apply("EqualNullSafe", (Column(left), Column(right))))
    assert on == Aggregate((Column(left),), (Item(left, Column(left)),), joined)
    assert read_plan(json.dumps(legs["off"])) == Counted("Intersect", tables)


def node(name, *below, **fields):
    """A tree in prefix order; an expression of ``below`` is one of its children."""
    head = {"class": f"org.apache.spark.sql.catalyst.{name}", "num-children": len(below), **fields}
    return [head, *(each for tree in below for each in tree)]


def identity(number):
    return {"product-class": "org.apache.spark.sql.catalyst.expressions.ExprId", "id": number, "jvmId": "0"}


def attribute(number, kind="integer", *, nullable=True):
    return node("AttributeReference", dataType=kind, nullable=nullable, exprId=identity(number))


def literal(value, kind="integer"):
    return node("Literal", value=value, dataType=kind)


def alias(child, number):
    return node("Alias", child, exprId=identity(number))


def table(*columns):
    return node("SubqueryAlias", node("LogicalRDD", output=list(columns)), identifier={"name": "t0", "qualifier": []})


def project(*items, child=None):
    return node("Project", child or table(attribute(1)), projectList=list(items))


def aggregated(function, *children, distinct=False, where=()):
    return node("AggregateExpression", node(function, *children), *where, isDistinct=distinct)


def cast(child, kind):
    return node("Cast", child, dataType=kind)


def generate(generator, *, outer=False):
    return node("Generate", table(attribute(1)), generator=generator, outer=outer, generatorOutput=[attribute(7)])


ONE = literal("1")
READ = {
    "columns": (table(attribute(1)), TABLE),
    "an alias": (project(alias(ONE, 5)), Project((Item(5, Constant(1)),), TABLE)),
    "truth values": (
        project(alias(literal("true", "boolean"), 5), alias(literal("false", "boolean"), 6)),
        Project((Item(5, Constant(True)), Item(6, Constant(False))), TABLE),
    ),
    "NULL": (project(alias(literal(None), 5)), Project((Item(5, Constant(None)),), TABLE)),
    "NULL of no type": (project(alias(literal(None, "void"), 5)), Project((Item(5, Constant(None)),), TABLE)),
    "a promise": (project(attribute(1, nullable=False)), Project((Item(1, Column(1, promised=True)),), TABLE)),
    "a filter": (
        node("Filter", table(attribute(1)), condition=node("EqualTo", attribute(1), ONE)),
        Filter(Apply("EqualTo", (Column(1), Constant(1))), TABLE),
    ),
    "a sort, which moves rows": (node("Sort", table(attribute(1)), order=[]), TABLE),
    "a union": (node("Union", table(attribute(1)), table(attribute(1))), Union((TABLE, TABLE))),
    "a join without a condition": (
        node("Join", table(attribute(1)), table(attribute(1)), joinType={"object": "x.Cross$"}, condition=None),
        Join("inner", TABLE, TABLE),
    ),
    "an existence join": (
        node(
            "Join",
            table(attribute(1)),
            table(attribute(1)),
            joinType={"product-class": "x.ExistenceJoin", "exists": attribute(9, "boolean", nullable=False)},
            condition=node("IsNull", attribute(1)),
        ),
        Join("existence", TABLE, TABLE, Apply("IsNull", (Column(1),)), 9),
    ),
    "aggregates": (
        node(
            "Aggregate",
            table(attribute(1)),
            groupingExpressions=[attribute(1)],
            aggregateExpressions=[
                alias(aggregated("Sum", attribute(1), distinct=True), 5),
                alias(aggregated("Count", ONE, where=[node("IsNull", attribute(1))]), 6),
            ],
        ),
        Aggregate(
            (Column(1),),
            (
                Item(5, Aggregated("Sum", (Column(1),), distinct=True)),
                Item(6, Aggregated("Count", (Constant(1),), where=Apply("IsNull", (Column(1),)))),
            ),
            TABLE,
        ),
    ),
    "an expansion is a union": (
        node("Expand", table(attribute(1)), projections=[[ONE], [attribute(1)]], output=[attribute(8)]),
        Union((Project((Item(8, Constant(1)),), TABLE), Project((Item(8, Column(1)),), TABLE))),
    ),
    "copies of rows": (
        project(attribute(1), child=generate(node("ReplicateRows", ONE, attribute(1)))),
        Replicate(Constant(1), (1,), (Column(1),), (7,), TABLE),
    ),
    "a row of the plan": (
        project(alias(ONE, 5), child=node("OneRowRelation")),
        Project((Item(5, Constant(1)),), OneRow()),
    ),
    "a cast to a wider type": (project(alias(cast(attribute(1), "long"), 5)), Project((Item(5, Column(1)),), TABLE)),
    "a cast of NULL": (
        project(alias(cast(literal(None, "void"), "long"), 5)),
        Project((Item(5, Constant(None)),), TABLE),
    ),
    "casts between numbers and truth values": (
        project(alias(cast(attribute(1), "boolean"), 5), alias(cast(node("IsNull", attribute(1)), "integer"), 6)),
        Project(
            (
                Item(5, Apply("Cast to boolean", (Column(1),))),
                Item(6, Apply("Cast to number", (Apply("IsNull", (Column(1),)),))),
            ),
            TABLE,
        ),
    ),
}


@pytest.mark.parametrize(("tree", "plan"), READ.values(), ids=READ)
def test_a_plan_is_read(tree, plan):
    assert read_plan(json.dumps(tree)) == plan


LEFT_OUT = {
    "operator com.acme.Filter": [{"class": "com.acme.Filter", "num-children": 1}, *table(attribute(1))],
    "operator Window": node("Window", table(attribute(1))),
    "operator Deduplicate": node(
        "ReferenceOperator", table(attribute(1)), kind={"object": "x.ReferenceKind$Deduplicate$"}
    ),
    "join UsingJoin": node("Join", table(attribute(1)), table(attribute(1)), joinType={"product-class": "x.UsingJoin"}),
    "generator Explode": project(child=generate(node("Explode", attribute(1)))),
    "generator ReplicateRows": project(child=generate(node("ReplicateRows", ONE), outer=True)),
    "aggregate function First": node(
        "Aggregate",
        table(attribute(1)),
        groupingExpressions=[],
        aggregateExpressions=[alias(aggregated("First", attribute(1)), 5)],
    ),
    "arithmetic": project(alias(node("Add", attribute(1), ONE), 5)),
    "type double": table(attribute(1, "double")),
    "type array": table(attribute(1, {"type": "array"})),
    "a table with BIGINT, whose sums overflow": table(attribute(1, "long")),
    "cast from long to integer": project(alias(cast(literal("1", "long"), "integer"), 5)),
    "cast of Coalesce": project(alias(cast(node("Coalesce", attribute(1), ONE), "long"), 5)),
}


@pytest.mark.parametrize(("why", "tree"), LEFT_OUT.items(), ids=LEFT_OUT)
def test_what_is_left_out_says_why(why, tree):
    with pytest.raises(NotEncodable) as raised:
        read_plan(json.dumps(tree))
    assert str(raised.value) == why


def test_an_expression_that_is_not_known_is_left_out_where_it_is_encoded():
    tree = json.dumps(project(alias(node("ScalarSubquery"), 5)))
    found = prove(tree, tree, rows=1, seconds=10)
    assert found.why == "expression ScalarSubquery"
