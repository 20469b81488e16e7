"""Code generation: Python lines that validate facts in canonical form.

The lines never report errors. At the first value that is unusual in any way (a number as text, a record as an
object, an unknown name) they give up, and ``convert_facts`` converts the facts or lists their faults. So they may be as
narrow as they like, but accepted input must give the same facts and records as ``convert_facts``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias, cast

from enfilade.core import ir
from enfilade.core.inputs import decks_at_start, declared_input, external_names
from enfilade.engines.constant_pool import Pool
from enfilade.values.data import Ref, State
from enfilade.values.records import MAX_KEY, key_names
from enfilade.values.types import Bool, Listed, ListOf, Maybe, Num, RecordOf, Type, Word, WordSet, takes_records

GIVE_UP: Final = "return None"
_LARGE: Final = 1 << 60
_LONG: Final = 1_000
_MOST_SETS: Final = 1_024
_SETS: Final = (set, frozenset, list, tuple)

Records: TypeAlias = dict[Ref, dict[str, Any]]
RecordReader: TypeAlias = Callable[[Any, str | None, Records, list[Ref]], Ref | None]


def validation_lines(pool: Pool, program: ir.Program, inputs: tuple[str, ...], kept: Mapping[str, str]) -> list[str]:
    """Write the lines that turn ``given`` into ``facts`` and ``state``, or end the function with ``None``.

    The dictionary ``given`` may become ``facts``: its values are replaced by equal ones in canonical form. Records are
    put into a copy, so ``given`` can still be read again.

    Args:
        pool: Holds constants; its namespace needs ``NAMES``.
        program: The ruleset.
        inputs: The facts that may be given, by their names in the core.
        kept: For facts to be stored in variables too: the variable for each name in the core.
    """
    names = external_names(inputs)
    renames = any(own != name for own, name in names.items())
    declared = {name: declared_input(program, name) for name in inputs}
    empty = State({}, decks_at_start(program))
    has_records = any(takes_records(each.type) for each in declared.values())
    lines = ["facts = {}" if renames else "facts = given", "left = len(given)", f"state = {pool.shared(empty)}"]
    if has_records:
        lines.append("records = None")
    for own, name in names.items():
        lines.append(f"if {pool.constant(own)} in given:")
        lines += [f"    {line}" for line in _taken(pool, program, declared[name].type, own, name, renames)]
        if name in kept and not _is_record_default(declared[name]):
            default = f"{kept[name]} = {pool.constant(declared[name].default)}"
            lines += [f"    {kept[name]} = v", f"else: {default if declared[name].has_default else GIVE_UP}"]
        elif _is_record_default(declared[name]):
            lines.append(f"else: {GIVE_UP}")
    lines.append(f"if left: {GIVE_UP}")
    if has_records:
        chains = pool.shared(_chains(program))
        lines.append("if records:")
        lines.append(f"    if named and not is_sound(records, named, {chains}): {GIVE_UP}")
        lines.append(f"    state = State(records, {pool.shared(empty.decks)})")
    return lines


def _is_record_default(declared: ir.Input) -> bool:
    """Whether a fact that is not given is a record of its own, which has to be made."""
    return isinstance(declared.type, RecordOf) and declared.default is not None


def _taken(pool: Pool, program: ir.Program, type_: Type, own: str, name: str, renames: bool) -> list[str]:
    key = pool.constant(name)
    lines = [f"v = given[{pool.constant(own)}]"]
    if takes_records(type_):
        lines += _record_tests(pool, program, type_, own)
        keep = [f"facts[{key}] = v" if renames else f"facts = {{**facts, {key}: v}}"]
    else:
        lines += _tests(pool, type_, "v")
        keep = [f"facts[{key}] = v"] if renames or isinstance(type_, (ListOf, WordSet)) else []
    return [*lines, "left -= 1", *keep]


# ------------------------------------------------------------------------------------------------- simple values


def _tests(pool: Pool, type_: Type, name: str) -> list[str]:
    """The lines that give up unless a variable holds a value of a type, and convert it to its canonical form."""
    match type_:
        case WordSet(words):
            order = pool.shared({word: index for index, word in enumerate(words)})
            known = pool.shared({frozenset([word]): (word,) for word in words})
            return [
                f"s = {known}.get(frozenset({name})) if type({name}) is set else None",
                f"if s is None: s = in_order({name}, {order}, {known})",
                f"if s is None: {GIVE_UP}",
                f"{name} = s",
            ]
        case ListOf(of, least):
            return [
                *_length_tests(name, least),
                f"for e in {name}:",
                f"    if {_wrong(pool, of, 'e')}: {GIVE_UP}",
                f"{name} = tuple({name})",
            ]
    return [f"if {_wrong(pool, type_, name)}: {GIVE_UP}"]


def _length_tests(name: str, least: int) -> list[str]:
    is_list = f"type({name}) is list or type({name}) is tuple"
    return [f"if not ({is_list}) or not {least} <= len({name}) <= {_LONG}: {GIVE_UP}"]


def _wrong(pool: Pool, type_: Type, name: str) -> str:
    """The test that a value is not in the canonical form of a type."""
    match type_:
        case Listed(values=values):
            return f"type({name}) is not int or {name} not in {pool.shared(frozenset(values))}"
        case Num(low, high):
            least = pool.constant(-_LARGE if low is None else low)
            most = pool.constant(_LARGE if high is None else high)
            # Not `isinstance`: a `bool` is an `int` too.
            return f"type({name}) is not int or not {least} <= {name} <= {most}"
        case Bool():
            return f"{name} is not True and {name} is not False"
        case Word(words):
            return f"type({name}) is not str or {name} not in {pool.shared(frozenset(words))}"
        case Maybe(of):
            return f"{name} is not None and ({_wrong(pool, of, name)})"
    return "True"


def in_order(
    given: Any, order: Mapping[str, int], known: dict[frozenset[Any], tuple[str, ...]]
) -> tuple[str, ...] | None:
    """Sort words into the order of their declaration; ``None`` if any value is not one of the words.

    Args:
        given: A set, list or tuple; any other value is refused.
        order: The place of each word.
        known: A cache of sets that are already sorted.
    """
    if type(given) not in _SETS:
        return None
    try:
        words = frozenset(given)
    except TypeError:
        return None
    found = known.get(words)
    if found is None:
        if not all(type(word) is str and word in order for word in words):
            return None
        found = tuple(sorted(words, key=order.__getitem__))
        if len(known) < _MOST_SETS:
            known[words] = found
    return found


# ------------------------------------------------------------------------------------------------------- records


def _record_tests(pool: Pool, program: ir.Program, type_: Type, own: str) -> list[str]:
    """The lines that replace a list of records, or one record, by their references; the fields go into ``records``."""
    begin = "if records is None: records, named = {}, []"
    if isinstance(type_, RecordOf):
        reader = pool.shared(record_reader(program, type_.record))
        return [begin, f"v = {reader}(v, {pool.constant(own)}, records, named)", f"if v is None: {GIVE_UP}"]
    assert isinstance(type_, ListOf)
    assert isinstance(type_.of, RecordOf)
    reader = pool.shared(record_reader(program, type_.of.record))
    return [
        *_length_tests("v", type_.least),
        begin,
        f"v = tuple([{reader}(e, None, records, named) for e in v])",
        f"if None in v: {GIVE_UP}",
    ]


def record_reader(program: ir.Program, record: str) -> RecordReader:
    """Make a function that takes a record out of a dictionary.

    Its arguments are the dictionary, a key for a record without a name of its own, the records so far, and a list for
    references to other records. It returns the record's reference, or ``None`` if it gives up.
    """
    pool = Pool(dict(NAMES))
    exec(compile(record_source(pool, program.records[record]), "<record validation>", "exec"), pool.names)
    return cast(RecordReader, pool.names["read"])


def record_source(pool: Pool, declared: ir.RecordDecl) -> str:
    """The Python text of a record reader, as a function ``read``."""
    lines = [f"if type(given) is not dict: {GIVE_UP}", "left = len(given)"]
    fields = {name: f"f{number}" for number, name in enumerate(declared.fields)}
    for name, variable in fields.items():
        field = declared.fields[name]
        lines.append(f"if {pool.constant(name)} in given:")
        lines.append(f"    {variable} = given[{pool.constant(name)}]")
        lines += [f"    {line}" for line in _field_tests(pool, field.type, variable)]
        lines.append("    left -= 1")
        lines.append(f"else: {variable} = {pool.constant(field.default)}" if field.has_default else f"else: {GIVE_UP}")
    for number, name in enumerate(key_names(declared)):
        lines.append(f"{'elif' if number else 'if'} {name!r} in given:")
        lines += [f"    key = given[{name!r}]", "    left -= 1"]
    shown = ", ".join(f"{pool.constant(name)}: {variable}" for name, variable in fields.items())
    lines += [
        f"if left or type(key) is not str or not 0 < len(key) <= {MAX_KEY}: {GIVE_UP}",
        f"if key == 'none' or not key.isprintable(): {GIVE_UP}",
        f"ref = Ref({pool.constant(declared.name)}, key)",
        f"if ref in records: {GIVE_UP}",
        f"records[ref] = {{{shown}}}",
        "return ref",
    ]
    return "def read(given, key, records, named):\n" + "".join(f"    {line}\n" for line in lines)


def _field_tests(pool: Pool, type_: Type, name: str) -> list[str]:
    if not isinstance(type_, RecordOf):
        return _tests(pool, type_, name)
    lines = [
        f"if type({name}) is not str or {name} == 'none': {GIVE_UP}",
        f"{name} = Ref({pool.constant(type_.record)}, {name})",
        f"named.append({name})",
    ]
    return [f"if {name} is not None:", *(f"    {line}" for line in lines)] if type_.optional else lines


def _chains(program: ir.Program) -> tuple[tuple[str, str], ...]:
    """The fields in which a record refers to another record of its kind."""
    return tuple(
        (declared.name, name)
        for declared in program.records.values()
        for name, field in declared.fields.items()
        if isinstance(field.type, RecordOf) and field.type.record == declared.name
    )


def is_sound(records: Records, named: list[Ref], chains: tuple[tuple[str, str], ...]) -> bool:
    """Whether every reference leads to a described record, and no chain of references is a cycle."""
    if any(ref not in records for ref in named):
        return False
    return not any(_is_circle(records, ref, name) for record, name in chains for ref in records if ref.record == record)


def _is_circle(records: Records, start: Ref, name: str) -> bool:
    at = records[start][name]
    for _ in records:
        if at is None:
            return False
        at = records[at][name]
    return True


NAMES: Final[Mapping[str, Any]] = {
    "Ref": Ref, "State": State, "in_order": in_order, "is_sound": is_sound,
}  # fmt: skip
"""What the generated lines call by name."""
