"""Rules with examples: what a form means in both engines, and in odds by brute force.

The files in ``cases`` are read as ``tests/check/marking.py`` says. A comment ``-- says: TEXT`` in an example asks for that text
in the explanation of its run, or in what is said of a run that fails; ``-- says not: TEXT`` asks for its absence.
"""

import re
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Final

import pytest
from tests.check.marking import MAIN, Case, cases_in, marked, places
from tests.tried_forms.trying import tried

import enfilade
from enfilade.core import ir

FILES: Final = sorted(Path(__file__).with_name("cases").glob("*.rules"))
CASES: Final = [
    pytest.param(case, id=f"{path.stem}: {case.title}")
    for path in FILES
    for case in cases_in(path.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("case", CASES)
def test_a_form_means_what_its_examples_say(case: Case) -> None:
    # Texts with the same head share its facts, and few use all.
    assert [each for each in places(case.files) if each[0] != "unused-fact"] == marked(case.files)
    game = tried(case.files[MAIN])
    for example, asked in asked_of(case.files[MAIN], game.program):
        if example.procedure in game.program.probes:
            continue
        ending = game.play_by_compiled(example)
        for negated, text in asked:
            said = str(ending.explain() if isinstance(ending, enfilade.Outcome) else ending)
            assert (text in said) != bool(negated), (example.label, text, said)
        if example.chances:
            game.compare_chances(example)


def asked_of(text: str, program: ir.Program) -> Iterator[tuple[ir.Example, list[tuple[str, str]]]]:
    """Each example with what comments in it ask for."""
    lines = text.splitlines()
    for example in program.examples:
        assert example.note.span is not None
        first, _ = example.note.span.source.line_column(example.note.span.start)
        inside = takewhile(lambda line: line.startswith(" "), lines[first:])
        yield example, [asked for line in inside for asked in re.findall(r"^ *-- says( not)?: (.*)$", line)]
