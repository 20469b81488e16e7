"""``enfilade completion``: scripts that let a shell complete commands, options, rulesets and codes.

Made from the same list of commands as the parser.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator

from enfilade.cli.commands import COMMANDS, Argument, Command
from enfilade.files import shipped_names
from enfilade.language import CODES


def run_completion(args: Namespace) -> int:
    """Print the script for a shell."""
    scripts = {"bash": bash_script, "zsh": zsh_script, "fish": fish_script}
    print(scripts[args.shell](), end="")
    return 0


def _words(argument: Argument) -> tuple[str, ...]:
    """What may stand for an argument, files left aside."""
    if argument.choices:
        return argument.choices
    return {"rules": shipped_names(), "codes": tuple(sorted(CODES))}.get(argument.completes, ())


def _options(command: Command) -> list[Argument]:
    return [argument for argument in command.arguments if argument.name.startswith("-")]


def _places(command: Command) -> list[Argument]:
    return [argument for argument in command.arguments if not argument.name.startswith("-")]


def _takes_value(option: Argument) -> bool:
    return bool(option.settings.get("action", "append") == "append")


def _names() -> str:
    return " ".join(command.name for command in COMMANDS)


# -------------------------------------------------------------------------------------------------------- bash


def bash_script() -> str:
    """The script for bash."""
    return "\n".join(
        [
            "# enfilade completion bash: source this, or put it where bash-completion looks.",
            "_enfilade() {",
            '    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"',
            '    if [ "$COMP_CWORD" -eq 1 ]; then',
            f'        COMPREPLY=($(compgen -W "{_names()} --version --help" -- "$word"))',
            "        return",
            "    fi",
            '    case "${COMP_WORDS[1]} $before" in',
            *_bash_values(),
            "    esac",
            '    case "${COMP_WORDS[1]}" in',
            *_bash_commands(),
            "    esac",
            "}",
            "complete -o filenames -F _enfilade enfilade",
            "",
        ]
    )


def _bash_values() -> Iterator[str]:
    """After an option that takes a value."""
    for command in COMMANDS:
        for option in _options(command):
            if _takes_value(option):
                files = ' $(compgen -f -- "$word")' if option.completes == "files" else ""
                words = " ".join(_words(option))
                yield f'        "{command.name} {option.name}") COMPREPLY=($(compgen -W "{words}" -- "$word"){files}); return ;;'


def _bash_commands() -> Iterator[str]:
    for command in COMMANDS:
        places = _places(command)
        words = " ".join([*(o.name for o in _options(command)), "--help", *(w for p in places for w in _words(p))])
        files = ' $(compgen -f -- "$word")' if any(place.completes in ("rules", "files") for place in places) else ""
        yield f'        {command.name}) COMPREPLY=($(compgen -W "{words}" -- "$word"){files}) ;;'


# --------------------------------------------------------------------------------------------------------- zsh


def zsh_script() -> str:
    """The script for zsh."""
    return "\n".join(
        [
            "#compdef enfilade",
            "# enfilade completion zsh: put this into a folder of $fpath as _enfilade.",
            "_enfilade() {",
            "    local -a commands",
            "    commands=(",
            *(f"        {_zsh_quoted(f'{command.name}:{command.help}')}" for command in COMMANDS),
            "    )",
            "    if (( CURRENT == 2 )); then",
            "        _describe command commands",
            "        return",
            "    fi",
            '    local command="$words[2]"',
            "    shift words; (( CURRENT-- ))",
            '    case "$command" in',
            *(f"        {command.name}) _arguments {' '.join(_zsh_specs(command))} ;;" for command in COMMANDS),
            "    esac",
            "}",
            '_enfilade "$@"',
            "",
        ]
    )


def _zsh_specs(command: Command) -> Iterator[str]:
    for argument in command.arguments:
        told = argument.help.replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")
        if argument.name.startswith("-"):
            value = f":{argument.name.lstrip('-')}:{_zsh_action(argument)}" if _takes_value(argument) else ""
            yield _zsh_quoted(f"*{argument.name}[{told}]{value}")
        else:
            several = "*" if argument.settings.get("nargs") == "*" else ""
            yield _zsh_quoted(f"{several}:{argument.name}:{_zsh_action(argument)}")


def _zsh_action(argument: Argument) -> str:
    words = " ".join(_words(argument))
    if argument.completes == "rules":
        return f"{{_files -g '*.rules(-.)'; _files -/; compadd -- {words}}}"
    return "_files" if argument.completes == "files" else f"({words})" if words else " "


def _zsh_quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


# -------------------------------------------------------------------------------------------------------- fish


def fish_script() -> str:
    """The script for fish."""
    lines = [
        "# enfilade completion fish: put this into ~/.config/fish/completions/enfilade.fish.",
        "complete -c enfilade -f",
    ]
    for command in COMMANDS:
        told = _fish_quoted(command.help)
        lines.append(f"complete -c enfilade -n __fish_use_subcommand -a {command.name} -d {told}")
        lines += _fish_lines(command)
    return "\n".join([*lines, ""])


def _fish_lines(command: Command) -> Iterator[str]:
    front = f"complete -c enfilade -n '__fish_seen_subcommand_from {command.name}'"
    for argument in command.arguments:
        words = " ".join(_words(argument))
        offered = f" -a {_fish_quoted(words)}" if words else ""
        files = " -F" if argument.completes in ("files", "rules") else ""
        if argument.name.startswith("-"):
            value = " -r" if _takes_value(argument) else ""
            told = _fish_quoted(argument.help)
            yield f"{front} -l {argument.name.lstrip('-')}{value}{files}{offered} -d {told}"
        elif offered or files:
            yield f"{front}{files}{offered}"


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
