"""Nothing recurses past Python's stack: each guard at its limit and beyond it, also when the caller has used most of the stack."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
from attrs import frozen

import enfilade
from enfilade import EnfiladeError, LimitError, Limits, Outcome, Ruleset, RulesetError, Severity
from enfilade.core.assignments import MOST_LOSSES
from enfilade.tools import format_text, reference_card
from enfilade_repl.dispatch import new_session


def frames_in_use() -> int:
    """The depth of the stack."""
    frame, count = sys._getframe(), 0
    while frame.f_back is not None:
        frame, count = frame.f_back, count + 1
    return count


def with_frames_left(left: int, call: Callable[[], Any]) -> Any:
    """Call a function from so deep a stack that only some frames are left."""

    def down(count: int) -> Any:
        return down(count - 1) if count > 0 else call()

    return down(sys.getrecursionlimit() - frames_in_use() - left)


# -- texts

MAIN: Final = "procedure main\n  1. roll d6 as d\n"


def brackets(count: int) -> str:
    """A number in so many brackets."""
    return f"{MAIN}  2. give result = {'(' * count}d{')' * count}\n"


def sums(count: int) -> str:
    """A sum of terms in brackets: as many levels of the tree as a text can have."""
    return f"{MAIN}  2. give result = {'(' * count}d + 1{') + 1' * count}\n"


def terms(count: int) -> str:
    """A sum of so many terms."""
    return f"{MAIN}  2. give result = {' + '.join(['d'] * count)}\n"


def cases(count: int) -> str:
    """A definition of so many cases."""
    lines = "".join(f"  {n} when n is {n}\n" for n in range(count - 1))
    return f"facts\n  n 0.. = 1\ndefine c\n{lines}  0 otherwise\n{MAIN}  2. give result = c + d\n"


def blocks(count: int) -> str:
    """So many blocks inside each other, that of the procedure included."""
    whens = "".join(f"{' ' * (5 + 2 * n)}when d > 0\n" for n in range(1, count - 1))
    return f"{MAIN}  2. let x = 0\n  3. when d > 0\n{whens}{' ' * (3 + 2 * count)}x becomes 1\n  4. give result = x\n"


def definitions(count: int) -> str:
    """A chain of definitions."""
    chain = "".join(f"define c{n} = c{n + 1} + 1\n" for n in range(count - 1))
    return f"{chain}define c{count - 1} = 1\n{MAIN}  2. give result = d + c0\n"


def calls(count: int) -> str:
    """A chain of calls."""
    chain = "".join(f"procedure p{n}\n  1. call p{n + 1}\n" for n in range(1, count))
    return f"{MAIN}  2. call p1\n  3. give result = d\n{chain}procedure p{count}\n  1. give x = 1\n"


def unplayed(count: int) -> str:
    """A chain of calls that is not taken."""
    return "facts\n  far yes/no = no\n" + calls(count).replace("2. call p1\n", "2. when far: call p1\n")


def modules(count: int) -> str:
    """The text of a module that uses another, and so on; the files are in the folder of ``played_with_files``."""
    return f"use m{count}\n{MAIN}  2. give result = d\n"


def losses(count: int) -> str:
    """An assignment of losses in which the number of the loss matters, so all orders are searched."""
    return f"""players owner
record unit
  steps 0..
facts
  units list of unit
effect loss "loses a step" (unit)
  unit.steps becomes unit.steps - 1
procedure main
  1. owner assigns {count} loss among units where steps > 0 and nth < 9999 as lost
  2. give result = sum of steps over units
