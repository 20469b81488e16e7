"""A bot that plays combats in a chat. It knows nothing of any chat: a text comes in, a text goes out."""

from __future__ import annotations

from enfilade import EnfiladeError, Limits, Ruleset, Run, load

HELP = (
    "Type `fire PROCEDURE fact=value ...`, then your dice or `roll`. `odds`, `why`, `undo` and `stop` work in between."
)


class Bot:
    """Plays one combat in each channel.

    Args:
        ruleset: The name of a shipped ruleset, or a path.

    Attributes:
        saves: The save of the combat in each channel; keep it in a database, and combats survive a restart.
    """

    def __init__(self, ruleset: str) -> None:
        self.rules: Ruleset = load(ruleset, limits=Limits.untrusted(files=True))
        self.saves: dict[str, str] = {}

    def reply(self, channel: str, text: str) -> str:
        """Answer a message in a channel."""
        word, _, rest = text.strip().partition(" ")
        try:
            if word == "fire" and rest:
                return self._went_on(channel, self._begun(rest))
            if word == "fire" or channel not in self.saves:
                return HELP
            run = self.rules.resume(self.saves[channel])
            match word:
                case "odds":
                    return self._odds(run)
                case "why":
                    return run.explain().text("usual")
                case "undo":
                    return self._went_on(channel, run.undo())
                case "stop":
                    del self.saves[channel]
                    return "The combat is over."
                case "roll":
                    return self._went_on(channel, run.answer_random())
            return self._went_on(channel, run.answer_text(text))
        except EnfiladeError as error:
            return str(error)

    def _begun(self, text: str) -> Run:
        procedure, *given = text.split()
        facts = {name: value for name, _, value in (each.partition("=") for each in given)}
        return self.rules.begin(procedure, given=facts)

    def _went_on(self, channel: str, run: Run) -> str:
        self.saves[channel] = run.save()
        if run.outcome is not None:
            return run.outcome.sentence()
        assert run.question is not None
        return run.question.prompt()

    def _odds(self, run: Run) -> str:
        return str(self.rules.odds(run.procedure, given=run.facts).result)
