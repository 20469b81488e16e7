"""The language server as a process: a client opens, changes and asks, as an editor does."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from tests.editor.rules import ROOT, of_file

pytest.importorskip("pygls")
from enfilade.cli.lsp_worker import odds_of_procedure

pytestmark = pytest.mark.thorough

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
GAME: Final = "game.rules"


class Client:
    """A client of one server: it sends messages and waits for the answers, keeping the notifications."""

    def __init__(self, folder: Path, *, has_workspace: bool = True, capabilities: Any = None) -> None:
        command = [sys.executable, "-m", "enfilade", "lsp"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder)
        self.folder = folder
        self.number = 0
        self.told: list[dict[str, Any]] = []
        self.versions: dict[str, int] = {}
        uri = folder.as_uri()
        self.capabilities = self.ask(
            "initialize", processId=None, rootUri=uri if has_workspace else None, capabilities=capabilities or {},
            workspaceFolders=[{"uri": uri, "name": "rules"}] if has_workspace else None,
        )["capabilities"]  # fmt: skip
        self.tell("initialized")

    def _send(self, **message: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def _receive(self) -> Any:
        assert self.process.stdout is not None
        length = 0
        while (line := self.process.stdout.readline().strip()) or not length:
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def tell(self, name: str, **params: Any) -> None:
        self._send(method=name, params=params)

    def answer(self, name: str, **params: Any) -> dict[str, Any]:
        """The answer to a request; addresses of files are told from the folder."""
        self.number += 1
        self._send(id=self.number, method=name, params=params)
        while (message := self._receive()).get("id") != self.number or "method" in message:
            self.told.append(message)
        return dict(json.loads(json.dumps(message).replace(f"{self.folder.as_uri()}/", "")))

    def ask(self, name: str, **params: Any) -> Any:
        message = self.answer(name, **params)
        assert "error" not in message, message
        return message["result"]

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def document(self, name: str = GAME) -> dict[str, Any]:
        return {"textDocument": {"uri": self.uri(name)}}

    def at(self, before: str, text: str = TEXT, name: str = GAME) -> dict[str, Any]:
        """The place at which some words of a text end."""
        return self.document(name) | {"position": position(text, text.index(before) + len(before))}

    def open(self, text: str, name: str = GAME) -> list[dict[str, Any]]:
        uri = self.uri(name)
        # No two texts of one name have the same version, so a client that goes on knows old notifications.
        self.versions[uri] = self.versions.get(uri, 0) + 1
        document = {"uri": uri, "languageId": "enfilade", "version": self.versions[uri], "text": text}
        self.tell("textDocument/didOpen", textDocument=document)
        return self.diagnostics(name)

    def change(self, changes: list[dict[str, Any]], name: str = GAME) -> None:
        uri = self.uri(name)
        self.versions[uri] += 1
        document = {"uri": uri, "version": self.versions[uri]}
        self.tell("textDocument/didChange", textDocument=document, contentChanges=changes)

    def diagnostics(self, name: str = GAME) -> list[dict[str, Any]]:
        """The diagnostics of the newest version, waiting for them."""
        newest = {"uri": self.uri(name), "version": self.versions[self.uri(name)]}
        while True:
            for message in self.told:
                if newest.items() <= message.get("params", {}).items() and "diagnostics" in message["params"]:
                    return list(message["params"]["diagnostics"])
            self.told.append(self._receive())

    def clear(self) -> None:
        """Close all texts, and remove all files."""
        for uri in self.versions:
            self.tell("textDocument/didClose", textDocument={"uri": uri})
        for path in self.folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    def close(self) -> None:
        with self.process:
            self.ask("shutdown")
            self.tell("exit")
            assert self.process.wait(10) == 0


def position(text: str, offset: int) -> dict[str, int]:
    before = text[:offset]
    line = before.rpartition("\n")[2]
    return {"line": before.count("\n"), "character": len(line.encode("utf-16-le")) // 2}


def place(before: str, word: str, text: str = TEXT) -> dict[str, Any]:
    """The range of a word that stands after another text."""
    start = text.index(before + word) + len(before)
    return {"start": position(text, start), "end": position(text, start + len(word))}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    made = Client(tmp_path_factory.mktemp("rules"))
    yield made
    made.close()


@pytest.fixture
def client(server: Client) -> Iterator[Client]:
    yield server
    server.clear()


def test_the_server_says_what_it_can_do(client: Client) -> None:
    offered = {name for name, value in client.capabilities.items() if value}
    assert {
        "hoverProvider", "completionProvider", "definitionProvider", "referencesProvider", "renameProvider",
        "documentSymbolProvider", "workspaceSymbolProvider", "foldingRangeProvider", "selectionRangeProvider",
        "semanticTokensProvider", "documentFormattingProvider", "codeActionProvider", "codeLensProvider",
        "documentHighlightProvider", "signatureHelpProvider", "inlayHintProvider", "executeCommandProvider", "textDocumentSync",
    } <= offered  # fmt: skip
    assert client.capabilities["codeActionProvider"]["codeActionKinds"] == [
        "quickfix", "refactor", "refactor.rewrite", "source.fixAll",
    ]  # fmt: skip


def test_mistakes_are_told_when_a_text_is_opened_and_changed(client: Client) -> None:
    assert client.open(TEXT) == []
    client.change([{"range": place("= ", "night"), "text": "nihgt"}, {"range": place("♞", "𝄞"), "text": "♞♞"}])
    (found,) = client.diagnostics()
    assert (found["code"], found["range"]) == ("unknown-name", place("= ", "nihgt", MISSPELT))
    client.change([{"text": TEXT}])
    assert client.diagnostics() == []


def test_an_error_on_the_line_that_is_typed_waits_for_a_pause(client: Client) -> None:
    client.open(TEXT)
    end = {"line": 8, "character": len("  2. give result = far")}
    client.change([{"range": {"start": end, "end": end}, "text": "m"}])
    assert client.diagnostics() == []
    client.told.clear()
    assert [each["code"] for each in client.diagnostics()] == ["unknown-name"]


def test_an_editor_that_asks_fixes_everything_at_once(client: Client) -> None:
    text = TEXT.replace("when dark", "when drak").replace("give result = far", "give result = fra")
    client.open(text)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 20, "character": 0}}
    asked = {**client.document(), "range": whole, "context": {"diagnostics": [], "only": ["source.fixAll"]}}
    (action,) = client.ask("textDocument/codeAction", **asked)
    assert action["kind"] == "source.fixAll"
    assert sorted(each["newText"] for each in action["edit"]["changes"][GAME]) == ["dark", "far"]


def test_a_failing_example_is_among_the_diagnostics_until_it_passes(client: Client) -> None:
    client.open(TEXT.replace("result is 3", "result is 4"))
    client.told.clear()
    (result,) = client.ask("enfilade/examples", **client.document())
    (found,) = client.diagnostics()
    assert (found["code"], found["severity"], found["range"]) == ("example-failed", 2, on(12, 2, 20))
    assert found["message"].startswith(result["failures"][0]["message"].split("\n")[0])
    # It moves with its line.
    start = {"line": 0, "character": 0}
    client.change([{"range": {"start": start, "end": start}, "text": "\n"}])
    assert [each["range"]["start"]["line"] for each in client.diagnostics()] == [13]
    client.change([{"text": TEXT}])
    assert client.ask("enfilade/examples", **client.document())[0]["passed"]
    client.told.clear()
    client.tell("textDocument/didSave", **client.document())
    assert client.diagnostics() == []


def test_positions_count_units_of_utf_16(client: Client) -> None:
    text = TEXT + 'define odd = "𝄞𝄞" is night2\n'
    (*_, found) = client.open(text)
    assert found["range"] == place("is ", "night2", text)


def on(line: int, first: int, last: int) -> dict[str, Any]:
    """A range within a line."""
    return {"start": {"line": line, "character": first}, "end": {"line": line, "character": last}}


LAID_OUT: Final = {"options": {"tabSize": 2, "insertSpaces": True}}
FACTS: Final = "facts\n  night   yes/no\n"
MISSPELT: Final = TEXT.replace("= night", "= nihgt")
CALLING: Final = TEXT + "procedure both\n  1. call walk with night yes, weather \n"
CHART: Final = (
    "facts\n  far 1..3\n\nchart table\n  down 1d6\n  across far\n\n  | R | 1-3 |\n  | 1-2 | - |\n  | 3-6 | X |\n"
)
MISTAKEN: Final = TEXT.replace("= dry", "= dust")
ODDS: Final = 'walk as in "in the 𝄞 mud"\n\nresult (exact)\n3  1  100.00 %  ███████████████████████████████████████'
NOWHERE: Final = "Put the cursor in a procedure, in a chart that a procedure reads, or in an example."
OTHERS: Final = ("workspace/symbol", "enfilade/oddsHere", "enfilade/card", "enfilade/examples")
FAR: Final = on(7, 9, 12), on(8, 19, 22)


def actions(of: dict[str, Any], **context: Any) -> dict[str, Any]:
    return {"range": of, "context": {"diagnostics": [], **context}}


def added_example(kind: str) -> dict[str, Any]:
    new = '\n\nexample walk "new example 2: gives 3"\n  given weather mud\n  gives 3\n  no effects'
    edit = {"changes": {GAME: [{"range": on(12, 20, 20), "newText": new}]}}
    return {"title": "add an example of walk", "kind": kind, "isPreferred": False, "edit": edit}


ANSWERS: Final[list[tuple[str, str, str, dict[str, Any], Any]]] = [
    ("hover", TEXT, "dark = ", {}, {"contents": {"kind": "markdown", "value": "**fact** `night`: `yes/no`\n\nnight turn [1.2]"}, "range": on(4, 14, 19)}),
    ("definition", TEXT, "dark = ", {}, [{"uri": GAME, "range": on(1, 2, 7)}]),
    ("references", TEXT, "let ", {"context": {"includeDeclaration": True}}, [{"uri": GAME, "range": each} for each in FAR]),
    ("references", TEXT, "let ", {"context": {"includeDeclaration": False}}, [{"uri": GAME, "range": FAR[1]}]),
    ("documentHighlight", TEXT, "let ", {}, [{"range": each} for each in FAR]),
    ("rename", TEXT, "let ", {"newName": "way"}, {"changes": {GAME: [{"range": each, "newText": "way"} for each in FAR]}}),
    ("rename", TEXT, "let ", {"newName": "night"}, {"code": -32602, "message": "`night` is in use: it is the name of a fact"}),
    (
        "completion", TEXT + "define cold = weather is d\n", "cold = weather is d", {},
        {"isIncomplete": True, "items": [
            {"label": label, "kind": kind, "detail": detail, "sortText": f"0000{number}", "textEdit": {"range": on(13, 25, 26), "newText": label}}
            for number, (label, kind, detail) in enumerate([("dry", 20, "word"), ("dark", 3, "define"), ("doubles", 14, "keyword")])
        ]},
    ),
    (
        "signatureHelp", CALLING, "night yes, weather ", {},
        {"activeParameter": 1, "activeSignature": 0, "signatures": [{
            "label": "call walk with night yes/no, weather one of dry or mud = dry", "documentation": "Walk ♞𝄞", "activeParameter": 1,
            "parameters": [{"label": [15, 27], "documentation": "night turn"}, {"label": [29, 60]}],
        }]},
    ),
    ("signatureHelp", CALLING, "dark = ", {}, None),
    (
        "inlayHint", CHART, "", {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}},
        [
            {"position": {"line": 5, "character": 12}, "label": ": 1..3", "kind": 1, "paddingLeft": False},
            {"position": {"line": 8, "character": 13}, "label": "2/6  33.33 %", "paddingLeft": True},
        ],
    ),
    (
        "documentSymbol", FACTS, "", {},
        [{
            "name": "facts", "kind": 23, "detail": "", "selectionRange": on(0, 0, 5),
            "range": {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 16}},
            "children": [{"name": "night", "kind": 13, "detail": "", "selectionRange": on(1, 2, 7), "range": on(1, 2, 16), "children": []}],
        }],
    ),
    ("foldingRange", TEXT, "", {}, [{"startLine": first, "endLine": last, "kind": "region"} for first, last in ((0, 2), (6, 8), (10, 12))]),
    (
        "selectionRange", TEXT, "", {"positions": [{"line": 4, "character": 8}]},
        [{"range": on(4, 7, 11), "parent": {"range": on(4, 0, 37), "parent": {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 13, "character": 0}}}}}],
    ),
    ("semanticTokens/full", FACTS, "", {}, {"data": [0, 0, 5, 0, 0, 1, 2, 5, 4, 1, 0, 8, 6, 0, 0]}),
    (
        "formatting", FACTS, "", LAID_OUT,
        [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 2, "character": 0}}, "newText": "facts\n  night  yes/no\n"}],
    ),
    ("onTypeFormatting", "procedure fire\n  1. roll d6 as shot\n     2.\n", "     2.", {**LAID_OUT, "ch": "."}, [{"range": on(2, 0, 5), "newText": "  "}]),
    (
        "codeLens", TEXT, "", {},
        [{
            "range": {"start": {"line": 6, "character": 0}, "end": {"line": 8, "character": 22}},
            "command": {"title": "Odds", "command": "enfilade.odds", "arguments": [GAME, "walk"]},
        }, {
            "range": {"start": {"line": 10, "character": 0}, "end": {"line": 12, "character": 20}},
            "command": {"title": "Run example", "command": "enfilade.runExample", "arguments": [GAME, 11]},
        }],
    ),
    (
        "codeAction", MISSPELT, "", actions(on(4, 14, 19)),
        [{"title": "replace `nihgt` by `night`", "kind": "quickfix", "isPreferred": True, "edit": {"changes": {GAME: [{"range": on(4, 14, 19), "newText": "night"}]}}}],
    ),
    ("codeAction", TEXT, "", actions(on(10, 0, 0)), [added_example("refactor")]),
    ("codeAction", TEXT, "", actions(on(10, 0, 0), only=["refactor"]), [added_example("refactor")]),
    ("codeAction", TEXT, "", actions(on(10, 0, 0), only=["quickfix"]), []),
    ("workspace/symbol", TEXT, "", {"query": "dar"}, [{"name": "dark", "kind": 12, "location": {"uri": GAME, "range": on(4, 7, 11)}}]),
    ("enfilade/oddsHere", TEXT, "exam", {}, ODDS),
    ("enfilade/oddsHere", TEXT, "procedure ", {}, ODDS),
    ("enfilade/oddsHere", TEXT, "  night", {}, NOWHERE),
    ("enfilade/oddsHere", MISTAKEN, "  night", {}, "Correct the errors first."),
    ("enfilade/card", MISTAKEN, "  night", {}, None),
    ("enfilade/examples", MISTAKEN, "", {}, None),
    (
        "enfilade/examples", TEXT.replace("result is 3", "result is 4"), "", {},
        [{"line": 10, "label": "in the 𝄞 mud", "passed": False, "failures": [{"line": 12, "message": "expected result is 4, which is false\nresult is 3"}]}],
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "before", "more", "answer"),
    ANSWERS,
    ids=[f"{row[0]}-{number}" for number, row in enumerate(ANSWERS)],
)
def test_each_question_has_its_answer(
    client: Client, name: str, text: str, before: str, more: dict[str, Any], answer: Any
) -> None:
    client.open(text)
    message = client.answer(name if name in OTHERS else f"textDocument/{name}", **client.at(before, text), **more)
    assert message.get("result", message.get("error")) == answer


def test_examples_run_from_the_editor(client: Client) -> None:
    client.open(TEXT)
    told = client.ask("workspace/executeCommand", command="enfilade.runExample", arguments=[client.uri(GAME), 11])
    assert told == "in the 𝄞 mud: passed"


UNPLAYED: Final = "facts\n  power  1..\n\nprocedure fire\n  1. give result = power\n"


def test_the_odds_of_a_procedure_are_those_of_its_first_example(client: Client) -> None:
    client.open(TEXT)
    asked = {"command": "enfilade.odds", "arguments": [client.uri(GAME), "walk"]}
    assert client.ask("workspace/executeCommand", **asked) == ODDS
    client.open(UNPLAYED, "unplayed.rules")
    asked = {"command": "enfilade.odds", "arguments": [client.uri("unplayed.rules"), "fire"]}
    assert client.ask("workspace/executeCommand", **asked).endswith(
        "Write an example of fire: the odds are those of its facts."
    )


HEAVY: Final = """\
record unit
  steps  0..9 = 9

