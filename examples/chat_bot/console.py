"""The bot in a console: a chat with one channel and no network."""

from __future__ import annotations

import sys

from bot import HELP, Bot


def main() -> None:
    """Answer each line of the input."""
    bot = Bot(sys.argv[1] if len(sys.argv) > 1 else "infantry_attacks")
    print(HELP)
    for line in sys.stdin:
        print(bot.reply("console", line))


if __name__ == "__main__":
    main()