"""


def nested(count: int) -> Any:
    """A list in a list and so on."""
    value: Any = []
    for _ in range(count):
        value = [value]
    return value


# -- what is tried


def played(text: str, **facts: Any) -> Any:
    """What a text gives in play, in an explanation, in odds, in a saved run, on a card and formatted.

    Raises:
        RulesetError: It does not check.
    """
    rules = enfilade.load(text=text)
    outcome = rules.resolve("main", **facts, seed=1)
    assert Outcome.from_json(outcome.to_json()).to_json() == outcome.to_json()
    again = Ruleset.from_json(json.loads(json.dumps(rules.to_json())))
    run = again.resume(rules.begin("main", **facts).save())
    return (
        outcome.result, str(outcome.explain()), rules.odds("main", **facts).result.text(), str(run.question),
        again.procedure("main").json_schema(), reference_card(rules), format_text(text), enfilade.check(text),
    )  # fmt: skip


def played_with_files(count: int) -> Any:
    """A chain of modules in files."""
    with TemporaryDirectory() as folder:
        for number in range(1, count + 1):
            used = f"use m{number - 1}\n" if number > 1 else ""
            Path(folder, f"m{number}.rules").write_text(f"{used}define x{number} = {number}\n")
        return enfilade.load(text=modules(count), search_path=[folder]).resolve("main", dice=[2]).result


def assigned(count: int) -> Any:
    """Losses that two units share."""
    units = [{"name": name, "steps": count} for name in "ab"]
    rules = enfilade.load(text=losses(count))
    return rules.resolve("main", units=units, choices=["a"] * count).result


def grid_of(count: int) -> Any:
    """The odds for two values of each of so many facts."""
    facts = "".join(f"  n{n} 0..1\n" for n in range(count))
    text = f"facts\n{facts}{MAIN}  2. give result = d + {' + '.join(f'n{n}' for n in range(count))}\n"
    rules = enfilade.load(text=text)
    return str(rules.grid("main", of="result", by={f"n{n}": [0, 1] for n in range(count)}))


PUSHING: Final = """players owner
procedure main
  1. let total = 0
     let goes_on = yes
  2. repeat while goes_on, limit {0} times
       roll d6 as die
       total becomes total + die
       owner chooses whether more "go on"
       goes_on becomes more and die > 1 and total < {0}
  3. give result = total
"""


def best_play(count: int) -> Any:
    """The best play of a game with many states, as an expression."""
    rules = enfilade.load(text=PUSHING.format(count))
    odds = rules.odds("main", players={"owner": "best"}, aim=f"result is {count}")
    return odds.result.text(), len(odds.policy())


def values(count: int) -> Any:
    """A nested value as a fact, as an answer, as an outcome, as rules and as a saved run."""
    rules = enfilade.load(text=f"facts\n  n 0..\n  l list of 0..\n{MAIN}  2. give result = d + n\n")
    deep = nested(count)
    for call in (
        lambda: rules.resolve("main", n=deep, l=[1]),
        lambda: rules.resolve("main", n=1, l=[deep]),
        lambda: rules.begin("main", l=[]).answer(deep),
        lambda: Outcome.from_json({"status": "resolved", "outputs": {"result": deep}}),
        lambda: Ruleset.from_json({"texts": deep}),
        lambda: rules.resume("[" * count + "]" * count),
        lambda: rules.odds("main", n=1, l=[]).of("[" * count),
    ):
        with pytest.raises(EnfiladeError):
            call()


def reopened(count: int) -> Any:
    """Saved sessions, each of which opens another and the last the first."""
    with TemporaryDirectory() as folder:
        paths = [Path(folder, f"{number}.session") for number in range(count)]
        for path, other in zip(paths, [*paths[1:], paths[0]], strict=True):
            head = {"format": "enfilade-session", "version": 1, "seed": "1", "dice": "zzz"}
            lines = [head, *({"entry": entry} for entry in ("2d6", f"open {other}"))]
            path.write_text("".join(json.dumps(each) + "\n" for each in lines))
        return new_session(seed="7").enter(f"open {paths[0]}").code


def long_numbers(count: int) -> Any:
    """A sum of many dice, whose chances have many digits."""
    rules = enfilade.load(text=f"procedure main\n  1. roll {count}d6 as d\n  2. give result = d\n")
    return rules.odds("main").result.text()[:100]


@frozen
class Guard:
    """What a guard bounds.

    Attributes:
        run: Tries a size.
        within: The largest size that is allowed, or a large one if there is no limit.
        beyond: A size that is refused; 0 if none is.
        refused: What the refusal says.
    """

    run: Callable[[int], Any]
    within: int
    beyond: int = 0
    refused: str = ""


GUARDS: Final[dict[str, Guard]] = {
    "brackets": Guard(lambda n: played(brackets(n)), 60, 61, "nested too deep"),
    "sums": Guard(lambda n: played(sums(n)), 30, 61, "nested too deep"),
    "terms": Guard(lambda n: played(terms(n)), 149, 151, "nested too deep"),
    "cases": Guard(lambda n: played(cases(n)), 480, 503, "nested too deep"),
    "blocks": Guard(lambda n: played(blocks(n)), 30, 31, "blocks"),
    "chain": Guard(lambda n: played(definitions(n)), 24, 25, "depends on a chain of more than"),
    "depth": Guard(lambda n: played(calls(n)), 39, 40, "more than 40 levels deep"),
    "components": Guard(lambda n: played(unplayed(n)), 1_010),
    "modules": Guard(played_with_files, 32, 33, "modules"),
    "values": Guard(values, 5_000),
    "losses": Guard(assigned, 4 * MOST_LOSSES),
    "variables": Guard(grid_of, 6),
    "policy": Guard(best_play, 12),
    "tasks": Guard(best_play, 20),
    "halves": Guard(long_numbers, 400),
    "prompt": Guard(reopened, 3),
}
LARGE: Final = ("cases", "components", "losses", "tasks")
"""What takes seconds."""


def guards(*, without: tuple[str, ...] = ()) -> list[Any]:
    """The names of the guards; those that take long are for the thorough run."""
    thorough = pytest.mark.thorough
    return [pytest.param(name, marks=[thorough] if name in LARGE else []) for name in GUARDS if name not in without]


def modifiers(count: int) -> str:
    """Blocks of modifiers that each use the one before."""
    chain = "".join(f"modifiers m{n}\n  +(m{n - 1})  on  m{n - 1} > 0\n" for n in range(1, count))
    return f"facts\n  n 0.. = 1\nmodifiers m0\n  +1  on  n > 0\n{chain}{MAIN}  2. give result = d + m{count - 1}\n"


def effects(count: int) -> str:
    """Effects that each perform the next."""
    chain = "".join(f"effect e{n}\n  e{n + 1}\n" for n in range(count - 1))
    return f"{chain}effect e{count - 1}\n{MAIN}  2. e0\n  3. give result = d\n"


ENDED: Final = {
    "a line of 300 terms": (terms(300), "at most 150 terms in a row"),
    "a definition of 1,000 cases": (cases(1_000), "and 500 cases"),
    "1,000 chained definitions": (definitions(1_000), "depends on a chain of more than"),
    "1,050 chained modifiers": (modifiers(1_050), "depends on a chain of more than"),
    "1,050 chained effects": (effects(1_050), "more than 40 levels deep"),
    "1,050 chained procedures": (calls(1_050), "more than 40 levels deep"),
}
"""Texts that once ended with Python's ``RecursionError``, and what refuses them now."""


