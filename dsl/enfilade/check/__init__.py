"""Type checking: from the bound syntax tree to the checked core, with diagnostics on the way.

Functions over one explicit `Context`. A module imports only from the layers before it:

1. no context: `intervals`, `labels`, `coverage`, `severity`, `satisfiability`, `chart_layout`, `constants`, `changing_locals`,
   `leaving`
2. the context and what all checks share: `scope`, `context`, `type_relations`, `narrowing`, `literals`, `coercions`, `reports`
3. checks on demand: `written_types`, `demand`, `expected_types`
4. expressions: `ordered_words`, `chart_values`, `calls`, `fields`, `names`, `comparisons`, `alternatives`, `fallbacks`, `arithmetic`, `lists`, `dice`, `axes`,
   `cards`, `shared_columns`, `event_reasons`, then the dispatch, `expressions`
5. input: `declarations`, `entries`; modifiers: `chart_rolls`, `modifiers`; definitions: `definitions`
6. charts: `label_advice`, `code_parts`, `cell_marks`, `result_codes`, `cells`, `row_search`, `chart_edges`,
   `axis_coverage`, `column_order`, `chart_axes`, `chart_shape`, `errata`, `severity_rules`, then `charts`
7. steps: `loops`, `readings`, `policies`, `choices`, `chance_steps`, `value_steps`, `effect_steps`, `procedure_calls`, then `steps`,
   `skipped_outputs`
8. what has steps: `results`, `procedures`; `played_alone`, `example_tables`, `absent_outputs`, `examples`, `questions`
9. the whole ruleset: `used_facts`, `unused`, `refusals`, `causes`, `repetitions`, `policed`, then `program`

Expressions, definitions, charts, modifiers and procedures need each other. That recursion goes through the `passes`
of the context (`expected_types.check_expression`, `demand.require_...`), which `program` fills in.
"""
