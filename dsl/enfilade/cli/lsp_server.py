"""The language server: pygls receives requests, `enfilade.editor` answers them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from lsprotocol import types as lsp
from pygls import uris
from pygls.exceptions import JsonRpcInternalError, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from enfilade import __version__
from enfilade.cli import lsp_protocol as protocol
from enfilade.cli.lsp_files import rules_files
from enfilade.cli.lsp_typing import Shown, moved, while_typing
from enfilade.cli.lsp_worker import Failed, Question, Worker
from enfilade.editor import Analysis, CannotRename, Workspace, analyse, users_of
from enfilade.files import SUFFIX

# Diagnostics are told when nobody has typed for so long; those that a half-typed word may bring, after the longer pause.
_PAUSE: Final = 0.1
_LONG_PAUSE: Final = 0.7
_RUN: Final = "enfilade.runExample"
_ODDS: Final = "enfilade.odds"
# Requests of our own, for what the protocol has no word for; `docs/editors.md` describes them.
_CARD: Final = "enfilade/card"
_EXAMPLES: Final = "enfilade/examples"
_ODDS_HERE: Final = "enfilade/oddsHere"
# What each worker answers.
_BESIDE: Final = (("examples", "card"), ("odds", "odds here", "run example"))
_ERRORS: Final = "Correct the errors first."


class RulesServer(LanguageServer):
    """A language server that keeps the analyses of the open texts.

    Attributes:
        own_views: Whether the editor shows the answers to commands itself (initialization option ``ownViews``).
        watches: Whether the editor can tell of files that change on disk.
    """

    def __init__(self) -> None:
        """Make a server without texts."""
        super().__init__("enfilade", __version__)
        self._kept: dict[str, tuple[Any, Analysis]] = {}
        self.own_views = False
        self.watches = False
        self._files_changed = 0
        self._shown: dict[str, Shown] = {}
        self._failed: dict[str, Shown] = {}
        # Odds that somebody waits for are not behind the examples, which run by themselves.
        self._workers = {job: worker for jobs in _BESIDE for worker in (Worker(),) for job in jobs}
        self._asked: dict[tuple[str, str], asyncio.Task[Any]] = {}

    def analysis(self, uri: str) -> Analysis:
        """The analysis of a text as it is now; texts that are open replace those on disk."""
        documents = self.workspace.text_documents
        state = self._files_changed, {each: document.version for each, document in documents.items()}
        kept = self._kept.get(uri)
        if kept is not None and kept[0] == state:
            return kept[1]
        text = self.workspace.get_text_document(uri).source
        found = analyse(text, name=uri, path=path_of(uri), opened=self._opened(), before=kept and kept[1])
        self._kept[uri] = (state, found)
        return found

    def _opened(self) -> dict[str, str]:
        """The texts of the open files by path."""
        found = ((path_of(uri), document) for uri, document in self.workspace.text_documents.items())
        return {str(path): document.source for path, document in found if path is not None}

    def around(self, uri: str, offset: int) -> Workspace:
        """A text, with those of the workspace that may name the thing at a place of it."""
        asked = self.analysis(uri)
        opened = self._opened()
        files = Workspace(asked).files(offset)
        texts = rules_files(self._folders(asked), opened) if files else {}
        users = (each for each in users_of(files, texts) if each != asked.source.name)
        return Workspace(asked, tuple(analyse(texts[each], path=each, opened=opened) for each in users))

    def _folders(self, asked: Analysis) -> list[Path]:
        """The folders that the editor has open; for an editor without any, the folder of the text."""
        found = [path for path in map(path_of, self.workspace.folders) if path is not None]
        if not found and self.workspace.root_path:
            found = [Path(self.workspace.root_path)]
        return found or ([] if asked.source.path is None else [asked.source.path.parent])

    async def examples(self, uri: str) -> Any:
        """How the examples of a text went; failures are told as diagnostics too, until the examples run again."""
        found, version = self.analysis(uri), self.workspace.get_text_document(uri).version
        results = await self.beside("examples", uri)
        if results is not None:
            self._failed[uri] = Shown(found.source, tuple(protocol.failures_of(results, found.source)))
            document = self.workspace.text_documents.get(uri)
            if document is not None and document.version == version:
                self.publish()
        return results

    def read_files_again(self) -> None:
        """Check every open text again: a file that it uses may have changed on disk."""
        self._files_changed += 1
        self.publish()

    async def beside(self, job: str, uri: str, argument: Any = None) -> Any:
        """Answer a question beside the server, and end an earlier one of its kind; ``None`` if the text has errors."""
        found, document = self.analysis(uri), self.workspace.get_text_document(uri)
        if found.has_errors:
            return None
        path = path_of(uri)
        question = Question(job, document.source, uri, None if path is None else str(path), self._opened(), argument)
        task = asyncio.current_task()
        assert task is not None
        earlier = self._asked.pop((job, uri), None)
        if earlier is not None:
            earlier.cancel()
        self._asked[job, uri] = task
        try:
            return await self._workers[job].ask(question)
        except Failed as wrong:
            raise JsonRpcInternalError(str(wrong)) from wrong
        finally:
            if self._asked.get((job, uri)) is task:
                del self._asked[job, uri]

    def end_workers(self) -> None:
        """End the processes beside the server."""
        for each in self._workers.values():
            each.end()

    def forget(self, uri: str) -> None:
        """Drop the analysis of a text that was closed, and its diagnostics."""
        self._kept.pop(uri, None)
        self._shown.pop(uri, None)
        self._failed.pop(uri, None)
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def publish(self, typed: tuple[str, int] | None = None) -> None:
        """Tell the diagnostics of every open text: one of them may use the text that was changed.

        Args:
            typed: The text and the line, from 1, that somebody is typing; ``None`` after a pause.
        """
        for uri, document in list(self.workspace.text_documents.items()):
            found = self.analysis(uri)
            shown = self._shown.get(uri)
            told = found.diagnostics
            if typed is not None and typed[0] == uri and shown is not None:
                told = while_typing(found, shown, typed[1])
            self._shown[uri] = Shown(found.source, told)
            if uri in self._failed:
                told = (*told, *moved(self._failed[uri], found.source))
            published = protocol.diagnostics_of(found, told)
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, published, document.version))


def path_of(uri: str) -> Path | None:
    """The file behind an address, if it is one."""
    path = uris.to_fs_path(uri) if uri.startswith("file:") else None
    return None if path is None else Path(path)


def server() -> RulesServer:
    """Make a server with all its features."""
    made = RulesServer()
    _add_documents(made)
    _add_names(made)
    _add_text(made)
    _add_commands(made)
    _add_views(made)
    return made


def _add_documents(made: RulesServer) -> None:
    @made.feature(lsp.INITIALIZE)
    def initialize(ls: RulesServer, params: lsp.InitializeParams) -> None:
        workspace = params.capabilities.workspace
        files = None if workspace is None else workspace.did_change_watched_files
        ls.watches = bool(files and files.dynamic_registration)
        options: Any = params.initialization_options
        ls.own_views = bool(options and (options.get("ownViews") if isinstance(options, dict) else options.ownViews))

    @made.feature(lsp.INITIALIZED)
    def initialized(ls: RulesServer, params: lsp.InitializedParams) -> None:
        del params
        if ls.watches:
            options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher(f"**/*{SUFFIX}")])
            watch = lsp.Registration("rules", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            ls.client_register_capability(lsp.RegistrationParams([watch]))

    @made.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_files(ls: RulesServer, params: lsp.DidChangeWatchedFilesParams) -> None:
        del params
        ls.read_files_again()

    @made.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def did_open(ls: RulesServer, params: lsp.DidOpenTextDocumentParams) -> None:
        del params
        ls.publish()

    @made.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def did_change(ls: RulesServer, params: lsp.DidChangeTextDocumentParams) -> None:
        uri, version = params.text_document.uri, params.text_document.version

        def is_newest() -> bool:
            document = ls.workspace.text_documents.get(uri)
            return document is not None and document.version == version

        await asyncio.sleep(_PAUSE)
        line = _line_typed(params.content_changes)
        if line is not None and is_newest():
            ls.publish((uri, line))
            await asyncio.sleep(_LONG_PAUSE - _PAUSE)
        if is_newest():
            ls.publish()

    @made.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def did_save(ls: RulesServer, params: lsp.DidSaveTextDocumentParams) -> None:
        del params
        ls.publish()

    @made.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(ls: RulesServer, params: lsp.DidCloseTextDocumentParams) -> None:
        ls.forget(params.text_document.uri)


def _line_typed(changes: Sequence[lsp.TextDocumentContentChangeEvent]) -> int | None:
    """The line, from 1, in which the last change ends; ``None`` if the whole text was replaced."""
    change = changes[-1] if changes else None
    if not isinstance(change, lsp.TextDocumentContentChangePartial):
        return None
    return change.range.start.line + change.text.count("\n") + 1


def _at(ls: RulesServer, params: Any) -> tuple[Analysis, int]:
    # Parameters of our own requests have the names of the protocol.
    document = params.text_document if hasattr(params, "text_document") else params.textDocument
    found = ls.analysis(document.uri)
    return found, protocol.offset_of(found.source, params.position)


def _around(ls: RulesServer, params: Any) -> tuple[Workspace, int]:
    _, offset = _at(ls, params)
    return ls.around(params.text_document.uri, offset), offset


def _add_names(made: RulesServer) -> None:
    @made.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(ls: RulesServer, params: lsp.HoverParams) -> lsp.Hover | None:
        found, offset = _at(ls, params)
        told = found.hover(offset)
        return None if told is None else protocol.hover_of(told)

    @made.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(ls: RulesServer, params: lsp.DefinitionParams) -> list[lsp.Location]:
        found, offset = _around(ls, params)
        return [protocol.location_of(span) for span in found.definition(offset)]

    @made.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def references(ls: RulesServer, params: lsp.ReferenceParams) -> list[lsp.Location]:
        found, offset = _around(ls, params)
        left_out = () if params.context.include_declaration else found.definition(offset)
        return [protocol.location_of(span) for span in found.references(offset) if span not in left_out]

    @made.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlight(ls: RulesServer, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        found, offset = _at(ls, params)
        own = (span for span in found.references(offset) if span.source is found.source)
        return [lsp.DocumentHighlight(protocol.range_of(span)) for span in own]

    @made.feature(lsp.TEXT_DOCUMENT_RENAME)
    def rename(ls: RulesServer, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        found, offset = _around(ls, params)
        try:
            return protocol.edit_of(found.rename(offset, params.new_name))
        except CannotRename as wrong:
            raise JsonRpcInvalidParams(str(wrong)) from wrong

    @made.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[".", "[", " "]))
    def completion(ls: RulesServer, params: lsp.CompletionParams) -> lsp.CompletionList:
        found, offset = _at(ls, params)
        told = found.completion(offset)
        replaced = protocol.range_of(found.source.span(told.start, offset))
        items = [protocol.item_of(item, number, replaced) for number, item in enumerate(told.items)]
        # The editor asks again after each letter: a word that is typed in full is not offered.
        return lsp.CompletionList(True, items)

    @made.feature(
        lsp.TEXT_DOCUMENT_SIGNATURE_HELP,
        lsp.SignatureHelpOptions(trigger_characters=["(", ",", " "], retrigger_characters=[")"]),
    )
    def signature(ls: RulesServer, params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        found, offset = _at(ls, params)
        told = found.signature(offset)
        return None if told is None else protocol.signature_of(told)


def _add_text(made: RulesServer) -> None:
    @made.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(ls: RulesServer, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        return [protocol.symbol_of(each) for each in ls.analysis(params.text_document.uri).document_symbols()]

    @made.feature(lsp.WORKSPACE_SYMBOL)
    def workspace(ls: RulesServer, params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        opened = (ls.analysis(uri) for uri in list(ls.workspace.text_documents))
        return [each for found in opened for each in protocol.workspace_symbols(found, params.query)]

    @made.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding(ls: RulesServer, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        return [protocol.fold_of(each) for each in ls.analysis(params.text_document.uri).folding()]

    @made.feature(lsp.TEXT_DOCUMENT_SELECTION_RANGE)
    def selection(ls: RulesServer, params: lsp.SelectionRangeParams) -> list[lsp.SelectionRange]:
        found = ls.analysis(params.text_document.uri)
        offsets = (protocol.offset_of(found.source, each) for each in params.positions)
        return [protocol.selection_of(found.selection_ranges(offset)) for offset in offsets]

    @made.feature(
        lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, lsp.SemanticTokensLegend(list(protocol.TOKENS), ["declaration"])
    )
    def tokens(ls: RulesServer, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        return lsp.SemanticTokens(protocol.tokens_of(ls.analysis(params.text_document.uri)))

    @made.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    def hints(ls: RulesServer, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        found = ls.analysis(params.text_document.uri)
        start, end = (protocol.offset_of(found.source, each) for each in (params.range.start, params.range.end))
        return [protocol.hint_of(each) for each in found.inlay_hints(start, end)]

    @made.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def formatting(ls: RulesServer, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        return protocol.text_edits(ls.analysis(params.text_document.uri).formatting())

    @made.feature(lsp.TEXT_DOCUMENT_ON_TYPE_FORMATTING, lsp.DocumentOnTypeFormattingOptions("."))
    def on_type(ls: RulesServer, params: lsp.DocumentOnTypeFormattingParams) -> list[lsp.TextEdit]:
        found, offset = _at(ls, params)
        return protocol.text_edits(found.formatting_on_type(offset))

    kinds = (
        lsp.CodeActionKind.QuickFix,
        lsp.CodeActionKind.Refactor,
        lsp.CodeActionKind.RefactorRewrite,
        lsp.CodeActionKind.SourceFixAll,
    )

    @made.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(kinds))
    def actions(ls: RulesServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        found = ls.analysis(params.text_document.uri)
        start, end = (protocol.offset_of(found.source, each) for each in (params.range.start, params.range.end))
        actions = [protocol.action_of(each) for each in found.code_actions(start, end)]
        # A change of the whole text is only for those who ask for it, such as an editor that fixes when it saves.
        if params.context.only and (edits := found.fix_all()):
            kind = lsp.CodeActionKind.SourceFixAll
            actions.append(lsp.CodeAction("Fix everything that has a fix", kind, edit=protocol.edit_of(edits)))
        return [each for each in actions if protocol.is_wanted(each, params.context.only)]


def _add_commands(made: RulesServer) -> None:
    @made.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    def lenses(ls: RulesServer, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        uri = params.text_document.uri
        found = ls.analysis(uri).code_lenses()
        commands = {"run-example": _RUN, "odds": _ODDS}
        return [
            lsp.CodeLens(
                protocol.range_of(each.span),
                lsp.Command(each.title, commands[each.command], arguments=[uri, each.argument]),
            )
            for each in found
        ]

    @made.command(_RUN)
    async def run_example(ls: RulesServer, uri: str, line: int) -> str:
        return _tell(ls, await ls.beside("run example", uri, int(line)) or _ERRORS)

    @made.command(_ODDS)
    async def odds(ls: RulesServer, uri: str, procedure: str) -> str:
        return _tell(ls, await ls.beside("odds", uri, procedure) or _ERRORS)


def _add_views(made: RulesServer) -> None:
    @made.feature(_CARD)
    async def card(ls: RulesServer, params: Any) -> Any:
        _, offset = _at(ls, params)
        return await ls.beside("card", params.textDocument.uri, offset)

    @made.feature(_EXAMPLES)
    async def examples(ls: RulesServer, params: Any) -> Any:
        return await ls.examples(params.textDocument.uri)

    @made.feature(_ODDS_HERE)
    async def odds_here(ls: RulesServer, params: Any) -> str:
        _, offset = _at(ls, params)
        return await ls.beside("odds here", params.textDocument.uri, offset) or _ERRORS

    @made.feature(lsp.SHUTDOWN)
    def shutdown(ls: RulesServer, _: None) -> None:
        ls.end_workers()


def _tell(ls: RulesServer, text: str) -> str:
    """Show the answer to a command, unless the editor's extension shows it (option ``ownViews``)."""
    if not ls.own_views:
        ls.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Info, text))
    return text
