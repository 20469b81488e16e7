"""Scripted answers: given dice, cards and choices, taken in order or by name.

A script only returns answers; the code that makes the request checks whether an answer is legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any, Final, NoReturn

from enfilade.core.answers import joined_words
from enfilade.core.legal_answers import player_text, spoken_name
from enfilade.door import bounded
from enfilade.errors import InputError, InputFault
from enfilade.values.json_data import to_json
from enfilade.values.numbers import shorten


class Script:
    """A queue of given answers, or one queue for each name of a roll, draw or choice.

    Args:
        given: A sequence of single answers and of sequences that answer one request in full; or a mapping from a name,
            with or without its place, to an answer or a sequence of answers; or ``None`` for no answers.
        parameter: The caller's parameter, "dice" or "choices", for messages.
    """

    def __init__(self, given: Any, parameter: str) -> None:
        self.parameter = parameter
        self.scripted = given is not None
        self.named: dict[str, list[Any]] = {}
        self.last: str | None = None
        if type(given) is list:
            self.flat = given[:]
        elif isinstance(given, Mapping):
            self.flat = []
            self.named = {str(name): _listed(answers) for name, answers in given.items()}
        else:
            self.flat = [] if given is None else _sequence(given, parameter)

    def take(self, name: str, count: int) -> list[Any] | None:
        """Take the answers to a request.

        Args:
            name: The name of the request, with its place.
            count: How many single answers the request needs.

        Returns:
            The answers, fewer if the script ends within them; ``None`` if the script has none.
        """
        queue = self._queue(name) if self.named else self.flat
        if not queue:
            return None
        self.last = name
        if _are_plain(queue):
            taken = queue[:count]
            del queue[:count]
            return taken
        if _is_whole(queue[0]):
            return _whole(queue.pop(0), name, self.parameter)
        single = next((n for n, item in enumerate(queue) if _is_whole(item)), len(queue))
        taken = queue[: min(count, single)]
        del queue[: len(taken)]
        return taken

    def join_words(self, name: str, spaced: frozenset[str], count: int) -> None:
        """Join the next answers that were split at blanks, if a legal answer has a blank in it."""
        queue = self._queue(name) if self.named else self.flat
        if spaced and queue and _are_plain(queue):
            queue[:] = joined_words(queue, spaced, count)

    def ahead(self, name: str, count: int) -> list[Any]:
        """The next answers to a request, at most *count*, which stay in the script."""
        return self._queue(name)[:count] if self.named else self.flat[:count]

    def bring_forward(self, name: str, place: int) -> None:
        """Make an answer the next one."""
        queue = self._queue(name) if self.named else self.flat
        queue.insert(0, queue.pop(place))

    def _queue(self, name: str) -> list[Any]:
        return next((queue for key in names_for(name) if (queue := self.named.get(key))), [])

    def rest(self) -> Any:
        """Return the unused answers, in the form in which they were given."""
        if not self.scripted:
            return None
        return {name: list(queue) for name, queue in self.named.items() if queue} or list(self.flat)

    def faults(self) -> list[InputFault]:
        """Return a fault for each queue with unused answers."""
        faults = []
        for name, queue in self.named.items():
            if queue:
                text = f"{self.parameter} for {spoken_name(name)} are left over: {_shown(queue)}"
                faults.append(InputFault(name, to_json(queue), "nothing more", text))
        if self.flat:
            text = f"{self.parameter} are left over: {_shown(self.flat)}"
            text += f"; the last question was {spoken_name(self.last)}" if self.last else ""
            faults.append(InputFault(self.last or self.parameter, to_json(self.flat), "nothing more", text))
        return faults


def _sequence(given: Any, parameter: str) -> list[Any]:
    # A set has no order in which it could be asked.
    if isinstance(given, (str, bytes, Set)) or not isinstance(given, Iterable):
        allowed = "a list of answers in the order asked, or a mapping from name to answers"
        message = f"{parameter} is {shorten(given)}; allowed: {allowed}"
        raise InputError([InputFault(parameter, given, allowed, message)])
    return list(bounded(parameter, given))


def _listed(answers: Any) -> list[Any]:
    if isinstance(answers, Sequence) and not isinstance(answers, (str, bytes)):
        return list(answers)
    return [answers]


def names_for(name: str) -> tuple[str, ...]:
    """Return the names for a request in a script: with its place, without it, and without the ``+`` of a reroll.

    Examples:
        >>> names_for("morale[gun]+")
        ('morale[gun]+', 'morale[gun]', 'morale+', 'morale')
    """
    again = "+" * (len(name) - len(name.rstrip("+")))
    placed = name.rstrip("+")
    base = placed.partition("[")[0]
    return tuple(dict.fromkeys((name, placed, base + again, base)))


_PLAIN: Final = {int, str}


def _are_plain(queue: list[Any]) -> bool:
    return set(map(type, queue)) <= _PLAIN


def _is_whole(item: Any) -> bool:
    """Whether an answer is complete for its request: a list, or a roll or choice taken from an outcome."""
    return isinstance(item, (list, tuple, Mapping)) or hasattr(item, "answers")


def _whole(item: Any, name: str, parameter: str) -> list[Any]:
    called, answers = None, item
    if hasattr(item, "answers"):
        called, answers = item.name, item.answers
    elif isinstance(item, Mapping):
        called = next((item[key] for key in ("roll", "draw", "choice") if key in item), None)
        answers = next((item[key] for key in ("faces", "cards", "chosen") if key in item), None)
        if answers is None:
            _refuse_mapping(item, name, parameter)
    if called is not None and called not in names_for(name):
        message = f"the next {parameter} are for {called}, but the rules ask for {name}"
        raise InputError([InputFault(parameter, called, name, message)])
    return _listed(answers)


def _refuse_mapping(item: Mapping[Any, Any], name: str, parameter: str) -> NoReturn:
    """Reject a mapping that is no roll, draw or choice of an outcome: most often a record."""
    key = item.get("name")
    allowed = "names of records, words and numbers" if parameter == "choices" else "faces or cards"
    meant = f"a record is chosen by its name: {shorten(key)}" if isinstance(key, str) else f"allowed: {allowed}"
    text = f"{parameter} for {spoken_name(name)} is {shorten(item)}; {meant}"
    raise InputError([InputFault(parameter, to_json(item), allowed, text)])


def _shown(queue: Sequence[Any]) -> str:
    # A roll or choice taken from an outcome is shown as its single answers.
    answers = [answer for item in queue[:10] for answer in getattr(item, "answers", (item,))]
    return ", ".join(shorten(player_text(answer)) for answer in answers[:10])
