"""The language server as a process: a client opens, changes and asks, as an editor does."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

import enfilade

ROOT: Final = Path(__file__).resolve().parents[2]
TEXT: Final = """\
facts
  night   yes/no  "night turn" [1.2]
  weather one of dry, mud = dry

define dark = night or weather is mud

procedure walk "Walk ♞𝄞"
  1. let far = 3 when dark otherwise 6
  2. give result = far

example walk "in the 𝄞 mud"
  given weather mud
  expect result is 3
"""


class Client:
    """A client of one server: it sends messages and waits for the answers, keeping the notifications."""

    def __init__(self, folder: Path, *, has_workspace: bool = True) -> None:
        command = [sys.executable, "-m", "enfilade", "lsp"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder)
        self.folder = folder
        self.number = 0
        self.told: list[dict[str, Any]] = []
        self.versions: dict[str, int] = {}
        uri = folder.as_uri()
        self.capabilities = self.ask(
            "initialize", processId=None, rootUri=uri if has_workspace else None, capabilities={},
            workspaceFolders=[{"uri": uri, "name": "rules"}] if has_workspace else None,
        )["capabilities"]  # fmt: skip
        self.tell("initialized")

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        stream = self.process.stdout
        assert stream is not None
        length = 0
        while (line := stream.readline().strip()) or not length:
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        message: dict[str, Any] = json.loads(stream.read(length))
        return message

    def tell(self, name: str, **params: Any) -> None:
        self._send({"method": name, "params": params})

    def answer(self, name: str, **params: Any) -> dict[str, Any]:
        self.number += 1
        self._send({"id": self.number, "method": name, "params": params})
        while (message := self._receive()).get("id") != self.number or "method" in message:
            self.told.append(message)
        return message

    def ask(self, name: str, **params: Any) -> Any:
        message = self.answer(name, **params)
        assert "error" not in message, message
        return message["result"]

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, text: str, name: str = "game.rules") -> list[dict[str, Any]]:
        uri = self.uri(name)
        self.versions[uri] = 1
        document = {"uri": uri, "languageId": "enfilade", "version": 1, "text": text}
        self.tell("textDocument/didOpen", textDocument=document)
        return self.diagnostics(uri)

    def change(self, changes: list[dict[str, Any]], name: str = "game.rules") -> None:
        uri = self.uri(name)
        self.versions[uri] += 1
        document = {"uri": uri, "version": self.versions[uri]}
        self.tell("textDocument/didChange", textDocument=document, contentChanges=changes)

    def diagnostics(self, uri: str) -> list[dict[str, Any]]:
        """The diagnostics of the newest version, waiting for them."""
        while True:
            for message in self.told:
                params = message.get("params", {})
                is_it = message.get("method") == "textDocument/publishDiagnostics" and params["uri"] == uri
                if is_it and params.get("version") == self.versions[uri]:
                    self.told.remove(message)
                    return list(params["diagnostics"])
            self.told.append(self._receive())

    def at(self, word: str, text: str = TEXT, name: str = "game.rules") -> dict[str, Any]:
        return {"textDocument": {"uri": self.uri(name)}, "position": position(text, text.index(word))}

    def close(self) -> None:
        with self.process:
            self.ask("shutdown")
            self.tell("exit")
            code = self.process.wait(10)
        assert code == 0


def position(text: str, offset: int) -> dict[str, int]:
    before = text[:offset]
    line = before.rpartition("\n")[2]
    return {"line": before.count("\n"), "character": len(line.encode("utf-16-le")) // 2}


def offset(text: str, place: dict[str, int]) -> int:
    lines = text.split("\n")
    line = lines[place["line"]].encode("utf-16-le")[: 2 * place["character"]].decode("utf-16-le")
    return sum(len(each) + 1 for each in lines[: place["line"]]) + len(line)


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    for edit in sorted(edits, key=lambda each: offset(text, each["range"]["start"]), reverse=True):
        start, end = (offset(text, edit["range"][side]) for side in ("start", "end"))
        text = text[:start] + edit["newText"] + text[end:]
    return text


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    made = Client(tmp_path)
    yield made
    made.close()


def test_the_server_says_what_it_can_do(client: Client) -> None:
    offered = {name for name, value in client.capabilities.items() if value}
    assert {
        "hoverProvider", "completionProvider", "definitionProvider", "referencesProvider", "renameProvider",
        "documentSymbolProvider", "workspaceSymbolProvider", "foldingRangeProvider", "selectionRangeProvider",
        "semanticTokensProvider", "documentFormattingProvider", "codeActionProvider", "codeLensProvider",
        "documentHighlightProvider", "signatureHelpProvider", "inlayHintProvider", "executeCommandProvider", "textDocumentSync",
    } <= offered  # fmt: skip


def test_mistakes_are_told_when_a_text_is_opened_and_changed(client: Client) -> None:
    assert client.open(TEXT) == []
    text = TEXT.replace("= night", "= nihgt")
    client.change([{"text": text}])
    (found,) = client.diagnostics(client.uri("game.rules"))
    assert (found["code"], found["range"]["start"]) == ("unknown-name", position(text, text.index("nihgt")))
    client.change([{"text": TEXT}])
    assert client.diagnostics(client.uri("game.rules")) == []


def test_a_fix_is_offered_and_mends_the_text(client: Client) -> None:
    text = TEXT.replace("= night", "= nihgt")
    (found,) = client.open(text)
    document = {"uri": client.uri("game.rules")}
    (action,) = client.ask(
        "textDocument/codeAction", textDocument=document, range=found["range"], context={"diagnostics": [found]}
    )
    assert action["title"] == "replace `nihgt` by `night`"
    assert applied(text, action["edit"]["changes"][document["uri"]]) == TEXT


def test_actions_have_their_kinds_and_an_editor_can_ask_for_some(client: Client) -> None:
    client.open(TEXT)
    start = position(TEXT, TEXT.index("example walk"))
    asked = {"textDocument": {"uri": client.uri("game.rules")}, "range": {"start": start, "end": start}}
    for only, titles in (
        (None, ["add an example of walk"]),
        (["refactor"], ["add an example of walk"]),
        (["quickfix"], []),
    ):
        context: dict[str, Any] = {"diagnostics": []} | ({} if only is None else {"only": only})
        found = client.ask("textDocument/codeAction", **asked, context=context)
        assert [(each["title"], each["kind"], each["isPreferred"]) for each in found] == [
            (title, "refactor", False) for title in titles
        ]
    kinds = client.capabilities["codeActionProvider"]["codeActionKinds"]
    assert kinds == ["quickfix", "refactor", "refactor.rewrite"]


def test_a_name_is_explained_found_and_renamed(client: Client) -> None:
    client.open(TEXT)
    told = client.ask("textDocument/hover", **client.at("night or"))
    assert told["contents"]["value"] == "**fact** `night`: `yes/no`\n\nnight turn [1.2]"
    (place,) = client.ask("textDocument/definition", **client.at("night or"))
    assert place["range"]["start"] == position(TEXT, TEXT.index("night"))
    used = client.ask("textDocument/references", **client.at("far"), context={"includeDeclaration": True})
    assert len(used) == 2
    used = client.ask("textDocument/references", **client.at("far"), context={"includeDeclaration": False})
    assert len(used) == 1
    assert len(client.ask("textDocument/documentHighlight", **client.at("far"))) == 2
    edit = client.ask("textDocument/rename", **client.at("far"), newName="distance")
    assert applied(TEXT, edit["changes"][client.uri("game.rules")]) == TEXT.replace("far", "distance")


def test_a_rename_that_is_refused_says_why(client: Client) -> None:
    client.open(TEXT)
    answer = client.answer("textDocument/rename", **client.at("far"), newName="night")
    assert "in use" in answer["error"]["message"]


def test_positions_count_units_of_utf_16(client: Client) -> None:
    text = TEXT + 'define odd = "𝄞𝄞" is night2\n'
    (*_, found) = client.open(text)
    assert found["range"]["start"] == position(text, text.index("night2"))


def test_words_are_completed(client: Client) -> None:
    text = TEXT + "define cold = weather is \n"
    client.open(text)
    asked = {"textDocument": {"uri": client.uri("game.rules")}, "position": position(text, len(text) - 1)}
    found = client.ask("textDocument/completion", **asked)
    assert [each["label"] for each in found["items"]][:2] == ["dry", "mud"]


def test_a_call_shows_its_parameters(client: Client) -> None:
    text = TEXT + "procedure both\n  1. call walk with night yes, weather \n"
    client.open(text)
    asked = {"textDocument": {"uri": client.uri("game.rules")}, "position": position(text, len(text) - 1)}
    told = client.ask("textDocument/signatureHelp", **asked)
    (found,) = told["signatures"]
    assert found["label"] == "call walk with night yes/no, weather one of dry or mud = dry"
    assert found["documentation"] == "Walk ♞𝄞"
    start, end = found["parameters"][told["activeParameter"]]["label"]
    assert found["label"][start:end] == "weather one of dry or mud = dry"
    assert client.ask("textDocument/signatureHelp", **client.at("night or")) is None


def test_rows_of_dice_have_their_chance_within_the_text(client: Client) -> None:
    text = "facts\n  far 1..3\n\nchart table\n  down 1d6\n  across far\n\n  | R | 1-3 |\n  | 1-2 | - |\n  | 3-6 | X |\n"
    client.open(text)
    whole = {"start": {"line": 0, "character": 0}, "end": position(text, len(text))}
    hints = client.ask("textDocument/inlayHint", textDocument={"uri": client.uri("game.rules")}, range=whole)
    assert [(each["position"]["line"], each["label"]) for each in hints] == [
        (5, ": 1..3"), (8, "2/6  33.33 %"), (9, "4/6  66.67 %"),
    ]  # fmt: skip


def test_the_text_is_outlined_folded_selected_coloured_and_laid_out(client: Client) -> None:
    client.open(TEXT.replace("  night   yes", "  night yes"))
    document = {"textDocument": {"uri": client.uri("game.rules")}}
    symbols = client.ask("textDocument/documentSymbol", **document)
    assert [each["name"] for each in symbols] == ["facts", "dark", "walk", "in the 𝄞 mud"]
    assert [each["name"] for each in symbols[0]["children"]] == ["night", "weather"]
    assert {"startLine": 6, "endLine": 8, "kind": "region"} in client.ask("textDocument/foldingRange", **document)
    (selected,) = client.ask("textDocument/selectionRange", **document, positions=[{"line": 4, "character": 8}])
    assert selected["parent"]
    assert len(client.ask("textDocument/semanticTokens/full", **document)["data"]) % 5 == 0
    edits = client.ask("textDocument/formatting", **document, options={"tabSize": 2, "insertSpaces": True})
    assert "  night    yes/no" in edits[0]["newText"]
    (found,) = client.ask("workspace/symbol", query="dar")
    assert found["name"] == "dark"


def test_a_step_number_moves_while_it_is_typed(client: Client) -> None:
    client.open("procedure fire\n  1. roll d6 as shot\n     2.\n")
    document = {"textDocument": {"uri": client.uri("game.rules")}, "options": {"tabSize": 2, "insertSpaces": True}}
    edits = client.ask("textDocument/onTypeFormatting", **document, position={"line": 2, "character": 7}, ch=".")
    assert [(each["newText"], each["range"]["end"]) for each in edits] == [("  ", {"line": 2, "character": 5})]


def test_examples_run_from_the_editor(client: Client) -> None:
    client.open(TEXT)
    lenses = client.ask("textDocument/codeLens", textDocument={"uri": client.uri("game.rules")})
    command = next(each["command"] for each in lenses if each["command"]["title"] == "Run example")
    told = client.ask("workspace/executeCommand", command=command["command"], arguments=command["arguments"])
    assert told == "in the 𝄞 mud: passed"


def test_a_module_is_read_from_the_open_text_first(client: Client) -> None:
    (client.folder / "weather.rules").write_text("facts\n  fog  yes/no\n", encoding="utf-8")
    main = "use weather\ndefine slow = mud\n"
    (found,) = client.open(main, "main.rules")
    assert found["code"] == "unknown-name"
    client.open("facts\n  mud  yes/no\n", "weather.rules")
    client.told = [each for each in client.told if "diagnostics" not in each.get("params", {})]
    client.change([{"text": main + "\n"}], "main.rules")
    assert client.diagnostics(client.uri("main.rules")) == []
    (place,) = client.ask("textDocument/definition", **client.at("mud", main, "main.rules"))
    assert place["uri"] == client.uri("weather.rules")
    edit = client.ask("textDocument/rename", **client.at("mud", main, "main.rules"), newName="sleet")
    assert edit["changes"].keys() == {client.uri("main.rules"), client.uri("weather.rules")}


def test_a_rename_reaches_the_closed_files_that_use_the_module(client: Client) -> None:
    module, main = "facts\n  mud  yes/no\n", "use weather\ndefine slow = mud\n"
    hidden = client.folder / ".old"
    hidden.mkdir()
    for folder in (client.folder, hidden):
        (folder / "main.rules").write_text(main, encoding="utf-8")
    (hidden / "weather.rules").write_text(module, encoding="utf-8")
    (client.folder / "broken.rules").write_bytes(b"use weather\n\xff\xfe")
    (client.folder / "weather.rules").write_text("facts\n", encoding="utf-8")
    client.open(module, "weather.rules")
    asked = client.at("mud", module, "weather.rules")
    edit = client.ask("textDocument/rename", **asked, newName="sleet")
    changes = edit["changes"]
    assert changes.keys() == {client.uri("weather.rules"), client.uri("main.rules")}
    assert applied(main, changes[client.uri("main.rules")]) == main.replace("mud", "sleet")
    used = client.ask("textDocument/references", **asked, context={"includeDeclaration": False})
    assert [each["uri"] for each in used] == [client.uri("main.rules")]
    client.open(main.replace("slow", "very_slow"), "main.rules")
    edit = client.ask("textDocument/rename", **asked, newName="sleet")
    (change,) = edit["changes"][client.uri("main.rules")]
    assert change["range"]["start"] == {"line": 1, "character": len("define very_slow = ")}
    told = client.answer("textDocument/rename", **asked, newName="very_slow")
    assert "in use" in told["error"]["message"]


def test_without_a_workspace_a_rename_reaches_the_files_beside_the_text(tmp_path: Path) -> None:
    client = Client(tmp_path, has_workspace=False)
    (tmp_path / "main.rules").write_text("use weather\ndefine slow = mud\n", encoding="utf-8")
    module = "facts\n  mud  yes/no\n"
    (tmp_path / "weather.rules").write_text(module, encoding="utf-8")
    client.open(module, "weather.rules")
    edit = client.ask("textDocument/rename", **client.at("mud", module, "weather.rules"), newName="sleet")
    assert edit["changes"].keys() == {client.uri("weather.rules"), client.uri("main.rules")}
    client.close()


def test_random_edits_end_in_the_diagnostics_of_a_fresh_check(client: Client) -> None:
    chance = random.Random(16)
    text = TEXT
    client.open(text)
    pieces = ("", "x", " ", "\n", "night", "|", '"', "\n  1. roll 2d6 as r\n", "𝄞", "-- ")
    for _ in range(200):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice((0, 0, 1, 7)))
        piece = chance.choice(pieces)
        places = {"start": position(text, start), "end": position(text, end)}
        client.change([{"range": places, "text": piece}])
        text = text[:start] + piece + text[end:]
    told = client.diagnostics(client.uri("game.rules"))
    fresh = enfilade.check(text)
    assert [each["code"] for each in told] == [each.code for each in fresh]
    assert [each["range"]["start"] for each in told] == [position(text, each.span.start) for each in fresh]


@pytest.mark.parametrize("path", sorted(ROOT.glob("rulesets/*/*.rules")), ids=lambda path: path.stem)
def test_shipped_files_are_served(client: Client, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    client.open(text, str(path))
    client.folder = path.parent
    document = {"textDocument": {"uri": path.as_uri()}}
    assert client.ask("textDocument/documentSymbol", **document)
    assert client.ask("textDocument/foldingRange", **document)
    assert client.ask("textDocument/semanticTokens/full", **document)["data"]
    assert client.ask("textDocument/formatting", **document, options={"tabSize": 2, "insertSpaces": True}) is not None
    chance = random.Random(1)
    for _ in range(10):
        asked = {**document, "position": position(text, chance.randrange(len(text)))}
        for name in ("hover", "definition", "completion", "signatureHelp"):
            client.ask(f"textDocument/{name}", **asked)


def test_a_card_follows_the_cursor(client: Client) -> None:
    text = (ROOT / "rulesets/infantry_attacks/infantry_attacks.rules").read_text(encoding="utf-8")
    client.open(text)
    in_chart = client.ask("enfilade/card", **client.at("\nchart direct_fire_table", text))
    assert in_chart["chart"] is None
    below = {**client.at("chart direct_fire_table", text)}
    told = client.ask("enfilade/card", **below)
    assert told["chart"] == "direct_fire_table"
    assert told["html"].startswith("<!DOCTYPE html>")


def test_a_card_of_a_text_with_errors_is_not_told(client: Client) -> None:
    client.open(TEXT.replace("= dry", "= dust"))
    assert client.ask("enfilade/card", **client.at("night")) is None
    assert client.ask("enfilade/examples", textDocument={"uri": client.uri("game.rules")}) is None
    assert client.ask("enfilade/oddsHere", **client.at("night")) == "Correct the errors first."


def test_the_results_of_examples_have_their_lines(client: Client) -> None:
    wrong = TEXT.replace("result is 3", "result is 4")
    client.open(wrong)
    (told,) = client.ask("enfilade/examples", textDocument={"uri": client.uri("game.rules")})
    line = wrong[: wrong.index("example walk")].count("\n")
    assert (told["line"], told["label"], told["passed"]) == (line, "in the 𝄞 mud", False)
    assert [each["line"] for each in told["failures"]] == [line + 2]


@pytest.mark.parametrize(
    ("word", "start"), [("example walk", "walk as in"), ("procedure walk", "walk as in"), ("night", "Put")]
)
def test_odds_here_are_those_of_the_example_or_the_procedure(client: Client, word: str, start: str) -> None:
    client.open(TEXT)
    assert client.ask("enfilade/oddsHere", **client.at(word)).startswith(start)
