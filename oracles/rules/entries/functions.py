"""Entry of the rule that translates functions in Python to expressions."""

from __future__ import annotations

from oracles.rules.rule import OPTIMIZER, Rule
from oracles.rules.switch import ByConf, Reference

TRANSLATES = "spark.sql.experimental.optimizer.transpilePyUDFs"
"""The setting under which functions in Python are translated, if it is on when they are registered and optimized."""

FUNCTIONS: tuple[Rule, ...] = (
    Rule(
        name="ConvertToCatalyst",
        rule_name=OPTIMIZER + "ConvertToCatalyst",
        batch="Convert python UDFs to Catalyst",
        # Without the function in its place the call can't run: the setting alone leaves the rule with that work.
        switch=Reference(("TranspiledPythonUDF",), ByConf(TRANSLATES, "false")),
        law="a call of a function in Python = the expression that its text was translated to, over the operands",
        conditions=(
            "a parameter is the operand of the same place",
            "what is NULL is false where a branch asks for it, and NULL equals NULL",
            "the translation is one for the operands' types",
            "an operand that is read more than once is computed once, below the operator, or the function stays",
            "the function stays in Python unless the setting is on, under ANSI",
        ),
        seeds=("002",),
        releases=">=4.3",
    ),
)
