"""Steering: cases that ran new code of the optimizer are kept, and a share of the draws are edits of these."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from enum import IntEnum

from hypothesis import strategies as st

from assay.fuzz.case_mix import forms_of
from oracles.patterns.features import operator_parts
from oracles.reductions.size import size
from strategies.draw.draws import below, without_mutation
from strategies.edits.edits import is_member, neighbours
from strategies.edits.shown import shown, without_signs
from strategies.ir import Case, operators

MAX_MEMBERS = 1_000

STEERED = 50
"""The percentage of draws that are edits, once there are cases to edit."""


class Watch:
    """Watches the checks of a fuzzer from outside; this one does nothing."""

    def begin(self) -> None:
        """Called before each check."""

    def end(self, case: Case) -> None:
        """Called after the check of ``case``, whatever became of it."""

    def found(self) -> None:
        """Called with each finding that is going to be minimized."""


@dataclass(frozen=True, slots=True)
class Member:
    """A case, and the blocks that no earlier case had run."""

    case: Case
    new: frozenset[int]


@dataclass(slots=True)
class SteeringCorpus:
    """Cases that ran blocks that no earlier case had run: one case for each set of such blocks.

    ``known`` are the blocks that some case ran, whether it is a member or not.
    """

    members: list[Member] = field(default_factory=list)
    known: set[int] = field(default_factory=set)

    def add(self, case: Case, ran: Set[int]) -> frozenset[int]:
        """Count the blocks of one more case, which becomes a member if some of them are new; returns the new ones."""
        new = frozenset(ran - self.known)
        self.known |= new
        if new and is_member(case):
            self._append(Member(case, new))
        return new

    def adopt(self, member: Member) -> None:
        """Count the blocks of a member of another corpus, which becomes a member here if some of them are new, or if it
        has none because its blocks are not known.
        """
        if not member.new and is_member(member.case):
            self._append(member)
        self.add(member.case, member.new)

    def _append(self, member: Member) -> None:
        self.members.append(member)
        if len(self.members) > MAX_MEMBERS:
            self.members.remove(min(self.members, key=_worth))

    def copy(self) -> SteeringCorpus:
        """The same members and blocks, to go on from them in another way."""
        return SteeringCorpus(list(self.members), set(self.known))

    @property
    def cases(self) -> list[Case]:
        """The members' cases, the smallest first."""
        return sorted((member.case for member in self.members), key=size)


def _worth(member: Member) -> tuple[int, int]:
    """The order in which members are kept: those with many new blocks first, among equal ones the small queries."""
    return len(member.new), -operators(member.case.query)


class Effect(IntEnum):
    """How close a rule came to another answer: it fired, it made another plan, and that plan's answer has rows."""

    FIRED = 0
    OTHER_PLAN = 1
    WITH_ROWS = 2


_ENOUGH = 3
"""The number of cases with rows from which on other ones are not edited."""


@dataclass(slots=True)
class Nearest:
    """The cases on which one rule came closest to an effect on the answer: by :class:`Effect`, one for each set of
    operators.

    Of the cases with the same operators the smallest one is kept, and none that has all operators of another one and
    more: else edits of one lucky case would soon be most of the cases.
    """

    _fired_on: dict[tuple[Effect, frozenset[str]], Case] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self._fired_on)

    def add(self, case: Case, effect: Effect) -> None:
        """Keep ``case``, on which the rule had ``effect``, without the signs of zeros, if it can be edited.

        Of cases with the same operators one that runs on the fast path is kept: its edits take a tenth of the time.
        """
        case = without_signs(case, forms_of=forms_of)
        if not is_member(case):
            return
        parts = frozenset(operator_parts(case))
        kept = self._fired_on.get((effect, parts))
        if kept is not None and _cost(kept) <= _cost(case):
            return
        others = [other for other, fired in self._fired_on.items() if other[0] == effect and _is_quick(fired, case)]
        if any(other < parts for _, other in others):
            return
        for mark in [mark for mark in self._fired_on if mark[0] == effect and parts < mark[1]]:
            if _is_quick(case, self._fired_on[mark]):
                del self._fired_on[mark]
        self._fired_on[effect, parts] = case

    @property
    def cases(self) -> list[Case]:
        """The cases with other plans whose answers have rows; if there are few of them, all with other plans; if there
        are none, those on which the rule fired. Of either those that run on the fast path, if there are any; the
        smallest first.
        """
        with_rows = self._from(Effect.WITH_ROWS)
        nearest = with_rows if len(with_rows) >= _ENOUGH else self._from(Effect.OTHER_PLAN) or self._from(Effect.FIRED)
        return sorted([case for case in nearest if case.settings.is_quick] or nearest, key=size)

    def _from(self, least: Effect) -> list[Case]:
        return [case for (effect, _), case in self._fired_on.items() if effect >= least]


_SHOWN = 3
"""Of one in so many of the nearest cases, the smallest ones, there is a case that shows the condition of a filter."""


def with_shown(nearest: Sequence[Case]) -> list[Case]:
    """``nearest``, and for the smallest third of them cases that show the condition of a filter in the rows.

    A rule that is wrong about NULL alone is right in a filter, and edits of the filter may keep it one.
    """
    variants = (shown(case, forms_of=forms_of) for case in nearest[: -(-len(nearest) // _SHOWN)])
    return [*nearest, *(case for case in variants if case is not None and is_member(case))]


def _is_quick(case: Case, other: Case) -> bool:
    """Whether ``case`` runs on the fast path, or ``other`` does not either."""
    return case.settings.is_quick or not other.settings.is_quick


def _cost(case: Case) -> tuple[bool, object]:
    """The order in which cases are kept: those on the fast path first, among them the smallest one."""
    return not case.settings.is_quick, size(case)


def steered_cases(fresh: st.SearchStrategy[Case], members: Sequence[Case], percent: int) -> st.SearchStrategy[Case]:
    """Cases of ``fresh``, and in ``percent`` of a hundred draws edits of ``members``; shrinks to a fresh case.

    Without members all cases are fresh.
    """
    if not members or not percent:
        return fresh
    edited = neighbours(members, forms_of=forms_of)
    return edited if percent >= 100 else without_mutation(_mixed(fresh, edited, percent))


@st.composite
def _mixed(draw: st.DrawFn, fresh: st.SearchStrategy[Case], edited: st.SearchStrategy[Case], percent: int) -> Case:
    return draw(edited if draw(below(100)) >= 100 - percent else fresh)
