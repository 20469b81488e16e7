"""Type checking: from the bound syntax tree to the checked core, with diagnostics on the way.

Functions over one explicit `Context`. A room imports only from those before it:

1. `scope`, `context`: what all checks share
2. `types`: what fits what, what a place expects, and what is known of values; `demand`: checks when they are needed
3. `expressions`: the types of values, the names in them, charts and decks as values
4. `declarations`, `definitions`, `entries`: facts, records and options, and what a player types for them
5. `charts`, and `modifiers` of rolls and columns
6. `procedures`: steps, choices and calls; then `results`, whose codes have steps
7. `examples`: examples, and questions about odds
8. `lints`: what a checked program does that its author hardly means; `unused`, `used_facts`
9. `repetitions`, `reuse`, then `program`: the whole ruleset

Expressions, definitions, charts, modifiers and procedures need each other. That recursion goes through the `passes`
of the context (`types.expected_types.check_expression`, `demand.require_...`), which `program` fills in.
"""