@pytest.mark.thorough
@pytest.mark.parametrize(("text", "refused"), ENDED.values(), ids=ENDED)
def test_a_long_chain_is_refused_in_words(text: str, refused: str) -> None:
    with pytest.raises((RulesetError, LimitError), match=refused):
        enfilade.load(text=text).resolve("main", seed=1)


@pytest.mark.parametrize("name", guards())
def test_each_guard_allows_its_limit_and_refuses_more(name: str) -> None:
    guard = GUARDS[name]
    guard.run(guard.within)
    if guard.beyond:
        with pytest.raises((RulesetError, LimitError), match=guard.refused):
            guard.run(guard.beyond)


def outcome_of(call: Callable[[], Any]) -> Any:
    """The result of a call, or what its error says."""
    try:
        return call()
    except EnfiladeError as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("left", [60, pytest.param(400, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("name", guards(without=("components", "cases", "policy")))
def test_from_a_deep_stack_the_result_is_the_same_or_an_error_of_ours(name: str, left: int) -> None:
    """A caller leaves so many frames of Python; a program has 1,000 if it changes nothing."""
    guard = GUARDS[name]
    for size in filter(None, (guard.within, guard.beyond)):
        call = partial(outcome_of, partial(guard.run, size))
        found = with_frames_left(left, call)
        refused = isinstance(found, str) and (
            "nested too deep" in found or (size == guard.beyond and guard.refused in found)
        )
        assert refused or found == call()


def test_a_check_from_a_deep_stack_is_a_diagnostic() -> None:
    found = with_frames_left(60, lambda: enfilade.check(brackets(60)))
    assert [(each.code, each.severity) for each in found] == [("nesting-too-deep", Severity.ERROR)]
    assert enfilade.check(brackets(60)) == ()


def test_the_limits_of_the_profiles_apply_from_a_deep_stack() -> None:
    with pytest.raises(LimitError, match="nested too deep"):
        with_frames_left(60, lambda: enfilade.load(text=terms(149), limits=Limits.untrusted()).resolve("main", seed=1))
