"""How good is each fire value against each terrain? A table for a spreadsheet, and the fact that matters most."""

from __future__ import annotations

import csv
import sys

import enfilade

QUESTION = "M or worse"
VALUES = range(1, 46)
TERRAINS = ("clear", "town", "hill", "swamp")


def main() -> None:
    """Write the table, and what moves the chance most."""
    rules = enfilade.load("infantry_attacks")
    table = csv.writer(sys.stdout)
    table.writerow(["fire value", *TERRAINS])
    for value in VALUES:
        chances = [
            rules.odds("direct_fire", fire_value=value, terrain=terrain).chance(QUESTION) for terrain in TERRAINS
        ]
        table.writerow([value, *(f"{float(chance):.4f}" for chance in chances)])
    found = rules.sensitivity("direct_fire", of=QUESTION, given={"fire_value": 16})
    print(found, file=sys.stderr)


if __name__ == "__main__":
    main()
