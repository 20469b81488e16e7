"""What each kind of declaration is for, in one line: beside its keyword in completion, and on hover."""

from __future__ import annotations

from typing import Final

DECLARATION_NOTES: Final = {
    "enfilade": "the version of the language; the first line",
    "ruleset": "the name and the title of the game",
    "source": "the rulebook or card that the rules come from",
    "players": "who chooses, such as the owner of a unit",
    "option": "an optional rule that players may turn on",
    "words": "a named list of words, for several facts",
    "record": "a kind of piece, with its values",
    "facts": "facts that players enter before a combat: strengths, terrain, range",
    "define": "a value or a condition with a name",
    "die": "a die with special faces",
    "deck": "a deck of cards",
    "chart": "a combat results table, laid out as in print",
    "columns": "column headings that several charts share",
    "modifiers": "die roll modifiers or column shifts of a chart",
    "effect": "what a result does, such as a step loss",
    "results": "what the codes of a chart mean",
    "procedure": "the steps of a combat: roll, read a chart, apply",
    "helper": "steps that several procedures use",
    "event": "something that may happen in any combat",
    "on": "what follows from an event",
    "example": "a combat with its dice and its outcome, used as a test",
    "examples": "a table of examples",
    "use": "uses declarations from another file",
    "replace": "in a variant: replaces a declaration of its base",
    "add": "in a variant: adds lines to a declaration of its base",
    "remove": "in a variant: removes a declaration of its base",
}
