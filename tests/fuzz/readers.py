"""Parts that read what others wrote: saved runs, outcomes as JSON, stored rules, ledgers, pasted charts and entries."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import cache
from typing import Any, Final

from tests.fuzz.mutation import mutations
from tests.fuzz.part import Part
from tests.fuzz.playing import played, some_facts
from tests.fuzz.seeds import GAMES, ROOT, rules_texts
from tests.fuzz.sessions import entries
from tests.fuzz.texts import is_checked

import enfilade
from enfilade import Limits, Ruleset
from enfilade.files import SourceFile
from enfilade.language import EntryReader, entry_tokens, expected_after, is_unfinished, read_answers, tokens
from enfilade.service import METHODS, Service
from enfilade.tools import NoChart, compare_text, read_ledger, ruleset_from_pasted
from enfilade.values.json_data import to_json

Values = Callable[[random.Random], Any]


game: Final = cache(enfilade.load)


@cache
def _runs() -> tuple[tuple[str, enfilade.Run], ...]:
    rng = random.Random(1)
    return tuple(
        (name, played(game(name), procedure.name, some_facts(game(name), procedure.name, rng), rng))
        for name in GAMES
        for procedure in game(name).procedures[:3]
    )


@cache
def saves() -> tuple[str, ...]:
    """Saved runs, each below the name of its rules."""
    return tuple(f"{name}\n{run.save()}" for name, run in _runs())


@cache
def outcomes() -> tuple[str, ...]:
    """Outcomes as JSON."""
    return tuple(json.dumps(run.outcome.to_json()) for _, run in _runs() if run.outcome is not None)


@cache
def stored() -> tuple[str, ...]:
    """Rulesets as JSON."""
    return tuple(
        json.dumps(enfilade.load(text=text).to_json())
        for text in rules_texts()
        if len(text) < 1_500 and is_checked(text)
    )


@cache
def requests() -> tuple[str, ...]:
    """Requests to the protocol: every method, about shipped games."""
    texts = []
    for name, run in _runs():
        asked: dict[str, Any] = {
            "ruleset": name,
            "procedure": run.procedure,
            "facts": to_json(run.facts),
            "dice": [1, 2],
            "seed": 1,
        }
        asked |= {"save": run.save(), "of": "result", "fact": "x", "by": {"x": [1]}, "a": {}, "b": {}, "chance": "1/2"}
        asked |= {"trials": 5, "event": "x", "chart": "x", "answer": [1, 2], "text": "chart x\n"}
        for name_of_method, method in METHODS.items():
            params = {each.name: asked[each.name] for each in method.parameters if each.name in asked}
            texts.append(json.dumps({"jsonrpc": "2.0", "id": 1, "method": name_of_method, "params": params}))
    return tuple(texts)


@cache
def _service() -> Service:
    return Service(Limits.untrusted(seconds=0.5, play_seconds=0.5, megabytes=128))


@cache
def ledgers() -> tuple[str, ...]:
    """The ledgers of the shipped rulesets, each below the name of its rules."""
    return tuple(
        f"{name}\n{(ROOT / 'rulesets' / name / f'{name}.ledger').read_text(encoding='utf-8')}" for name in GAMES
    )


@cache
def pasted() -> tuple[str, ...]:
    """Charts as people paste them: rows of rules with other separators."""
    charts = [text[text.index("|") :] for text in rules_texts() if "\n  |" in text]
    rows = ["\n".join(line.strip(" |") for line in text.splitlines() if "|" in line)[:3_000] for text in charts]
    return tuple(each.replace("|", mark) for each in rows for mark in ("|", "\t", ";", ",", "   "))


def _json_mutations(seeds: Sequence[str], rng: random.Random, head: str) -> Iterator[str]:
    """Mutated texts, and texts whose JSON has wrong values somewhere; the head is a line that stays."""
    for text in mutations(seeds, rng):
        if rng.random() < 0.3:
            yield text
        else:
            first, _, rest = rng.choice(seeds).rpartition(head or chr(0))
            yield first + head + json.dumps(_damaged(json.loads(rest), rng))


_WRONG: Final[list[Any]] = [
    None, True, -1, 0, 10**30, 1.5, float("nan"), "", "x", "1/0", "3/2", [], [[]], {}, {"a": 1}, {"value": 1}, [1, "a"], "\ud800",
]  # fmt: skip


def _damaged(data: Any, rng: random.Random) -> Any:
    """The data with some values replaced, left out or doubled."""
    for _ in range(rng.choice([1, 1, 2, 4])):
        places = list(_places(data))
        if not places:
            return deepcopy(rng.choice(_WRONG))
        holder, key = rng.choice(places)
        match rng.randrange(3):
            case 0:
                del holder[key]
            case 1:
                other, at = rng.choice(places)
                holder[key] = json.loads(json.dumps(other[at])) if at in _keys(other) else None
            case _:
                holder[key] = deepcopy(rng.choice(_WRONG))  # A list that is shared may come to hold itself.
    return data


def _places(data: Any) -> Iterator[tuple[Any, Any]]:
    for key in _keys(data):
        yield data, key
        yield from _places(data[key])


def _keys(data: Any) -> list[Any]:
    return list(data) if isinstance(data, dict) else list(range(len(data))) if isinstance(data, list) else []


def run_save(text: str) -> None:
    """Resume a saved run, go on, and play it to its end."""
    name, _, saved = text.partition("\n")
    rules = game(name if name in GAMES else GAMES[0])
    run = rules.resume(saved, accept_changes=len(text) % 2 == 0)
    assert rules.resume(run.save()).log == run.log
    if run.outcome is not None:
        str(run.outcome.explain())
    elif run.log:
        run.undo()


def run_outcome(text: str) -> None:
    """Read an outcome from JSON."""
    data = _json(text)
    outcome = enfilade.Outcome.from_json(data)
    assert enfilade.Outcome.from_json(outcome.to_json()).to_json() == outcome.to_json()
    str(outcome), outcome.explain() if outcome.status == "resolved" and data.get("explanation") else None


def run_stored(text: str) -> None:
    """Read a ruleset from JSON, and look at what it offers."""
    rules = Ruleset.from_json(_json(text))
    str(rules.symbols)


def run_request(text: str) -> None:
    """Answer a request: always with a result or an error, as JSON."""
    answered = json.loads(_service().handle_text(text) or "[]")
    for answer in answered if isinstance(answered, list) else [answered]:
        assert ("result" in answer) != ("error" in answer), answer
        if "error" in answer:
            assert answer["error"]["code"] in (-32700, -32600, -32601, -32602, 1), answer
            assert "takes" not in answer["error"]["message"] or "argument" not in answer["error"]["message"], answer


def run_ledger(text: str) -> None:
    """Read a ledger, and compare it with a document."""
    name, _, rest = text.partition("\n")
    ledger = read_ledger(SourceFile("x.ledger", rest), game(name if name in GAMES else GAMES[0]).sources)
    compare_text(ledger, rest), str(ledger.counts)


def run_pasted(text: str) -> None:
    """Write a ruleset around a pasted chart, and check it."""
    try:
        made = ruleset_from_pasted("made", text)
    except NoChart:
        return
    enfilade.check(made.text)


def run_entry(text: str) -> None:
    """Read typed answers and facts, and complete them."""
    rules = game("infantry_attacks")
    inputs = rules.inputs("direct_fire")
    for read in (
        read_answers,
        entry_tokens,
        tokens,
        expected_after,
        is_unfinished,
        lambda t: EntryReader(rules).facts(inputs, t),
    ):
        try:
            read(text)
        except enfilade.EnfiladeError as error:
            str(error)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise enfilade.EntryError("this is not JSON") from None


def _part(name: str, seeds: Callable[[], Sequence[str]], run: Callable[[str], None], head: str | None = None) -> Part:
    def inputs(rng: random.Random) -> Iterator[str]:
        return mutations(seeds(), rng) if head is None else _json_mutations(seeds(), rng, head)

    return Part(name, inputs, run)


READERS: Final = (
    _part("saves", saves, run_save, "\n"),
    _part("outcomes", outcomes, run_outcome, ""),
    _part("stored", stored, run_stored, ""),
    _part("requests", requests, run_request, ""),
    _part("ledgers", ledgers, run_ledger),
    _part("pasted", pasted, run_pasted),
    _part("entries", entries, run_entry),
)
