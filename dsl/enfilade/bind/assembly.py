"""Module resolution: the declarations of a file, of the modules it uses and of the ruleset it extends become one list.

A variant lists its changes: ``replace``, ``add to``, ``remove``. Each is a transformation of syntax trees:
later stages see one flat list of declarations, each with its original place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Final

from attrs import define, evolve, field, frozen

from enfilade.bind.renaming import joined_records, named, names_in, split_facts, with_names
from enfilade.bind.unread import NOTHING_UNREAD, Unread
from enfilade.bind.variants import Variant
from enfilade.diagnostics.diagnostic import Diagnostic, Label
from enfilade.diagnostics.suggest import nearest
from enfilade.limits import in_force
from enfilade.source.finder import Finder, LinkOutside, library_names, shipped_names
from enfilade.source.text import SourceError, SourceFile, Span
from enfilade.syntax import tree as t
from enfilade.syntax.error_recovery import Lost
from enfilade.syntax.parser import Parsed, parse_module

_LOOKED_FOR: Final = "Enfilade searches the folder of this file, the search path and its own files"
_OUTSIDE: Final = "a path with `..` must lead to a file in the folder of this file, or in a folder on the search path"
_LINKED: Final = "put the file itself in the folder, or put the folder of the file on the search path"


@frozen
class Assembly:
    """All declarations of a ruleset, in order.

    Attributes:
        declarations: The declarations, with ``use``, ``replace`` and the like applied.
        sources: The texts, the main one first.
        diagnostics: The mistakes in parsing and joining.
        head: The ``ruleset`` line of the main text, if it has one.
        unread: What could not be read of the texts.
        parsed: The declarations of each text as parsed, with the names that a ``use`` gives, in the order of the texts.
    """

    declarations: tuple[t.Declaration, ...]
    sources: tuple[SourceFile, ...]
    diagnostics: tuple[Diagnostic, ...]
    head: t.RulesetHead | None
    unread: Unread = NOTHING_UNREAD
    parsed: tuple[tuple[t.Declaration, ...], ...] = ()


@define
class _Assembler:
    finder: Finder
    parse: Callable[[SourceFile], Parsed] = parse_module
    diagnostics: list[Diagnostic] = field(factory=list)
    lost: list[Lost] = field(factory=list)
    is_whole: bool = True
    sources: list[SourceFile] = field(factory=list)
    seen: dict[str, SourceFile] = field(factory=dict)
    chain: list[str] = field(factory=list)
    links: list[Span] = field(factory=list)
    parsed: list[tuple[t.Declaration, ...]] = field(factory=list)
    renamings: dict[str, list[tuple[t.Renaming, ...]]] = field(factory=dict)
    joined_modules: dict[str, list[t.Declaration]] = field(factory=dict)

    def module(self, source: SourceFile, depth: int) -> list[t.Declaration]:
        self.sources.append(source)
        self.seen[source.name] = source
        self.chain.append(source.name)
        parsed = self.parse(source)
        self.parsed.append(parsed.module.declarations)
        self.diagnostics += parsed.diagnostics
        self.lost += parsed.lost
        self.is_whole = self.is_whole and not any(lost.span.start == 0 and not lost.lines for lost in parsed.lost)
        declarations = self.joined_modules[source.name] = self.joined(parsed.module.declarations, source, depth)
        self.chain.pop()
        return declarations

    def joined(self, declarations: tuple[t.Declaration, ...], source: SourceFile, depth: int) -> list[t.Declaration]:
        base: list[t.Declaration] = []
        used: list[t.Declaration] = []
        names: set[str] = set()
        for declaration in declarations:
            if isinstance(declaration, t.RulesetHead) and declaration.extends is not None:
                base += self.base(declaration, declaration.extends, source, depth)
            elif isinstance(declaration, t.Use):
                module, is_again = self.used(declaration, source, depth, names)
                names.add(declaration.name)
                if declaration.renamings and module:
                    module, declarations = self.renamed(declaration, module, declarations)
                used += self.new_in(module, [*base, *used], declaration) if is_again else module
        base += _with_new_players(used, _players((*base, *declarations)))
        variant = Variant(base, self.diagnostics, Unread(tuple(self.lost), self.is_whole))
        for declaration in declarations:
            if not isinstance(declaration, t.Use):
                variant.take(declaration)
        return variant.declarations

    def base(self, head: t.RulesetHead, name: t.Ident, source: SourceFile, depth: int) -> list[t.Declaration]:
        if head.extends_path:
            found = self.found(
                lambda: self.finder.find_module(name.name, source, True), name.span, name.name, "ruleset"
            )
        else:
            found = self.found(lambda: self.finder.find_ruleset(name.name, source), name.span, name.name, "ruleset")
        declarations = self.inner(found, name.span, name.name, depth)
        return _with_procedure([d for d in declarations if not isinstance(d, t.RulesetHead)])

    def used(
        self, use: t.Use, source: SourceFile, depth: int, names: set[str]
    ) -> tuple[list[t.Declaration], bool]:  # fmt: skip
        """The declarations of a module, and whether it was used before.

        A second use brings them again only if it has other names than the first one, in *names* of this text.
        """
        found = self.found(lambda: self.finder.find_module(use.name, source, use.is_path), use.span, use.name, "module")
        is_again = found is not None and found.name in self.seen and found.name != source.name
        if found is None or not is_again:
            declarations = self.inner(found, use.span, use.name, depth)
        elif use.renamings or use.name in names:
            declarations = self.joined_modules.get(found.name, [])
        else:
            declarations = []
        return [d for d in declarations if not isinstance(d, (t.RulesetHead, t.Source, t.Example))], is_again

    def new_in(self, module: list[t.Declaration], used: list[t.Declaration], use: t.Use) -> list[t.Declaration]:
        """The declarations of a module that are not there yet from an earlier use of it; reports those that differ."""
        known = {key: d for d in split_facts(used) if (key := named(d)) is not None}
        new = [d for d in split_facts(module) if d not in known.values()]
        unlike = [name[1] for d in new if (name := named(d)) in known and name is not None]
        if unlike:
            shown, which = (
                " and ".join(f"`{name}`" for name in unlike),
                ", ".join(f"NAME for {name}" for name in unlike),
            )
            message = f"the module `{use.name}` is used again, and {shown} would mean something else"
            self.report("duplicate-name", message, use.span, f"rename what differs as well: `{which}`")
        return [d for d in new if named(d) not in known]

    def renamed(
        self, use: t.Use, module: list[t.Declaration], declarations: tuple[t.Declaration, ...]
    ) -> tuple[list[t.Declaration], tuple[t.Declaration, ...]]:
        """Replace names of a module by those of the game, which may have a record with such a name already."""
        known = names_in(module)
        for each in use.renamings:
            if each.old.name not in known:
                close = nearest(each.old.name, sorted(known))
                helps = (f"did you mean `{close}`?",) if close else ()
                self.report(
                    "unknown-name", f"the module `{use.name}` does not declare `{each.old.name}`", each.old.span, *helps
                )
        for name in {each.span.source.name for each in module}:
            self.renamings.setdefault(name, []).append(use.renamings)
        return joined_records(with_names(module, use.renamings), declarations)

    def with_new_names(self, source: SourceFile, parsed: tuple[t.Declaration, ...]) -> tuple[t.Declaration, ...]:
        """The declarations of a text with the names that a ``use`` gives them."""
        for renamings in self.renamings.get(source.name, ()):
            parsed = tuple(with_names(parsed, renamings))
        return parsed

    def found(self, find: Callable[[], SourceFile | None], span: Span, name: str, what: str) -> SourceFile | None:
        """The text that *find* returns; a diagnostic if there is none."""
        try:
            source = find()
        except LinkOutside:
            self.report("unknown-module", f"the {what} `{name}` is a link that leads out of its folder", span, _LINKED)
            return None
        except SourceError as error:
            self.diagnostics.append(
                Diagnostic(error.code, error.message, error.span, labels=(Label(span, "used here"),))
            )
            self.is_whole = False
            return None
        if source is None:
            beside = self.finder.names_beside(span.source)
            shipped = library_names() if what == "module" else shipped_names()
            close = nearest(name, {*beside, *shipped} - {Path(span.source.name).stem})
            where = f": `{close}.rules` is in the same folder" if close in beside else ""
            self.report(
                "unknown-module",
                f"there is no {what} `{name}`",
                span,
                *((f"did you mean `{close}`?{where}".replace("?:", "?"),) if close else ()),
                _OUTSIDE if ".." in PurePosixPath(name).parts else _LOOKED_FOR,
            )
        return source

    def inner(self, found: SourceFile | None, span: Span, name: str, depth: int) -> list[t.Declaration]:
        if found is None:
            return []
        if found.name in self.seen:
            first = self.chain.index(found.name) if found.name in self.chain else len(self.chain)
            links = tuple(Label(link, "and this") for link in self.links[first:])
            message = f"`{name}` depends on itself{self.circle(found.name)}"
            self.is_whole = False
            self.diagnostics.append(Diagnostic("circular-module", message, span, labels=links))
            return []
        most, deepest = in_force().modules, in_force().module_depth
        if depth >= deepest or len(self.sources) >= most:
            self.report(
                "too-many-modules",
                f"modules may be nested at most {deepest} levels deep, and a ruleset may have at most {most} files",
                span,
            )
            return []
        self.links.append(span)
        declarations = self.module(found, depth + 1)
        self.links.pop()
        return declarations

    def circle(self, name: str) -> str:
        """How a text comes to take over itself."""
        if name not in self.chain[:-1]:
            return ""
        names = [Path(each).stem for each in (*self.chain[self.chain.index(name) :], name)]
        return ": " + ", ".join(f"{user} needs {used}" for user, used in pairwise(names))

    def report(self, code: str, message: str, span: Span, *helps: str) -> None:
        self.is_whole = False
        self.diagnostics.append(Diagnostic(code, message, span, helps=helps))


def _with_procedure(declarations: list[t.Declaration]) -> list[t.Declaration]:
    """Write the procedure's name into examples of a base that omit it, because a variant may add a second procedure."""
    names = [d.name for d in declarations if isinstance(d, t.Procedure)]
    if len(names) != 1:
        return declarations
    return [
        evolve(d, procedure=names[0]) if isinstance(d, t.Example) and d.procedure is None else d for d in declarations
    ]


