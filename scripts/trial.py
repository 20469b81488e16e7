"""Tries an installed package: runs the examples of each shipped ruleset, plays, explains and asks for odds.

Runs alone, in an environment that holds nothing but the package: ``scripts/build.py`` and ``scripts/pyodide.mjs`` start it.
It prints one line, and exits with an error if an answer is wrong.
"""

import platform
import sys
from fractions import Fraction
from typing import Any

import enfilade
from enfilade.files import shipped_names
from enfilade.tools import run_ruleset_examples

situation: dict[str, Any] = {"fire_value": 16, "terrain": {"town"}}
rulesets = [enfilade.load(name) for name in shipped_names()]
results = [result for rules in rulesets for result in run_ruleset_examples(rules)]
rules = enfilade.load("infantry_attacks")
shot = rules.resolve("direct_fire", **situation, dice=[4, 1])
found = {
    "every example passes": bool(results) and all(result.passed for result in results),
    "the result is M": shot.result == "M",
    "the explanation names the modifier": "Target hex is town or woods" in shot.sentence(),
    "the chance is 4/9": rules.odds("direct_fire", **situation).chance("M or worse") == Fraction(4, 9),
    "a text is checked": [each.code for each in enfilade.check("procedure attack\n  1. give result = dice")] != [],
}
wrong = [name for name, is_so in found.items() if not is_so]
if wrong:
    sys.exit(f"not true: {'; '.join(wrong)}")
python = f"{platform.python_implementation()} {platform.python_version()} on {sys.platform}"
print(f"{python}: enfilade {enfilade.__version__}, {len(rulesets)} rulesets, {len(results)} examples pass")
