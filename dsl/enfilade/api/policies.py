"""Rulesets with policies for some choices, for questions of odds.

A policy is an expression in the words of the rules, or a function. It becomes a part of the core (``check.policed``), so
the engines know what it reads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from attrs import evolve

from enfilade.api.policy_choices import PolicyChoice
from enfilade.api.policy_trees import Leaf, Row, Test, rows_of, tests_of, text_of, tree_of
from enfilade.api.prepared import PreparedRules
from enfilade.api.situations import check_choices, choice_names
from enfilade.check.context import Context
from enfilade.check.examples.policed import with_policies
from enfilade.engines.odds import Decision, Situation
from enfilade.errors import InputError, InputFault, OddsError

Decides: TypeAlias = Callable[[PolicyChoice], Any]
Policies: TypeAlias = Mapping[str, str | Decides] | Decides
"""A policy for each choice by its name, or a function for all choices."""

_ALLOWED: Final = "an expression over the names known when the choice is made, or a function"


class PolicedRules(PreparedRules):
    """A ruleset with policies.

    Args:
        rules: The ruleset.
        procedure: The procedure that is asked about.
        policies: The policy for each choice.
        keys: The kind of each record that a policy may name, by key.
    """

    __slots__ = ("_policies",)

    def __init__(
        self, rules: PreparedRules, procedure: str, policies: Mapping[str, str | Decides], keys: Mapping[str, str]
    ) -> None:
        loaded = rules.loaded
        context = loaded.checked.context
        assert context is not None
        texts = {name: policy if isinstance(policy, str) else None for name, policy in policies.items()}
        policed = with_policies(context, loaded.program, procedure, texts, keys)
        if policed.wrong:
            raise InputError([_fault(name, texts[name], wrong) for name, wrong in policed.wrong.items()])
        super().__init__(evolve(loaded, program=policed.program))
        self._policies = policies

    @property
    def policies(self) -> Mapping[str, str | Decides]:
        """The policy for each choice, by its name."""
        return self._policies


def policed(rules: PreparedRules, procedure: str, facts: Mapping[str, Any], policy: Policies | None) -> PreparedRules:
    """The ruleset with policies.

    Args:
        rules: The ruleset.
        procedure: The procedure that is asked about.
        facts: Its facts: the policies may name their records by key.
        policy: The policies.

    Raises:
        InputError: There is no such choice, or a policy is not a valid expression.
    """
    if policy is None:
        return rules
    policies = dict.fromkeys(choice_names(rules.program), policy) if callable(policy) else dict(policy)
    check_choices(rules.program, policies)
    for name in policies:
        choice, bracket, _ = name.partition("[")
        if bracket:
            text = f"a policy decides {choice} in every round; to decide {name} alone, give it among the choices"
            raise InputError([InputFault("policy", name, choice, text)])
    keys = _keys_of(rules, procedure, facts)
    key = (procedure, tuple(policies.items()), tuple(keys.items()))
    return rules.policed(key, lambda: PolicedRules(rules, procedure, policies, keys))


def policies_of(context: Context, situation: Situation, decisions: tuple[Decision, ...]) -> dict[str, str]:
    """The decisions of best play as policies.

    Args:
        context: The context of the ruleset's check.
        situation: The situation; the policies may name its records by key.
        decisions: The decisions.

    Raises:
        OddsError: The names that are known where a player chooses can't tell some decisions apart.
    """
    keys = {ref.key: ref.record for ref in situation.state.records}
    found: dict[str, list[Decision]] = {}
    for each in decisions:
        found.setdefault(each.name.partition("[")[0], []).append(each)

    def is_known(choice: str, row: Row, test: Test) -> bool:
        option = text_of(Leaf(row.best[0]))
        policy = {choice: f"{option} when {test.text()} otherwise {option}"}
        return not with_policies(context, situation.program, situation.procedure, policy, keys).wrong

    policies = {}
    for choice, group in found.items():
        if any(each.chances for each in group):
            raise OddsError(f"the choice {choice} is made at random, so it has no policy")
        rows = rows_of(group)
        known: dict[str, bool] = {}
        for test in tests_of(rows):
            if test.name not in known:
                known[test.name] = is_known(choice, rows[0], test)
        tree = tree_of(rows, [test for test in tests_of(rows) if known[test.name]])
        if tree is None:
            text = f"no expression can make the choice {choice}, because the best option depends on values that have no name"
            raise OddsError(f"{text}; see the list of decisions")
        policies[choice] = text_of(tree)
    return policies


def _keys_of(rules: PreparedRules, procedure: str, facts: Mapping[str, Any]) -> dict[str, str]:
    """The kind of each record of a situation, by key; none if the facts have mistakes, which are reported elsewhere."""
    try:
        _, state = rules.reader(rules.program.procedures[procedure].inputs).read({**facts})
    except InputError:
        return {}
    return {ref.key: ref.record for ref in state.records}


def _fault(name: str, policy: Any, wrong: tuple[str, ...]) -> InputFault:
    return InputFault("policy", policy, _ALLOWED, f"the policy for {name}: {'; '.join(wrong)}")