facts
  units  list of unit

procedure grind
  1. repeat while any of units where steps > 0
       for each unit in units
         roll 3d10 as dice
         when dice.total > 15: unit.steps becomes unit.steps - 1 but at least 0
  2. give result = sum of steps over units

example grind "eight units"
  given units [a, b, c, d, e, f, g, h]
  on 1 1 1
"""


def test_a_hover_is_answered_during_a_heavy_question_and_a_newer_question_ends_it(client: Client) -> None:
    assert client.open(HEAVY) == []
    client.number += 1
    heavy = client.number
    params = {"command": "enfilade.odds", "arguments": [client.uri(GAME), "grind"]}
    client._send(id=heavy, method="workspace/executeCommand", params=params)
    assert client.ask("textDocument/hover", **client.at("  unit", HEAVY)) is not None
    assert not any(each.get("id") == heavy for each in client.told)
    client.tell("$/cancelRequest", id=heavy)
    client.open(TEXT)
    params["arguments"] = [client.uri(GAME), "walk"]
    assert client.ask("workspace/executeCommand", **params) == ODDS
    assert [each["error"]["code"] for each in client.told if each.get("id") == heavy] == [-32800]


@pytest.mark.parametrize("path", sorted((ROOT / "rulesets").rglob("*.rules")), ids=lambda path: path.stem)
def test_the_odds_above_every_shipped_procedure_that_reads_a_chart_are_told(path: Path) -> None:
    found = of_file(path)
    assert found.ruleset is not None
    for lens in found.code_lenses():
        reads = re.search(r"^\s+(?:\d+\. +)?read ", lens.span.text, re.MULTILINE)
        if lens.command == "odds" and reads:
            assert "(exact)" in odds_of_procedure(found, found.ruleset, str(lens.argument))


MODULE: Final = "facts\n  mud  yes/no\n"
MAIN: Final = "use weather\ndefine slow = mud\n"


def test_a_module_is_read_from_the_open_text_first(client: Client) -> None:
    (client.folder / "weather.rules").write_text("facts\n  fog  yes/no\n", encoding="utf-8")
    assert [each["code"] for each in client.open(MAIN, "main.rules")] == ["unknown-name"]
    client.open(MODULE, "weather.rules")
    client.change([{"text": MAIN + "\n"}], "main.rules")
    assert client.diagnostics("main.rules") == []
    asked = client.at("slow = ", MAIN, "main.rules")
    assert client.ask("textDocument/definition", **asked) == [{"uri": "weather.rules", "range": on(1, 2, 5)}]
    edit = client.ask("textDocument/rename", **asked, newName="sleet")
    assert edit["changes"].keys() == {"main.rules", "weather.rules"}


def test_a_used_file_that_changes_on_disk_is_seen_and_its_errors_are_on_the_line_that_uses_it(client: Client) -> None:
    used = client.folder / "weather.rules"
    used.write_text(MODULE, encoding="utf-8")
    (client.folder / "between.rules").write_text("use weather\n", encoding="utf-8")
    text = MAIN.replace("use weather", "-- Weather\nuse between")
    assert client.open(text, "main.rules") == []
    used.write_text(MODULE + "define hot = hott\n", encoding="utf-8")
    client.told.clear()
    client.tell("workspace/didChangeWatchedFiles", changes=[{"uri": used.as_uri(), "type": 2}])
    (found,) = client.diagnostics("main.rules")
    assert found["code"] == "unknown-name"
    assert found["range"] == on(1, 0, 11)


def test_the_editor_is_asked_to_watch_rules_files(tmp_path: Path) -> None:
    watches = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
    client = Client(tmp_path, capabilities=watches)
    client.open(TEXT)
    (asked,) = (each for each in client.told if each.get("method") == "client/registerCapability")
    (watch,) = asked["params"]["registrations"]
    assert watch["method"] == "workspace/didChangeWatchedFiles"
    assert watch["registerOptions"] == {"watchers": [{"globPattern": "**/*.rules"}]}
    client.close()


def test_a_rename_reaches_the_closed_files_that_use_the_module(client: Client) -> None:
    (client.folder / ".old").mkdir()
    for name, text in (
        ("main.rules", MAIN),
        (".old/main.rules", MAIN),
        (".old/weather.rules", MODULE),
        ("weather.rules", "facts\n"),
    ):
        (client.folder / name).write_text(text, encoding="utf-8")
    (client.folder / "broken.rules").write_bytes(b"use weather\n\xff\xfe")
    client.open(MODULE, "weather.rules")
    asked = client.at("facts\n  ", MODULE, "weather.rules")
    edit = client.ask("textDocument/rename", **asked, newName="sleet")
    changed = {"weather.rules": on(1, 2, 5), "main.rules": on(1, 14, 17)}
    assert edit["changes"] == {name: [{"range": each, "newText": "sleet"}] for name, each in changed.items()}
    used = client.ask("textDocument/references", **asked, context={"includeDeclaration": False})
    assert used == [{"uri": "main.rules", "range": on(1, 14, 17)}]
    client.open(MAIN.replace("slow", "very_slow"), "main.rules")
    edit = client.ask("textDocument/rename", **asked, newName="sleet")
    assert edit["changes"]["main.rules"] == [{"range": on(1, 19, 22), "newText": "sleet"}]
    told = client.answer("textDocument/rename", **asked, newName="very_slow")
    assert "in use" in told["error"]["message"]


def test_without_a_workspace_a_rename_reaches_the_files_beside_the_text(tmp_path: Path) -> None:
    client = Client(tmp_path, has_workspace=False)
    (tmp_path / "main.rules").write_text(MAIN, encoding="utf-8")
    (tmp_path / "weather.rules").write_text(MODULE, encoding="utf-8")
    client.open(MODULE, "weather.rules")
    edit = client.ask("textDocument/rename", **client.at("facts\n  ", MODULE, "weather.rules"), newName="sleet")
    assert edit["changes"].keys() == {"weather.rules", "main.rules"}
    client.close()


@pytest.mark.parametrize("name", ["bombardment/bombardment", "franco_prussian/morale"])
def test_shipped_files_are_served(client: Client, name: str) -> None:
    path = ROOT / f"rulesets/{name}.rules"
    text = path.read_text(encoding="utf-8")
    client.open(text, str(path))
    document = client.document(str(path))
    for question in ("documentSymbol", "foldingRange", "semanticTokens/full"):
        assert client.ask(f"textDocument/{question}", **document), question
    assert client.ask("textDocument/formatting", **document, **LAID_OUT) is not None
    for offset in range(100, len(text), len(text) // 10):
        asked = {**document, "position": position(text, offset)}
        for question in ("hover", "definition", "completion", "signatureHelp"):
            client.ask(f"textDocument/{question}", **asked)


def test_a_card_follows_the_cursor(client: Client) -> None:
    text = (ROOT / "rulesets/infantry_attacks/infantry_attacks.rules").read_text(encoding="utf-8")
    client.open(text)
    assert client.ask("enfilade/card", **client.at("ruleset ", text))["chart"] is None
    told = client.ask("enfilade/card", **client.at("\nchart direct", text))
    assert told["chart"] == "direct_fire_table"
    assert told["html"].startswith("<!DOCTYPE html>")
