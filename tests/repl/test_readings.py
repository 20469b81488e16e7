"""What is typed has one reading, or the program asks: nothing is played with another value than was typed.

The entries of the tables were typed by new users, and were once played with wrong values, or refused without need.
``ENFILADE_ENTRIES=5000`` draws more entries than usual.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

import pytest

import enfilade
from enfilade import AmbiguousEntry, EntryError
from enfilade.files import shipped_names
from enfilade.language import EntryReader, plain
from enfilade.types import Bool, ListOf, Maybe, Num, Type, Word, WordSet
from enfilade_repl.session import Session

ENTRIES: Final = int(os.environ.get("ENFILADE_ENTRIES", "1000"))
ASKED: Final = "asked"
REFUSED: Final = "refused"


@lru_cache
def rules_of(game: str) -> enfilade.Ruleset:
    return enfilade.load(game)


def read(game: str, procedure: str, text: str) -> Any:
    """The facts of an entry, or how it was not taken."""
    rules = rules_of(game)
    try:
        return EntryReader(rules, asks=True).facts(rules.inputs(procedure), text)
    except AmbiguousEntry:
        return ASKED
    except EntryError:
        return REFUSED


ARTILLERY: Final = {"guns": 12, "range_hexes": 3}
CLASSES: Final = {"firing_class": 1, "target_class": 2}
STANDS: Final = {"stands": 4, "distance": 3}


@pytest.mark.parametrize(
    ("game", "procedure", "text", "facts"),
    [
        # The value of a fact goes to another one.
        ("fire_combat", "artillery_fire", "12 guns at 3 hexes firing class 1 target class 2", ARTILLERY | CLASSES),
        ("fire_combat", "artillery_fire", "12 guns 3 hexes", ARTILLERY),
        ("fire_combat", "artillery_fire", "12 guns, 3 hexes", ARTILLERY),
        ("fire_combat", "artillery_fire", "12 guns at range 3", ARTILLERY),
        ("fire_combat", "artillery_fire", "guns 12 at 3 hexes", ARTILLERY),
        ("fire_combat", "artillery_fire", "12 guns 3", ASKED),
        ("franco_prussian", "rifle_fire", "4 stands at 3 inches", STANDS),
        ("franco_prussian", "rifle_fire", "chassepot 4 stands at 3", {"rifle": "chassepot"} | STANDS),
        ("franco_prussian", "rifle_fire", "chassepot 4 stands 3 inches", {"rifle": "chassepot"} | STANDS),
        (
            "fire_combat", "infantry_fire", "column max strength 10 target 1 firing 2",
            {"formation": "column", "range": "maximum", "strength": 10, "target_class": 1, "firing_class": 2},
        ),
        (
            "fire_combat", "infantry_fire", "column max strength 10 firing 2 target 1",
            {"formation": "column", "range": "maximum", "strength": 10, "target_class": 1, "firing_class": 2},
        ),
        (
            "fire_combat", "artillery_fire", "guns 12 range 3 firing 1 target 2 night",
            ARTILLERY | CLASSES | {"night": True},
        ),
        ("infantry_attacks", "direct_fire", "16 at 1 hex", {"fire_value": 16, "ranges": [1]}),
        ("infantry_attacks", "direct_fire", "16 woods 1 hex", {"fire_value": 16, "terrain": ["woods"], "ranges": [1]}),
        ("infantry_attacks", "direct_fire", "16 at 2 hexes", {"fire_value": 16, "ranges": [2]}),
        ("infantry_attacks", "direct_fire", "16 one hex", REFUSED),
        ("infantry_attacks", "direct_fire", "town with 16", {"terrain": ["town"], "fire_value": 16}),
        ("infantry_attacks", "direct_fire", "at the town with 16", {"terrain": ["town"], "fire_value": 16}),
        ("infantry_attacks", "direct_fire", "with 16 at town", {"terrain": ["town"], "fire_value": 16}),
        ("infantry_attacks", "direct_fire", "16 TOWN NIGHT", {"fire_value": 16, "terrain": ["town"], "night": True}),
        ("infantry_attacks", "direct_fire", "16 Night", {"fire_value": 16, "night": True}),
        ("infantry_attacks", "direct_fire", "16 not Night", {"fire_value": 16, "night": False}),
        ("infantry_attacks", "direct_fire", "16 night Y", {"fire_value": 16, "night": True}),
        ("infantry_attacks", "direct_fire", "16 night YES", {"fire_value": 16, "night": True}),
        ("infantry_attacks", "direct_fire", "16 range 1 company", REFUSED),
        ("infantry_attacks", "direct_fire", "3 hexes 16", {"ranges": [3], "fire_value": 16}),
        ("infantry_attacks", "direct_fire", "range 3 16", ASKED),
        ("infantry_attacks", "direct_fire", "9 units 3", REFUSED),
        ("infantry_attacks", "direct_fire", "16 units 3", REFUSED),
        # What the other words settle is not asked, and a required fact goes before one that has a default.
        (
            "bombardment", "bombardment", "5 at cavalry 2 hexes",
            {"bv": 5, "target_type": "cavalry", "distance": 2},
        ),
        (
            "bombardment", "bombardment", "4 distance 2 cavalry",
            {"bv": 4, "distance": 2, "target_type": "cavalry"},
        ),
        ("bombardment", "bombardment", "5 2", ASKED),
        ("infantry_attacks", "direct_fire", "18, with 2, 18 hexes", ASKED),
        ("infantry_attacks", "direct_fire", "3, 4 hexes", ASKED),
        ("infantry_attacks", "direct_fire", "15, 20, 2, at 17", ASKED),
        ("infantry_attacks", "direct_fire", "16 vs 2 companies", {"fire_value": 16, "companies": 2}),
        ("infantry_attacks", "direct_fire", "16; woods; not the night", {"fire_value": 16, "terrain": ["woods"], "night": False}),
        ("fire_combat", "artillery_fire", "6 guns 4 hexes 1 vs 3", ASKED),
        ("franco_prussian", "target_morale", "7 without a commander", {"mr": 7, "commander": False}),
        ("franco_prussian", "rifle_fire", "3 chassepot stands at 4 inches", {"rifle": "chassepot", "stands": 3, "distance": 4}),
        (
            "fire_combat", "artillery_fire", "8 French guns at 3 hexes, firing class 1, target class 2",
            CLASSES | {"french": True, "guns": 8, "range_hexes": 3},
        ),
        ("fire_combat", "artillery_fire", "12 class 3 guns target class 2 3 hexes", ARTILLERY | {"firing_class": 3, "target_class": 2}),
        ("fire_combat", "artillery_fire", "2 class 1 guns", ASKED),
        ("emperor_musketry", "volley", "6 lives 1 drill 3 experience", REFUSED),
        # Reasonable entries.
        ("infantry_attacks", "direct_fire", "16 town", {"fire_value": 16, "terrain": ["town"]}),
        (
            "infantry_attacks", "direct_fire", "16 2 companies in woods at night",
            {"fire_value": 16, "companies": 2, "terrain": ["woods"], "night": True},
        ),
        ("infantry_attacks", "direct_fire", "16, range 1 and 2", {"fire_value": 16, "ranges": [1, 2]}),
        ("infantry_attacks", "direct_fire", "4+4+8 town", {"fire_value": 16, "terrain": ["town"]}),
        ("infantry_attacks", "direct_fire", "3 at 2", ASKED),
        ("infantry_attacks", "direct_fire", "30 at 4 in woods", ASKED),
        ("infantry_attacks", "direct_fire", "16 town 4 3", REFUSED),
        ("infantry_attacks", "direct_fire", "16 adjacent", REFUSED),
        ("infantry_attacks", "direct_fire", "16 two companies", REFUSED),
        ("infantry_attacks", "direct_fire", "16 entrenched", REFUSED),
        ("infantry_attacks", "direct_fire", "16 town vs gun", REFUSED),
        ("emperor_musketry", "infantry_fire", "line 4 lives drill 3 at column", ASKED),
    ],
)  # fmt: skip
def test_an_entry_is_read_as_it_was_meant_or_not_at_all(game: str, procedure: str, text: str, facts: Any) -> None:
    assert read(game, procedure, text) == facts


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("16 town vs gun", "there is no piece gun; type `unit gun: ...` first, or quote the name of a new unit"),
        ("16 twon", "there is no fact twon; did you mean town?"),
        ("16 night town clear at", "there is no fact at; the names are fire_value, ranges, night,"),
        ("16 fire_value, fire_value 3", "fire_value has two values; "),
        ("3 companies clear", "companies is 3; allowed: 0 to 2"),
        ("range 3 16", "`range 3 16` may mean ranges [3, 16] or ranges [3], fire_value 16; write one of them"),
    ],
)
def test_the_message_names_the_place_where_every_reading_ends(text: str, message: str) -> None:
    rules = rules_of("infantry_attacks")
    with pytest.raises(EntryError) as wrong:
        EntryReader(rules, asks=True).facts(rules.inputs("direct_fire"), text)
    assert f"{wrong.value}; {wrong.value.hint}".startswith(message)


# ------------------------------------------------------------------------------------------------------ at the prompt


def test_a_number_chooses_one_of_the_readings(session: Session) -> None:
    session.enter("use infantry_attacks")
    told = plain(session.enter("direct_fire range 3 16 on 4 3").lines)
    assert told.splitlines()[1:] == [
        "  1  direct_fire ranges [3, 16] on 4 3",
        "  2  direct_fire ranges [3], fire_value 16 on 4 3",
    ]
    assert plain([session.prompt]) == "which (1 to 2, or another entry):"
    assert session.enter("2").code == 0
    assert session.last.given == {"ranges": [3], "fire_value": 16}
    session.enter("undo")
    assert not session.state.resolutions


@pytest.mark.parametrize("entry", ["", "cancel"])
def test_enter_plays_no_reading(session: Session, entry: str) -> None:
    session.enter("use infantry_attacks")
    before = session.state
    session.enter("direct_fire range 3 16")
    assert session.state.ways
    session.enter(entry)
    assert session.state is before


@pytest.mark.parametrize("entry", ["table", "odds 2d6", "nonsense"])
def test_a_look_at_something_leaves_the_choice_open(session: Session, entry: str) -> None:
    session.enter("use infantry_attacks")
    session.enter("direct_fire range 3 16 on 4 3")
    session.enter(entry)
    assert session.state.ways
    session.enter("2")
    assert session.last.given == {"ranges": [3], "fire_value": 16}


def test_what_is_undone_is_called_as_it_was_chosen(session: Session) -> None:
    session.enter("use infantry_attacks")
    session.enter("direct_fire, range 3 16 on 4 3")
    session.enter("2")
    assert plain(session.enter("undo").lines) == "Taken back: direct_fire ranges [3], fire_value 16 on 4 3"
    session.enter("direct_fire range 3 16")
    session.enter("unit gun: artillery")
    assert plain(session.enter("undo").lines) == "Taken back: unit gun: artillery"


def test_a_change_of_words_goes_to_no_fact_before_another(session: Session) -> None:
    session.enter("use emperor_musketry")
    session.enter("infantry_fire formation line, lives 3, drill 2, experience 1, target square on 3 3 3")
    for entry in ("again vs column", "what if vs column"):
        session.enter(entry)
        assert [way.split()[-2:] for way in session.state.ways] == [["formation", "column"], ["target", "column"]], (
            entry
        )
        session.enter("")


def test_a_number_alone_goes_to_no_fact_before_another_in_a_change(session: Session) -> None:
    session.enter("use infantry_attacks")
    session.enter("35 range 4 on 4 3")
    session.enter("again at 2 on 6 6")
    assert [way.removesuffix(" on 6 6") for way in session.state.ways] == [
        "again fire_value 2", "again ranges [2]", "again companies 2",
    ]  # fmt: skip
    session.enter("")
    for entry in ("22", "again 22"):
        session.enter(entry)
        assert session.state.ways == ("again fire_value 22", "again ranges [22]")
        session.enter("")
    # The name of a list does not reach over a comma to the number of another fact unasked.
    for entry in ("range 3, 22", "again range 3, 22"):
        session.enter(entry)
        assert session.state.ways == ("again ranges [3, 22]", "again ranges [3], fire_value 22")
        session.enter("")


def test_readings_of_the_fields_of_a_piece_leave_no_fact_out(session: Session) -> None:
    session.enter("use emperor_musketry")
    session.enter("unit Guards: line, lives 6, drill 2, experience 2")
    for entry in ("volley shooter Guards line 6 2 2", "volley shooter Guards (line 6 2 2)"):
        session.enter(entry)
        assert session.state.ways
        assert all("shooter Guards (formation line" in way for way in session.state.ways)
        session.enter("")


@pytest.mark.parametrize(
    ("typed", "name"),
    [("gun", "gun"), ("the Old Guard", "Old Guard"), ("Duke of York", "Duke of York"), ("1/5 Jager", "1/5 Jager")],
)
def test_what_links_a_new_piece_is_no_part_of_its_name(typed: str, name: str) -> None:
    found = read("infantry_attacks", "direct_fire", f"16 at {typed} (infantry, steps 2) range 2")
    assert found["units"] == [{"name": name, "kind": "infantry", "steps": 2}]


@pytest.mark.parametrize(
    ("game", "entry", "meant"),
    [
        (
            "franco_prussian",
            "artillery_fire 2 batteries mg 12 inches under cover",
            ["shooter_under_fire", "target_cover"],
        ),
        ("franco_prussian", "artillery_fire 2 batteries mg 12 inches at cavalry", ["moving_cavalry"]),
        ("franco_prussian", "rifle_fire dreyse 2 stands 3 inches at infantry in works", ["firer_in_works"]),
        ("franco_prussian", "side french: infantry 3 stands mr 6 support", ["support_disorg"]),
        ("fire_combat", "artillery_fire 6 guns 4 hexes firing class 1 target class 2 light", ["russian_light"]),
        ("bombardment", "bombardment bv 6 range 2", ["max_range 2"]),
    ],
)
def test_a_part_of_a_name_that_may_mean_something_else_is_asked_about(
    session: Session, game: str, entry: str, meant: list[str]
) -> None:
    session.enter(f"use {game}")
    before = session.state
    assert "names a fact in part. Is this meant?" in plain(session.enter(entry).lines)
    assert plain([session.prompt]) == "which (1, or another entry):"
    (way,) = session.state.ways
    assert all(each in way for each in meant)
    session.enter("")
    assert session.state is before


def test_a_part_of_the_name_of_a_fact_that_must_be_given_is_enough(session: Session) -> None:
    session.enter("use fire_combat")
    session.enter("artillery_fire 6 guns range 4 firing 1 target 2 on 5")
    assert session.last.given == {"guns": 6, "range_hexes": 4, "firing_class": 1, "target_class": 2}


@pytest.mark.parametrize(
    "entry",
    ["16 range 2 town direct fire on 7", "on 7 direct fire 16 range 2 town", "town on 7, direct fire, 16, range 2"],
)
def test_the_name_of_the_procedure_may_stand_anywhere(session: Session, entry: str) -> None:
    session.enter("use infantry_attacks")
    session.enter(entry)
    assert session.last.given == {"fire_value": 16, "ranges": [2], "terrain": ["town"]}
    assert session.last.outcome.rolls[0].faces == (6, 1)


@pytest.mark.parametrize(
    ("typed", "given"),
    [("2 hexes", {"ranges": [2]}), ("companies", {"companies": 2}), ("fire value 16 range 2", {"ranges": [2]})],
)
def test_the_facts_of_one_reading_choose_it(session: Session, typed: str, given: dict[str, Any]) -> None:
    session.enter("use infantry_attacks")
    session.enter("direct_fire 30 range 3 night on 4 3")
    session.enter("direct_fire 16 town 2 on 4 3")
    session.enter(typed)
    assert session.last.given == {"fire_value": 16, "terrain": ["town"], **given}


def test_the_name_of_a_procedure_reaches_as_far_as_the_entry_can_be_played(session: Session) -> None:
    session.enter("use fire_combat")
    session.enter("unit foe: line, 9 sps")
    session.enter("artillery fire at 4 hexes with 6 class 3 guns, target class 2 on 6")
    assert session.last.procedure == "artillery_fire"
    session.enter("infantry fire at foe class 1 line minimum 8 on 5")
    assert [first.split(":")[0] for first in session.state.ways] == ["infantry_fire_at", "infantry_fire"]
    session.enter("")
    session.enter("infantry_fire_at foe class 1 line minimum 8 on 5")
    assert session.last.procedure == "infantry_fire_at"


def test_an_answer_may_have_the_name_of_its_fact(session: Session) -> None:
    session.enter("use emperor_musketry")
    for entry in ("volley", "formation is line", "lives 6", "2 drill", "experience: 1"):
        assert session.enter(entry).code == 0, entry
    assert session.state.pending is not None
    facts = session.state.pending.run.facts
    assert [facts[name] for name in ("formation", "lives", "drill", "experience")] == ["line", 6, 2, 1]


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("hit", "hits >= 1"), ("a hit", "hits >= 1"), ("no hits", "hits is 0"), ("at least one hit", "hits >= 1"),
        ("more than 1 hit", "hits > 1"), ("hits = 2", "hits is 2"),
    ],
)  # fmt: skip
def test_a_question_counts_what_the_combat_has(session: Session, question: str, asked: str) -> None:
    session.enter("use franco_prussian")
    session.enter("rifle_fire 3 stands chassepot 3 inches on 4")
    assert plain(session.enter(f"odds of {question}").lines).startswith(f"{asked} (exact)")
    assert plain(session.enter("odds of stands").lines).startswith("stands is given, so it has no odds.")


def test_what_several_readings_have_chooses_none(session: Session) -> None:
    session.enter("use infantry_attacks")
    session.enter("direct_fire 16 town 2 on 4 3")
    for entry, readings in (("town", "1 to 3"), ("range", "1 and 2")):
        told = plain(session.enter(entry).lines)
        assert told == f"`{entry}` is a part of the readings {readings}. Type the number of one."
    assert len(session.state.ways) == 3


def test_a_word_that_one_reading_has_chooses_it(session: Session) -> None:
    session.enter("use fire_combat")
    session.enter("infantry_fire class 2")
    session.enter("target")
    assert session.state.pending is not None
    assert session.state.pending.run.facts["target_class"] == 2


def test_a_decimal_comma_is_one_number_where_decimals_are_allowed(session: Session) -> None:
    session.enter("use emperor_musketry")
    session.enter("infantry_fire formation line, lives 3, drill 2, experience 1, distance 0,5 on 3 3 3")
    assert str(session.last.given["distance_bd"]) == "1/2"


def test_again_says_what_changed_and_what_did_not(session: Session) -> None:
    session.enter("use infantry_attacks")
    session.enter("16 town on 4 3")
    told = plain(session.enter("again night on 4 3").lines).splitlines()
    assert told[0] == "direct_fire again with night yes; as before fire_value 16; terrain town"


def test_a_number_that_no_reading_has_is_refused(session: Session) -> None:
    session.enter("use infantry_attacks")
    session.enter("direct_fire range 3 16")
    assert plain(session.enter("3").lines) == "There is no reading 3. Type 1 to 2. Enter plays none."
    assert session.state.ways


def test_in_a_script_nobody_chooses(session: Session) -> None:
    session.chooses = False
    session.enter("use infantry_attacks")
    reply = session.enter("direct_fire range 3 16")
    assert reply.code == 2
    assert "write one of them" in plain(reply.lines).casefold()
    assert not session.state.asks


# ----------------------------------------------------------------------------------------------------- drawn entries


def drawn_value(type_: Type, rng: random.Random) -> Any:
    """A value of a type; ``None`` for a type of which none is drawn."""
    match type_:
        case Num(low, high, whole):
            most = int(high) if high is not None else int(low or 0) + 20
            number = rng.randint(int(low or 0), most)
            return number if whole or rng.random() < 0.7 else f"{number}.5" if high is None else number
        case Bool():
            return rng.random() < 0.7
        case Word(words):
            return rng.choice(words)
        case WordSet(words):
            return sorted(rng.sample(words, rng.randint(1, 2)), key=words.index)
        case ListOf(Num() as of):
            return [drawn_value(of, rng) for _ in range(rng.randint(1, 2))]
        case Maybe(of):
            return drawn_value(of, rng)
    return None


def typed(value: Any, between: str) -> str:
    return between.join(map(str, value)) if isinstance(value, list) else str(value)


def in_some_case(text: str, rng: random.Random) -> str:
    return rng.choice([text, text, text, text.upper(), text.capitalize()])


def with_name(fact: str, value: Any, rng: random.Random) -> str:
    """A fact with its name: before its value, or as what is counted behind it."""
    name = in_some_case(rng.choice([fact, fact.replace("_", " ")]), rng)
    if isinstance(value, bool):
        return name if value else f"{rng.choice(['not', 'no'])} {name}"
    text = in_some_case(typed(value, rng.choice([", ", " and ", " "])), rng)
    form = rng.random()
    return f"{text} {name}" if form < 0.2 else f"{name}{rng.choice([' ', ' ', '=', ': '])}{text}"


def without_name(fact: str, value: Any, noun: str, rng: random.Random) -> str:
    """A fact by its value alone, perhaps with what is counted."""
    if isinstance(value, bool):
        return fact if value else f"not {fact}"
    text = in_some_case(typed(value, rng.choice([", ", " and "])), rng)
    link = rng.choice(["", "", "", "at ", "in the ", "with "])
    return f"{link}{text} {noun}" if noun and rng.random() < 0.7 else link + text


NOUNS: Final = {
    "ranges": "hexes", "companies": "companies", "range_hexes": "hexes", "guns": "guns", "distance": "inches", "stands": "stands",
    "lives": "lives", "batteries": "batteries", "distance_bd": "BD",
}  # fmt: skip


def drawn_entries(number: int, *, named: bool) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """Entries of the five games, each with the values that it is made of."""
    rng = random.Random(f"{number} {named}")
    procedures = [(game, each.name) for game in shipped_names() for each in rules_of(game).procedures]
    while number:
        game, procedure = rng.choice(procedures)
        inputs = rules_of(game).inputs(procedure)
        values = {fact: drawn_value(each.domain, rng) for fact, each in inputs.items()}
        known = [fact for fact, value in values.items() if value is not None]
        chosen = rng.sample(known, min(len(known), rng.randint(1, 5)))
        if not named:
            # Who leaves names out gives what must be given; a value alone goes to such a fact first.
            required = [fact for fact, each in inputs.items() if each.required]
            chosen = rng.sample(both := sorted({*chosen, *required} & {*known}), len(both))
        if not chosen:
            continue
        noun = {**NOUNS, **({"distance": "hexes"} if game == "bombardment" else {})}
        texts = [
            with_name(fact, values[fact], rng) if named else without_name(fact, values[fact], noun.get(fact, ""), rng)
            for fact in chosen
        ]
        yield game, procedure, rng.choice([", ", " "]).join(texts), {fact: values[fact] for fact in chosen}
        number -= 1


def plainly(value: Any) -> Any:
    return (
        str(value)
        if not isinstance(value, (bool, list))
        else [str(each) for each in value]
        if isinstance(value, list)
        else value
    )


@pytest.mark.parametrize(("named", "share"), [(True, 0.95), (False, 0.75)])
def test_drawn_entries_are_played_with_their_values_or_asked_about(named: bool, share: float) -> None:
    came: Counter[str] = Counter()
    for game, procedure, text, values in drawn_entries(ENTRIES, named=named):
        found = read(game, procedure, text)
        if isinstance(found, str):
            came[found] += 1
            continue
        assert {n: plainly(v) for n, v in found.items()} == {n: plainly(v) for n, v in values.items()}, (
            game,
            procedure,
            text,
        )
        came["played"] += 1
    assert came["played"] >= share * ENTRIES, came
