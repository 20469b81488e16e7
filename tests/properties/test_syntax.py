"""Trees and texts go into each other: ``parse(unparse(tree)) == tree``, and a text laid out keeps its tree.

The trees are made level by level as the grammar has them, so that each is one that a text can give.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, Final

from hypothesis import example, given, settings
from hypothesis import strategies as st

from enfilade.source.text import SourceFile, Span
from enfilade.syntax import tree as t
from enfilade.syntax.parser import Parsed, parse_module
from enfilade.syntax.unparse import unparse
from enfilade.tools.format import format_text

Strategy = st.SearchStrategy[Any]
HERE: Final = Span(SourceFile("<made>", ""), 0, 0)
NAMES: Final = ["a", "unit", "fire_value", "Steps", "x1", "night", "enemy_hex", "b2b"]


def parse(text: str) -> Parsed:
    return parse_module(SourceFile("<text>", text))


@st.composite
def drawn(draw: st.DrawFn, make: Callable[..., Strategy], *args: int) -> Any:
    return draw(make(*args))


def level(make: Callable[[int], Strategy]) -> Callable[[int], Strategy]:
    """One level of the grammar; made once, and not shown in full by hypothesis, which takes long."""
    return cache(lambda depth: drawn(cache(make), depth))


def shallow(strategy: Strategy) -> Strategy:
    return drawn(lambda: strategy)


def node(cls: type, *parts: Strategy) -> Strategy:
    return st.builds(lambda *values: cls(*values, HERE), *parts)


def some(strategy: Strategy, least: int = 1, most: int = 3) -> Strategy:
    return st.lists(strategy, min_size=least, max_size=most).map(tuple)


def maybe(strategy: Strategy) -> Strategy:
    return st.none() | strategy


idents = node(t.Ident, st.sampled_from(NAMES))
words = node(t.Ident, st.sampled_from([*NAMES, "late autumn", "2X", "when", "none", ""]))
texts = st.text(st.sampled_from("aM2 -.[]|'#é"), max_size=5)
whole = st.integers(0, 10**18 - 1)
codes = node(
    t.Code, st.sampled_from(["-", "M", "2X", "M#", "A#a", "45+", "when", "then", "A1 D2", "", "--", "3..5", "1:2"])
)
tails = st.builds(
    lambda label, cites, assumed: t.Tail(label, tuple(cites), assumed),
    maybe(texts), st.lists(st.sampled_from(["16.3", "4.2", "p. 7"]), max_size=2), maybe(texts),
)  # fmt: skip
tails = shallow(tails)
literals = node(t.Number, whole) | node(t.Negative, node(t.Number, whole.filter(bool)))
decimals = st.builds(lambda n, d: Fraction(n, 10**d), st.integers(0, 9999), st.integers(1, 3)).filter(
    lambda f: f.denominator != 1
)
band_ends = st.tuples(maybe(literals), maybe(literals)).filter(lambda ends: ends != (None, None))
closed_bands = st.builds(lambda ends: t.Band(ends[0], ends[1], HERE), band_ends)


map_values = st.one_of(
    node(t.Number, whole | decimals), node(t.Text, texts), node(t.Constant, st.sampled_from(["yes", "no", "none"])),
    node(t.Name, st.sampled_from(NAMES)),
)  # fmt: skip


@level
def atoms(depth: int) -> Strategy:
    """Operands that end by themselves."""
    simple = st.one_of(
        node(t.Number, whole | decimals), node(t.Text, texts), node(t.Constant, st.sampled_from(["yes", "no", "none"])),
        node(t.Each), node(t.Nth), node(t.Hash, st.sampled_from(["", "a", "d"])), node(t.Name, st.sampled_from(NAMES)),
        node(t.OptionRef, st.sampled_from(NAMES)), node(t.EffectsSoFar, idents),
        node(t.MapLiteral, some(node(t.MapEntry, words, map_values))),
    )  # fmt: skip
    if depth == 0:
        return simple
    inner = exprs(depth - 1)
    return st.one_of(
        simple, node(t.Paren, inner | closed_bands), node(t.Invoke, idents, some(inner)),
        node(t.ListOf, some(inner, 0)), node(t.FieldOf, node(t.Name, st.sampled_from(NAMES)), idents),
    )  # fmt: skip


@level
def counts(depth: int) -> Strategy:
    plain = node(t.Number, whole) | node(t.Name, st.sampled_from(NAMES))
    return plain | node(t.Paren, exprs(depth - 1)) if depth else plain


@level
def open_ended(depth: int) -> Strategy:
    """Operands that take what follows them, so that they stand alone."""
    atom, where = atoms(depth), maybe(ors(depth))
    how = st.sampled_from(["count", "sum", "highest", "lowest"])
    ranked = st.sampled_from(["highest", "lowest", "first", "last"])
    return st.one_of(
        node(t.Aggregate, how, atom, maybe(atom), where),
        node(t.Extreme, ranked, counts(depth), atom, maybe(atom)),
        node(t.Item, counts(depth) | node(t.Each) | node(t.Nth), atom), node(t.ListOver, atom, atom, where),
        node(t.Quota, st.sampled_from(["as much as possible", "just enough"]), counts(depth), atom, maybe(atom)),
        node(t.MapOver, atom, atom, atom, where), node(t.OfEntry, idents, atom),
        node(t.CardsLeft, node(t.Name, st.sampled_from(NAMES)) | node(t.FieldOf, node(t.Name, st.sampled_from(NAMES)), idents)),
        node(t.PartOf, node(t.FieldOf, atom, idents), atom),
        node(t.QuantifiedWhere, st.sampled_from(["any", "all", "none"]), atom, ors(depth)),
    )  # fmt: skip


@level
def sums(depth: int) -> Strategy:
    unary = atoms(depth) | node(t.Negative, atoms(depth))
    rest = some(st.tuples(st.sampled_from(["*", "/", "mod"]), unary))
    product = unary | node(t.Chain, unary, rest)
    return product | node(t.Chain, product, some(st.tuples(st.sampled_from(["+", "-"]), product)))


@level
def quantities(depth: int) -> Strategy:
    plain = sums(depth)
    how = st.sampled_from(["down", "up", "nearest", "half down", "half even"])
    bounds = st.tuples(maybe(plain), maybe(plain)).filter(lambda ends: ends != (None, None))
    held = st.builds(lambda of, ends: t.Held(of, ends[0], ends[1], HERE), plain, bounds)
    changed = node(t.ListChange, st.sampled_from(["followed", "without"]), plain, plain)
    return (
        plain | changed | node(t.Rounded, held | plain, how) | held | node(t.Sorted, plain, maybe(plain), st.booleans())
    )


@level
def comparisons(depth: int) -> Strategy:
    quantity = quantities(depth)
    target = st.one_of(
        quantity, closed_bands, node(t.Band, sums(0), sums(0)), node(t.Property, st.sampled_from(["even", "odd", "doubles"])),
        node(t.OrMore, quantity, st.sampled_from(["more", "less", "worse", "better"])),
    )  # fmt: skip
    order = st.sampled_from(["<", "<=", ">", ">=", "has"])
    relation = node(t.Relation, st.sampled_from(["is", "is not"]), target) | node(t.Relation, order, quantity)
    how = st.sampled_from(["any", "all", "none"])
    return quantity | node(t.Compared, quantity, relation) | node(t.Quantified, how, atoms(depth), relation)


@level
def ors(depth: int) -> Strategy:
    one = comparisons(depth) | node(t.Not, comparisons(depth))
    both = one | node(t.And, some(one, 2))
    return both | node(t.Or, some(both, 2))


@level
def exprs(depth: int) -> Strategy:
    plain = ors(depth)
    return st.one_of(
        plain, plain, open_ended(depth), node(t.Filtered, plain, plain), node(t.Conditional, plain, plain, plain),
    )  # fmt: skip


EXPR: Final = exprs(1)
CONDITION: Final = ors(1)

bounds = st.tuples(maybe(st.integers(-99, 99)), maybe(st.integers(-99, 99)))
ranges = st.builds(lambda b, w, o: t.RangeType(b[0], b[1], w, o, HERE), bounds, st.booleans(), st.booleans()).filter(
    lambda r: not (r.whole and r.low is None and r.high is None)
)
types = st.one_of(
    ranges, node(t.FlagType), node(t.WordsType, some(words), st.just(False)), node(t.WordsType, some(words, 2), st.just(True)),
    node(t.NamedType, idents, st.booleans(), st.just(False)), node(t.ListType, ranges, st.integers(0, 3)),
    node(t.MapType, idents, ranges | node(t.FlagType)),
)  # fmt: skip
param_types = st.one_of(
    ranges, node(t.FlagType), node(t.NamedType, idents, st.just(False), st.booleans()),
    node(t.WordsType, some(words), st.just(False)), node(t.MapType, idents, ranges | node(t.FlagType)),
)  # fmt: skip
params = some(node(t.Param, idents, maybe(param_types)), 0)
fields = some(node(t.FieldDecl, idents, types, st.booleans(), maybe(EXPR), tails))
fields = shallow(fields)
facts = node(t.Facts, tails, fields)
withs = some(node(t.With, maybe(idents), atoms(1)), 0)
dotted = node(t.FieldOf, node(t.Name, st.sampled_from(NAMES)), idents)
dice_terms = node(
    t.DiceTerm,
    maybe(counts(1) | dotted),
    node(t.Ident, st.sampled_from(["d6", "d10", "musket"])) | dotted | node(t.DieOfSize, EXPR),
)
dice = node(t.Dice, some(dice_terms))
copies = maybe(counts(1) | dotted)
faces = some(
    node(t.FaceItem, copies, texts.filter(lambda text: '"' not in text), st.just(True), maybe(whole))
    | node(
        t.FaceItem,
        copies,
        st.sampled_from(["hit", "3", "1..9"]),
        st.just(False),
        maybe(st.integers(-99, 99)),
    )
)

rounds = node(
    t.RollRule,
    st.just("reroll"),
    comparisons(0).filter(lambda e: isinstance(e, t.Number)),
    maybe(quantities(1)),
    st.just(False),
) | node(t.RollRule, st.just("explode"), closed_bands, maybe(quantities(1)), st.booleans())
whos = node(t.Name, st.sampled_from(NAMES)) | node(t.FieldOf, node(t.Name, st.sampled_from(NAMES)), idents)
simple_statements = st.one_of(
    node(t.Refuse, idents, CONDITION, tails), node(t.Roll, dice, idents, some(rounds, 0), maybe(whos), tails),
    node(t.Draw, counts(1), whos, idents, maybe(whos), tails), node(t.Reshuffle, whos, tails),
    node(t.Let, idents, EXPR, tails), node(t.Becomes, some(idents), EXPR, tails, maybe(atoms(1)), st.none()),
    node(t.Becomes, some(idents), EXPR, tails, st.none(), counts(1)), node(t.Leave, tails), node(t.Stop, tails),
    node(t.Read, idents, some(EXPR, 0), maybe(EXPR), maybe(idents), st.none(), maybe(idents), tails),
    node(t.Apply, atoms(1), maybe(EXPR), tails), node(t.Perform, idents, maybe(atoms(1)), withs, tails),
    node(t.Choose, whos, maybe(counts(1)), idents, EXPR, st.booleans(), st.booleans(), tails),
    node(t.ChooseWhether, whos, idents, tails), node(t.ChooseWord, whos, idents, some(words), st.booleans(), tails),
    node(t.Assign, whos, counts(1), idents, withs, EXPR, st.none(), maybe(idents), tails),
    node(t.Assign, whos, counts(1), idents, withs, atoms(1), atoms(1), maybe(idents), tails), node(t.Give, idents, maybe(EXPR), tails),
)  # fmt: skip
simple_statements = shallow(simple_statements)


def blocks(statements: Strategy) -> Strategy:
    inline = st.builds(lambda s: t.Block((t.Step(None, s, HERE),), True, t.NO_TAIL, HERE), simple_statements)
    return inline | node(t.Block, some(steps(statements)), st.just(False), tails)


def steps(statements: Strategy) -> Strategy:
    return node(t.Step, maybe(st.integers(0, 99)), statements)


def repeat_until(block: Strategy) -> Strategy:
    bounds = st.one_of(st.tuples(quantities(1), st.none()), st.tuples(st.none(), maybe(whole)))
    return st.builds(
        lambda condition, is_while, bound, body: t.RepeatUntil(condition, is_while, bound[0], bound[1], body, HERE),
        CONDITION, st.booleans(), bounds, block,
    )  # fmt: skip


def nested(inner: Strategy) -> Strategy:
    block = blocks(inner)
    when = node(t.When, CONDITION, block, maybe(block))
    return st.one_of(
        when, node(t.When, CONDITION, block, when), node(t.ForEach, idents, EXPR, block),
        repeat_until(block), node(t.RepeatTimes, quantities(1), block),
        node(t.Together, block), node(t.Call, idents, withs, maybe(idents), maybe(block), tails),
    )  # fmt: skip


statements = shallow(st.recursive(simple_statements, nested, max_leaves=4))
cells = node(t.Code, st.sampled_from(["", "-", "M", "2X", "1, 2", "--", "М2", '"x"', "a  b"]))
rows = some(node(t.Row, some(cells, 1, 4), st.just(False)), 0)
axes = node(
    t.Axis, quantities(1) | node(t.Dice, some(node(t.DiceTerm, maybe(node(t.Number, st.integers(1, 9))),
    node(t.Ident, st.just("d6"))), 1, 1)).filter(lambda d: d.terms), st.none(),
    st.sampled_from(["contains", "below", "above"]), maybe(idents),
)  # fmt: skip
axes = shallow(axes)
stated_axes = node(
    t.Axis, quantities(1), st.builds(lambda e: t.Band(e[0], e[1], HERE), band_ends), st.just("contains"), st.none()
)
stays = node(t.EdgeAction, st.just("stays"), st.none(), st.none())
edge_acts = st.one_of(
    st.tuples(st.just("stays"), st.none()), st.tuples(st.just("gives"), codes.map(lambda c: c.text)),
    st.tuples(st.just("refuse"), st.sampled_from(NAMES)),
)  # fmt: skip
first_acts = edge_acts.map(lambda act: t.EdgeAction(act[0], act[1], None, HERE))
later_acts = st.builds(lambda act, c: t.EdgeAction(act[0], act[1], c, HERE), edge_acts, CONDITION)
edges = st.builds(
    lambda where, first, rest, tail: t.Edge(where, (first, *rest), tail, HERE),
    st.sampled_from(["column below", "row above", "shift left", "shift right"]), first_acts, some(later_acts, 0), tails,
)  # fmt: skip
places = node(t.Place, codes, codes, some(st.tuples(st.sampled_from(["page", "inside"]), codes), 0))
headers = node(t.HeaderLine, maybe(CONDITION), some(cells), tails)
severity_rules = node(
    t.SeverityRule, st.sampled_from(["never falls", "never rises"]),
    st.sampled_from(["left", "right", "down", "up", "inside"]), st.none(), tails,
) | node(
    t.SeverityRule, st.sampled_from(["falls then rises", "rises then falls"]), st.sampled_from(["right", "down"]),
    maybe(codes), tails,
)  # fmt: skip
edges = edges | st.builds(
    lambda where, act, tail, at, included: t.Edge(where, (act,), tail, HERE, at, included),
    st.sampled_from(["column below", "row above"]), first_acts, tails, codes, st.booleans(),
)  # fmt: skip
surplus = node(t.Surplus, some(codes), tails)
chart_lines = st.one_of(
    node(t.AxisLine, st.sampled_from(["down", "across", "inside", "pages", "find"]), axes | stated_axes, tails),
    node(t.CellsLine, st.sampled_from(["codes", "numbers", "words", "lists", "charts"]), tails),
    node(t.SeverityOrder, some(codes), tails), severity_rules, edges, headers, node(t.PageLine, some(codes), tails),
    node(t.Erratum, places, codes, maybe(CONDITION), tails), surplus,
    node(t.CellMark, codes, idents, maybe(CONDITION), tails),
    node(t.ChartNote, st.sampled_from(["row", "column"]), some(codes), tails),
)  # fmt: skip
chart_lines = shallow(chart_lines)
items = some(node(t.ChartItem, chart_lines, rows))
charts = node(t.Chart, idents, params, tails, maybe(idents), items)
besides = node(t.Beside, idents, types, maybe(codes), tails)

amounts = st.one_of(literals, node(t.Paren, EXPR), node(t.Negative, node(t.Paren, EXPR)))
buts = some(node(t.But, maybe(amounts), CONDITION, tails), 0)
mod_lines = node(t.ModLine, amounts, idents, CONDITION, buts, tails)


def sections(inner: Strategy) -> Strategy:
    none = st.none()
    return st.one_of(
        node(t.ModSection, st.just("never together"), none, none, none, some(inner), tails),
        node(t.ModSection, st.just(""), st.sampled_from(["first", "highest"]), none, none, some(inner), tails),
        node(t.ModSection, st.just("for each"), none, idents, none, some(inner), tails),
        node(t.ModSection, st.just("when"), none, none, CONDITION, some(inner), tails),
    )


mod_items = st.recursive(
    mod_lines | node(t.ModNet, st.sampled_from(["most", "least"]), quantities(1), tails), sections, max_leaves=4
)
mod_items = shallow(mod_items)
purposes = st.tuples(st.sampled_from(["shift", "roll"]), some(idents)) | st.just(("sum", ()))
modifiers = st.builds(
    lambda name, p, purpose, rule, body, tail: t.Modifiers(name, p, purpose[0], purpose[1], rule, body, tail, HERE), idents, params,
    purposes, st.sampled_from(["cumulative", "first", "highest", "lowest"]), some(mod_items), tails,
)  # fmt: skip

scalars = st.one_of(
    st.builds(lambda n: t.Value("number", n, (), (), HERE), st.integers(-99, 99) | decimals | st.just(Fraction(1, 3))),
    st.builds(lambda s: t.Value("text", s, (), (), HERE), texts),
    st.builds(lambda s: t.Value("constant", s, (), (), HERE), st.sampled_from(["yes", "no", "none"])),
    st.builds(lambda s: t.Value("name", s, (), (), HERE), st.sampled_from(NAMES)),
)
values = st.recursive(
    scalars,
    lambda inner: st.builds(lambda v: t.Value("list", None, v, (), HERE), some(inner, 0))
    | st.builds(
        lambda name, given_: t.Value("record", name, (), given_, HERE), maybe(st.sampled_from(NAMES)),
        some(node(t.GivenItem, idents, maybe(inner)), 0),
    ),
    max_leaves=4,
)  # fmt: skip
values = shallow(values)
given_items = some(node(t.GivenItem, idents, maybe(values)))
kinds_of_examples = st.sampled_from(["", "chart", "define", "modifiers"])
listed = some(codes, 0).map(lambda c: t.Gives(t.Code(", ".join(x.text for x in c) or "nothing", HERE), c, HERE))
example_lines = st.one_of(
    node(t.Given, given_items), node(t.ExOption, node(t.GivenItem, idents, maybe(values))),
    node(t.ExOn, some(codes)), node(t.Choosing, some(values)), node(t.Gives, codes, st.none()), listed, node(t.NoEffects),
    node(t.ExEffect, idents, maybe(values), some(node(t.GivenItem, idents, maybe(values)), 0)),
    node(t.Expect, CONDITION), node(t.Refused, idents), node(t.ExpectInputError, idents),
    node(t.Chance, CONDITION, quantities(1), some(node(t.WayOfPlay, st.sampled_from(["best", "worst", "random"]), maybe(idents)), 0),
         st.booleans()), node(t.Starts, idents, maybe(idents)),
)  # fmt: skip
example_lines = shallow(example_lines)
entry_lines = st.one_of(
    node(t.EachReader, maybe(CONDITION), blocks(statements)),
    node(t.Once, blocks(statements)),
    node(t.ThenCode, codes, tails),
    statements,
)
entry_lines = shallow(entry_lines)
entries = st.one_of(
    node(t.Entry, codes, some(codes, 0), st.none(), st.none(), st.booleans(), some(entry_lines, 0), tails),
    node(t.Entry, codes, some(codes, 0), codes, codes, st.booleans(), some(entry_lines, 0), tails),
)
event_lines = node(t.Unless, CONDITION, idents, tails) | node(t.StartLine, idents, withs, tails)
cases = some(node(t.Case, CONDITION, maybe(CONDITION), tails))
effects = node(t.Effect, idents, params, some(statements.map(lambda s: t.Step(None, s, HERE)), 0), tails)
plain_declarations = st.one_of(
    node(t.Players, some(idents), tails), node(t.OptionDecl, idents, maybe(types), maybe(EXPR), tails),
    node(t.Words, idents, types, tails), node(t.Record, idents, tails, fields), facts,
    node(t.Define, idents, params, cases, st.just(True), tails),
    st.builds(lambda n, p, e, x: t.Define(n, p, (t.Case(e, None, t.NO_TAIL, HERE),), False, x, HERE), idents, params, EXPR, tails),
    node(t.Die, idents, faces, tails), node(t.Deck, idents, faces, tails), st.builds(lambda name, like: t.Deck(name, (), t.NO_TAIL, HERE, like=like), idents, idents), charts,
    node(t.Columns, idents, axes, some(headers), some(besides, 0), some(edges, 0), some(surplus, 0), tails), modifiers, effects,
    node(t.Results, idents, some(idents, 0), maybe(idents), some(entries), tails),
    node(t.Procedure, idents, maybe(facts), some(steps(statements)), tails, st.booleans()), node(t.Event, idents, tails),
    node(t.OnEvent, idents, some(event_lines), tails),
    node(t.Example, maybe(idents), texts, some(example_lines), tails, st.just(""), st.just(())),
    node(t.Example, idents, texts, some(example_lines, 0), tails, kinds_of_examples, rows.filter(len)),
)  # fmt: skip
plain_declarations = shallow(plain_declarations)
kinds = [
    "option",
    "words",
    "record",
    "define",
    "die",
    "deck",
    "chart",
    "columns",
    "modifiers",
    "effect",
    "procedure",
    "event",
]
declarations = st.one_of(
    node(t.Language, st.sampled_from(["1", "1.1", "12.10"])), node(t.RulesetHead, idents, tails, maybe(idents), st.just(False)),
    node(t.RulesetHead, idents, tails, idents, st.just(True)), node(t.Source, tails),
    node(t.Use, st.sampled_from(NAMES), st.just(False), some(node(t.Renaming, idents, idents), 0)),
    node(t.Use, texts, st.just(True), some(node(t.Renaming, idents, idents), 0)),
    plain_declarations, node(t.Replace, plain_declarations), node(t.AddTo, plain_declarations),
    node(t.ReplaceModifier, idents, idents, some(mod_lines)), node(t.ReplaceStep, whole, idents, some(steps(statements))),
    node(t.ReplaceCell, idents, places, codes, tails), node(t.RemovePart, idents, st.none(), idents),
    node(t.RemovePart, st.none(), whole, idents), node(t.Remove, st.sampled_from([*kinds, "results"]), idents),
    node(t.Remove, st.just("example"), words),
)  # fmt: skip
declarations = shallow(declarations)
modules = st.builds(t.Module, some(declarations, 0, 3))


@settings(max_examples=25, deadline=None)
@given(EXPR)
def test_an_expression_written_and_read_is_the_same(expr: Any) -> None:
    define = t.Define(t.Ident("a", HERE), (), (t.Case(expr, None, t.NO_TAIL, HERE),), False, t.NO_TAIL, HERE)
    text = unparse(t.Module((define,)))
    parsed = parse(text)
    assert not parsed.diagnostics, text
    assert parsed.module == t.Module((define,)), text


@settings(max_examples=25, deadline=None)
@given(shallow(modules))
def test_a_tree_written_and_read_is_the_same(module: t.Module) -> None:
    text = unparse(module)
    parsed = parse(text)
    # A cell keeps letters that look like others as they are; all else is read as it is written.
    assert {found.code for found in parsed.diagnostics} <= {"look-alike"}, text
    assert unparse(parsed.module) == unparse(parse(unparse(parsed.module)).module)
    if not parsed.diagnostics:
        assert parsed.module == module, text


@settings(max_examples=25, deadline=None)
@given(shallow(modules))
def test_a_text_laid_out_keeps_its_tree_and_is_laid_out_for_good(module: t.Module) -> None:
    text = unparse(module)
    formatted = format_text(text)
    assert parse(formatted).module == parse(text).module
    assert format_text(formatted) == formatted


PIECES: Final = [
    "chart a\n",
    "facts\n",
    "  down ",
    "| 1 |",
    "\n",
    " ",
    "when ",
    "x",
    "2d6",
    '"',
    "--",
    "1.",
    "(",
    "\t",
    "\r",
]
LETTERS: Final = st.text(st.sampled_from('abdx019.,:=<>+-*/()[]|"#_ \t\n\r') | st.characters(), max_size=80) | st.lists(
    st.sampled_from(PIECES), max_size=20
).map("".join)


@settings(max_examples=200, deadline=None)
@given(LETTERS)
@example("\ud800")
@example("facts\n  a 1..\x85\n")
@example("chart a\r\n" + "\r\n" * 200 + "x")
def test_any_text_gives_a_tree_or_diagnostics(text: str) -> None:
    parsed = parse(text)
    for found in parsed.diagnostics:
        assert 0 <= found.span.start <= found.span.end <= len(text)
    if not parsed.diagnostics:
        assert parse(unparse(parsed.module)).module == parsed.module
    formatted = format_text(text)
    assert format_text(formatted) == formatted
