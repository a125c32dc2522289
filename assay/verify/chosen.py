"""The rules that ``--all`` and ``--all-mutants`` stand for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assay.session.mutant_sources import load_mutants
from assay.session.options import RuleRequest, parse_rule
from oracles.engines.spark import home
from oracles.rules.catalogue import in_release
from oracles.rules.entries.known import KNOWN
from strategies.shapes import load_shapes


def shaped_rules(shard: tuple[int, int], known: Sequence[RuleRequest] = ()) -> list[RuleRequest]:
    """The rules of the installed Spark that have a shape, less the ``known`` ones: every Nth, from the Ith on."""
    shapes, release = load_shapes(), home.release()
    names = sorted(rule.name for rule in KNOWN if rule.name in shapes and in_release(rule, release))
    named = {request.name for request in known}
    return [parse_rule(name, Path()) for name in _share(names, shard) if name not in named]


def all_mutants(shard: tuple[int, int]) -> list[str]:
    """The names of the planted wrong rules: every Nth, from the Ith on."""
    return _share([mutant.name for mutant in load_mutants()], shard)


def _share(names: Sequence[str], shard: tuple[int, int]) -> list[str]:
    number, total = shard
    return list(names[number - 1 :: total])