def _players(declarations: Iterable[t.Declaration]) -> set[str]:
    return {name.name for d in declarations if isinstance(d, t.Players) for name in d.names}


def _with_new_players(used: list[t.Declaration], known: set[str]) -> list[t.Declaration]:
    """The declarations of modules, without players already declared elsewhere: equal names mean the same players."""
    kept: list[t.Declaration] = []
    for d in used:
        if not isinstance(d, t.Players):
            kept.append(d)
        elif names := tuple(name for name in d.names if name.name not in known):
            kept.append(evolve(d, names=names))
            known = known | _players([d])
    return kept


def assemble(source: SourceFile, finder: Finder, parse: Callable[[SourceFile], Parsed] = parse_module) -> Assembly:
    """Parse a text with the modules that it uses and the ruleset that it extends.

    Args:
        source: The main text.
        finder: Where modules and rulesets are found.
        parse: Parses one text.

    Returns:
        The declarations, and diagnostics for mistakes in parsing and joining.
    """
    assembler = _Assembler(finder, parse)
    declarations = assembler.module(source, 0)
    head = next((d for d in declarations if isinstance(d, t.RulesetHead)), None)
    return Assembly(
        tuple(declarations),
        tuple(assembler.sources),
        tuple(assembler.diagnostics),
        head,
        Unread(tuple(assembler.lost), assembler.is_whole),
        tuple(map(assembler.with_new_names, assembler.sources, assembler.parsed)),
    )
