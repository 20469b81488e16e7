"""One analysed text, and what an editor asks about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, partial
from os import PathLike
from pathlib import Path, PurePath

from attrs import evolve

from enfilade.api.loaded_program import Loaded, as_diagnostic
from enfilade.api.ruleset import Ruleset
from enfilade.bind.names import Key, Occurrence
from enfilade.check.program import Checked, check_source
from enfilade.check.reuse import Version
from enfilade.core.inputs import convert_options
from enfilade.diagnostics.diagnostic import Diagnostic, Edit, Severity, edited
from enfilade.door import door, with_doors
from enfilade.editor.actions import actions_for, lenses_of, overlap
from enfilade.editor.answers import (
    Action,
    CannotRename,
    Completions,
    Fold,
    Hint,
    Hover,
    Lens,
    Outline,
    Signature,
    Subject,
    TextToken,
)
from enfilade.editor.colours import coloured, lexed
from enfilade.editor.completion import complete_in
from enfilade.editor.first_texts import first_texts, pasted_chart
from enfilade.editor.hints import hints_of
from enfilade.editor.hover import code_at, hover_of_code, hover_of_name
from enfilade.editor.index import Index, index_of
from enfilade.editor.keyword_hover import hover_of_keyword
from enfilade.editor.new_examples import new_example
from enfilade.editor.outline import folds_of, outline_of, placed_outline, selections_at
from enfilade.editor.renaming import edits_of_rename, refuse_new_errors
from enfilade.editor.rewrites import examples_to_table, stated_in_examples, tabs_to_bars
from enfilade.editor.signatures import signature_in
from enfilade.editor.step_margin import step_margin
from enfilade.editor.subjects import subject_at, subject_of
from enfilade.language.styled_text import plain
from enfilade.source.finder import Finder, Folders, Kept, Opened, Recorder, Texts, library_names
from enfilade.source.text import SourceError, SourceFile, Span, Text
from enfilade.syntax import tree as t
from enfilade.syntax.tree import Declaration
from enfilade.tools.card.lines import code_lines
from enfilade.tools.format import format_source


@with_doors
class Analysis:
    """A text that was checked, for an editor. It never changes: analyse the new text after an edit.

    Places are offsets in characters. Everything but the diagnostics is computed when it is first asked for.

    Attributes:
        source: The text, with its name.
        diagnostics: The errors and warnings of the text and of the files that it uses, in order, with their fixes.
        sources: The texts, this one first, then those that it uses and extends.
    """

    source: SourceFile
    diagnostics: tuple[Diagnostic, ...]
    sources: tuple[SourceFile, ...]

    def __init__(self, source: SourceFile, finder: Finder, before: Analysis | None = None) -> None:
        """Check a text; `analyse` is the way to make one."""
        self._finder = Recorder(finder)
        self._version: Version = Version(None if before is None else before._version)
        self._checked = _check(source, self._finder, self._version)
        self.source = source
        self.diagnostics = self._found()
        self.sources = self._checked.sources

    def _found(self) -> tuple[Diagnostic, ...]:
        """The diagnostics; a pasted chart has one, and not one for each line."""
        found = self._checked.diagnostics
        if not found or self._tree:
            return found
        pasted = pasted_chart(self.source)
        return found if pasted is None else (pasted,)

    @cached_property
    def _index(self) -> Index:
        return index_of(self._checked)

    @property
    def _tree(self) -> tuple[Declaration, ...]:
        """The declarations of the text, with places in its parts."""
        return tuple(each for part in self._parts for each in self._index.trees.get(part, ()))

    # The checked trees have their places in the declarations around them (`Parts`). Places in questions are converted
    # to those, and places in answers to places in the whole text.

    @property
    def _parts(self) -> tuple[SourceFile, ...]:
        version = self._checked.version
        return (self.source,) if version is None else version.parts.sources(self.source)

    def _locate(self, offset: int, source: SourceFile | None = None) -> tuple[SourceFile, int]:
        version, source = self._checked.version, source or self.source
        return (source, offset) if version is None else version.parts.locate(source, offset)

    def _place(self, span: Span) -> Span:
        version = self._checked.version
        return span if version is None else version.parts.place(span)

    def _at(self, offset: int) -> Occurrence | None:
        return self._index.at(*self._locate(offset))

    @cached_property
    def ruleset(self) -> Ruleset | None:
        """The ruleset, for plays and odds; ``None`` if it has errors."""
        if self._checked.program is None:
            return None
        # A ruleset shows places in the text.
        return self._ruleset_of(_check(self.source, self._finder))

    @cached_property
    def _ruleset_in_parts(self) -> Ruleset | None:
        """The ruleset, for questions without places."""
        return self._ruleset_of(self._checked)

    def _ruleset_of(self, checked: Checked) -> Ruleset | None:
        program = checked.program
        if program is None:
            return None
        return Ruleset(Loaded(checked, program, self._finder.found, convert_options(program, {})))

    @property
    def names(self) -> tuple[Occurrence, ...]:
        """Every name in the text, with what it refers to, in order."""
        found = (each for part in self._parts for each in self._index.occurrences.get(part, ()))
        return tuple(each._replace(span=self._place(each.span)) for each in found)

    # -- names ------------------------------------------------------------------------------------------------

    def hover(self, offset: int) -> Hover | None:
        """Tell what is known about the name, the result code or the keyword at a place.

        Args:
            offset: The place.

        Returns:
            Its kind, type or range, label and citations; ``None`` if nothing is known.
        """
        ctx, at = self._checked.context, self._at(offset)
        found = None if at is None or at.key.kind != "word" else self._hover_of_code(offset)
        if found is None and at is not None and ctx is not None:
            found = hover_of_name(ctx, self._index, at)
        found = found or self._hover_of_code(offset) or hover_of_keyword(*self._locate(offset))
        return found and evolve(found, span=self._place(found.span))

    def _hover_of_code(self, offset: int) -> Hover | None:
        part, inner = self._locate(offset)
        code, rules = code_at(self._index.trees.get(part, ()), inner), self._ruleset_in_parts
        if code is None or rules is None:
            return None
        return hover_of_code(code, tuple(plain([line]) for line in code_lines(rules, code.text)))

    def definition(self, offset: int) -> tuple[Span, ...]:
        """Find where the name at a place is declared.

        Args:
            offset: The place.

        Returns:
            The names in their declarations, in this and other files; for a ``use`` or ``extends``, the start of the file.
        """
        at = self._at(offset)
        if at is None:
            return ()
        if at.key.kind == "file":
            found = self._file_of(at.key)
            return () if found is None else (found.span(0, 0),)
        return self.places_of(at.key, declared=True)

    def _file_of(self, key: Key) -> SourceFile | None:
        """The text that a ``use`` or ``extends`` names."""
        kind = "module" if key.owner == "module" or "." in key.name else "ruleset"
        return self._finder.found.get((self.source.name, kind, key.name))

    def import_of(self, source: SourceFile) -> Span:
        """The line of the text through which it uses or extends another one; its first line if no line does.

        Args:
            source: The other text.
        """
        links = self._finder.found
        for each in (each for each in self.names if each.key.kind == "file"):
            waiting = [self._file_of(each.key)]
            # The list grows: what a used text uses comes with it.
            for found in waiting:
                if found is not None and found.name == source.name:
                    return self.source.line_span(each.span.line)
                new = (other for (importer, _, _), other in links.items() if found and importer == found.name)
                waiting += [other for other in new if other not in waiting]
        return self.source.line_span(1)

    def references(self, offset: int) -> tuple[Span, ...]:
        """Find every place where the thing at a place is named, its declaration included.

        Args:
            offset: The place.
        """
        at = self._at(offset)
        return () if at is None else self.places_of(at.key)

    def rename(self, offset: int, new: str) -> tuple[Edit, ...]:
        """Give the thing at a place another name everywhere.

        The renamed texts are checked: a name that would bring a mistake is refused.

        Args:
            offset: The place.
            new: The new name.

        Returns:
            The edits, in this and other files.

        Raises:
            CannotRename: There is no name here, it is fixed, or the new name can't be used; the text says why.
        """
        edits = self.edits_of_rename(self.renamed_at(offset), new)
        self.refuse_mistakes(edits, new)
        return edits

    # -- names in all texts, for a workspace ------------------------------------------------------------------

    def occurrence(self, name: str, offset: int) -> Occurrence | None:
        """Find the name at a place of one of the texts; its own place is in a part of the text.

        Args:
            name: The name of the text.
            offset: The place.
        """
        source = next((each for each in self.sources if each.name == name), None)
        return None if source is None else self._index.at(*self._locate(offset, source))

    def places_of(self, key: Key, *, declared: bool = False) -> tuple[Span, ...]:
        """Find where a thing is named in the texts.

        Args:
            key: The thing.
            declared: Whether to find only its declarations.
        """
        found = self._index.declarations_of(key) if declared else self._index.by_key.get(key, ())
        return tuple(self._place(each.span) for each in found)

    def edits_of_rename(self, renamed: Occurrence, new: str, asked_in: str = "") -> tuple[Edit, ...]:
        """Find the edits that rename something in all texts; `refuse_mistakes` checks them.

        Args:
            renamed: The name to change.
            new: The new name.
            asked_in: The name of the text in which the author renames; by default that of this text.

        Raises:
            CannotRename: The name is fixed, or the new name can't be used.
        """
        found = edits_of_rename(self._index, renamed, new, asked_in)
        return tuple(evolve(each, span=self._place(each.span)) for each in found)

    def refuse_mistakes(self, edits: Iterable[Edit], new: str) -> None:
        """Check the texts with some edits made.

        Args:
            edits: The edits.
            new: The new name.

        Raises:
            CannotRename: There are errors that the texts did not have.
        """
        made = tuple(edits)
        texts = {each.name: edited(each, made) for each in self.sources}
        source = SourceFile(self.source.name, texts[self.source.name], self.source.path)
        after = _check(source, Opened(texts, self._finder.finder))
        refuse_new_errors(self.diagnostics, after.diagnostics, new)

    def renamed_at(self, offset: int) -> Occurrence:
        """The name that a rename at a place would change.

        Raises:
            CannotRename: There is none.
        """
        at = self._at(offset)
        if at is None:
            raise CannotRename("there is no name here that can be changed")
        return at._replace(span=self._place(at.span))

    # -- the text ---------------------------------------------------------------------------------------------

    def document_symbols(self) -> tuple[Outline, ...]:
        """The outline of the text."""
        return tuple(placed_outline(each, self._place) for each in outline_of(self._tree))

    def folding(self) -> tuple[Fold, ...]:
        """The lines that may be folded."""
        found: list[Fold] = []
        for part in self._parts:
            above = self.source.line_column(self._place(part.span(0, 0)).start)[0] - 1
            folds = self._version.kept("folds", (part,), partial(folds_of, part, self._index.trees.get(part, ())))
            found += (Fold(each.first + above, each.last + above, each.kind) for each in folds)
        return tuple(found)

    def selection_ranges(self, offset: int) -> tuple[Span, ...]:
        """The spans around a place, from the smallest to the whole text.

        Args:
            offset: The place.
        """
        part, inner = self._locate(offset)
        *found, _ = selections_at(part, self._index.trees.get(part, ()), inner)
        return (*map(self._place, found), self.source.span(0, len(self.source.text)))

    def semantic_tokens(self) -> tuple[TextToken, ...]:
        """The tokens of the text; each name has the kind of what it refers to, or ``name`` if that is not known.

        Blanks and marks are left out.
        """
        found: list[TextToken] = []
        for part in self._parts:
            names = self._index.occurrences.get(part, ())
            plain_tokens = self._version.kept("lexed", (part,), partial(lexed, part))
            inner = self._version.kept("tokens", (part, names), partial(coloured, plain_tokens, names))
            at = self._place(part.span(0, 0)).start
            found += (
                TextToken(Span(self.source, at + start, at + end), kind, declares)
                for start, end, kind, declares in inner
            )
        return tuple(found)

    def completion(self, offset: int) -> Completions:
        """The words and names that may follow at a place.

        Args:
            offset: The place; the word before it is the one to complete.
        """
        part, inner = self._locate(offset)
        checked, whole = self._checked, (self.source.text, offset)
        found = complete_in(checked.context, self._index, part, inner, whole, checked.draft, self._modules)
        return Completions(self._place(part.span(found.start, found.start)).start, found.items)

    def _modules(self) -> tuple[str, ...]:
        """The modules that the text can use."""
        beside = self._finder.names_beside(self.source)
        return tuple(each for each in (*beside, *library_names()) if each != PurePath(self.source.name).stem)

    def signature(self, offset: int) -> Signature | None:
        """Tell what is called, read, performed or given at a place, with its parameters.

        Args:
            offset: The place.

        Returns:
            The signature and the parameter at the place; ``None`` if nothing is called there.
        """
        ctx = self._checked.context
        if ctx is None:
            return None
        part, inner = self._locate(offset)
        return signature_in(ctx, self._checked.draft, part.text, inner)

    def formatting(self) -> tuple[Edit, ...]:
        """The edit that lays out the text; none if it is laid out, or has syntax errors."""
        text = format_source(self.source).text
        return () if text == self.source.text else (Edit(self.source.span(0, len(self.source.text)), text),)

    def formatting_on_type(self, offset: int) -> tuple[Edit, ...]:
        """The edit that puts a step number under the one above, when its point was typed at a place.

        Args:
            offset: The place after the point.
        """
        return step_margin(self.source, offset)

    def code_actions(self, start: int, end: int) -> tuple[Action, ...]:
        """The changes that an editor offers: those that remove diagnostics on its lines, additions and rewrites.

        Args:
            start: The first place.
            end: The place after the last one.
        """
        lines = self.source.span(self.source.text.rfind("\n", 0, start) + 1, self._end_of_line(end))
        fixes = actions_for(self.diagnostics, self._tree, lines, self._place)
        return (*fixes, *self._rewrites(start), *self._additions(start))

    def fix_all(self) -> tuple[Edit, ...]:
        """The fixes of all diagnostics that have one, in one change; none if together they would bring a new error."""
        edits: list[Edit] = []
        for each in self.diagnostics:
            new = () if each.fix is None else tuple(edit for edit in each.fix.edits if edit not in edits)
            if not any(overlap(edit.span, other.span) for edit in new for other in edits):
                edits += new
        own = tuple(each for each in edits if each.span.source is self.source)
        try:
            self.refuse_mistakes(own, "")
        except CannotRename:
            return ()
        return own

    def _end_of_line(self, offset: int) -> int:
        end = self.source.text.find("\n", offset)
        return len(self.source.text) if end < 0 else end

    def _declaration_at(self, offset: int) -> int | None:
        """The number of the declaration at a place."""
        spans = [self._place(each.span) for each in self._tree]
        return next((at for at, span in enumerate(spans) if span.start <= offset < span.end), None)

    def _rewrites(self, offset: int) -> Iterator[Action]:
        at = self._declaration_at(offset)
        tree = None if at is None else self._tree[at]
        if isinstance(tree, t.Chart):
            yield from filter(None, (tabs_to_bars(tree, self._place),))
        elif isinstance(tree, t.Example) and at is not None and not self.has_errors:
            found = examples_to_table(self._tree, at, self._place)
            if found is not None and self._keeps_examples(found.edits):
                yield found

    def _keeps_examples(self, edits: tuple[Edit, ...]) -> bool:
        """Whether the examples state the same after some edits."""
        source = SourceFile(self.source.name, edited(self.source, edits), self.source.path)
        before, after = self._checked.program, Analysis(source, self._finder.finder, self)._checked.program
        return before is not None and after is not None and stated_in_examples(before) == stated_in_examples(after)

    def _additions(self, offset: int) -> Iterator[Action]:
        """A new example, at the first line of a procedure or of an example; in a text without any, a first ruleset."""
        if not self._tree:
            yield from first_texts(self.source)
            return
        at, rules = self._declaration_at(offset), self._ruleset_in_parts
        tree = None if at is None else self._tree[at]
        if rules is None or not isinstance(tree, (t.Procedure, t.Example)):
            return
        subject, head = self.subject(offset), self._place(tree.span)
        if subject.procedure is None or "\n" in self.source.text[head.start : offset]:
            return
        text = new_example(rules, subject, self.source, Kept(self._finder.found))
        if text is not None:
            last = self._place(self._last_about(subject.procedure, tree).span)
            end = last.start + len(last.text.rstrip())
            edits = (Edit(self.source.span(end, end), f"\n\n{text}"),)
            yield Action(f"add an example of {subject.procedure}", edits, "", head, "refactor")

    def _last_about(self, procedure: str, tree: Declaration) -> Declaration:
        """The last example of a procedure; the declaration at the place if there is none."""
        examples = (
            each
            for each in reversed(self._tree)
            if isinstance(each, t.Example) and each.procedure is not None and each.procedure.name == procedure
        )
        return next(examples, tree)

    def inlay_hints(self, start: int, end: int) -> tuple[Hint, ...]:
        """What to show within the lines of charts: the range of an axis, and the chance of each row of dice.

        Args:
            start: The first place.
            end: The place after the last one.
        """
        ctx, draft = self._checked.context, self._checked.draft
        if ctx is None or draft is None:
            return ()
        return tuple(hints_of(ctx, draft, self._tree, self.source.span(start, end), self._place))

    def code_lenses(self) -> tuple[Lens, ...]:
        """The commands above examples and procedures."""
        return tuple(lenses_of(self._tree, self._place, plays=self._checked.program is not None))

    def subject(self, offset: int) -> Subject:
        """Tell which chart, which procedure and which example a place is about.

        Args:
            offset: The place.
        """
        return subject_at(self._tree, self._checked.program, offset, self._place)

    def subject_of(self, procedure: str) -> Subject:
        """A procedure, with the facts of the first example that plays it to its end.

        Args:
            procedure: Its name.
        """
        return subject_of(self._checked.program, procedure)

    @property
    def has_errors(self) -> bool:
        """Whether an error prevents plays."""
        return any(each.severity is Severity.ERROR for each in self.diagnostics)


@door
def analyse(
    text: Text,
    *,
    name: str = "<text>",
    path: str | PathLike[str] | None = None,
    files: Mapping[str, Text] | None = None,
    opened: Mapping[str, Text] | None = None,
    before: Analysis | None = None,
) -> Analysis:
    """Analyse a text for an editor.

    Args:
        text: The text of a rules file.
        name: Its name in messages.
        path: Its path; then it may use the files beside it. Without one, no file is opened but those that come with
            Enfilade.
        files: Texts in memory by file name, as in ``load``: they are found before all others.
        opened: The texts of files that are open in an editor, by path: they replace what is on disk.
        before: The analysis of an earlier version of the text: what has not changed since then is taken over.

    Returns:
        The analysis.

    Examples:
        >>> found = analyse('facts\\n  night  yes/no  "night turn" [1.2]\\ndefine dark = night\\n')
        >>> found.hover(56).markdown
        '**fact** `night`: `yes/no`\\n\\nnight turn [1.2]'
    """
    where = None if path is None else Path(path)
    source = SourceFile(name if where is None else str(where), text.removeprefix("\ufeff"), where)
    finder: Finder = Folders()
    if files is not None:
        finder = Texts(files, finder)
    return Analysis(source, finder if not opened else Opened(opened, finder), before)


def _check(source: SourceFile, finder: Finder, version: Version | None = None) -> Checked:
    try:
        return check_source(source, finder, version)
    except SourceError as wrong:
        return Checked(None, (as_diagnostic(wrong),), (source,))
