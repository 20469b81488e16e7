// What of the extension needs no VS Code: its marks, its command, its snippets, and what package.json promises.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";

import { delayed, hintOf, marksOf, serverCommand, summaryOf, themed } from "../build/answers.mjs";

const FOLDER = resolve(import.meta.dirname, "..");
const PYTHON = process.env.PYTHON ?? "python3";
const read = (name) => JSON.parse(readFileSync(join(FOLDER, name), "utf-8"));
const passed = { line: 3, label: "a draw", passed: true, failures: [] };
const failed = { line: 9, label: "a rout", passed: false, failures: [{ line: 12, message: "expected M, but it is X\nthe dice were 6 6" }] };

test("an example that passed is marked at its first line", () => {
  assert.deepEqual(marksOf([passed]), { passed: [{ line: 3, hover: "a draw: passed" }], failed: [], notes: [] });
});

test("an example that failed is marked at its first line, with a note at each line that does not match", () => {
  const marks = marksOf([passed, failed]);
  assert.deepEqual(marks.failed, [{ line: 9, hover: "a rout: failed" }]);
  assert.deepEqual(marks.notes, [{ line: 12, text: "expected M, but it is X", hover: failed.failures[0].message }]);
});

test("one line tells about all examples", () => {
  assert.equal(summaryOf([]), "");
  assert.equal(summaryOf([passed, passed]), "2 examples passed");
  assert.equal(summaryOf([passed]), "1 example passed");
  assert.equal(summaryOf([failed]), "1 of 1 example failed");
  assert.equal(summaryOf([passed, failed]), "1 of 2 examples failed");
});

test("only a file without a text has a hint", () => {
  assert.match(hintOf(" \n"), /Paste a printed chart/);
  assert.equal(hintOf("facts\n"), "");
});

test("Enter after a whole keyword makes a new line", () => {
  const defaults = read("package.json").contributes.configurationDefaults["[enfilade]"];
  assert.equal(defaults["editor.acceptSuggestionOnEnter"], "smart");
  // The editor matches letters in order, so a longer prefix would still be offered for the keyword.
  const grammar = readFileSync(join(FOLDER, "../../dsl/enfilade/syntax/grammar.lark"), "utf-8");
  for (const { prefix, body } of Object.values(read("snippets/enfilade.json"))) {
    const keyword = /^[a-z]+/.exec(body[0])[0];
    assert.ok(grammar.includes(keyword), keyword);
    assert.ok(!new RegExp([...keyword].join(".*")).test(prefix), `${prefix} matches ${keyword}`);
  }
});

test("results from before an error are not told as if they were new", () => {
  assert.equal(summaryOf([passed, failed], true), "Examples wait: correct the errors");
  assert.equal(summaryOf([], true), "");
});

test("the card takes the colours of the editor's theme, after its own", () => {
  const css = readFileSync(join(FOLDER, "../../dsl/enfilade/tools/card/card.css"), "utf-8");
  const [own, theme] = themed(`<head><style>${css}</style></head>`).split("</style>");
  for (const [name] of theme.matchAll(/--(?!vscode)[a-z]+(?=:)/g)) assert.ok(own.includes(`${name}:`), name);
  for (const [, name] of own.matchAll(/(--[a-z]+):/g)) assert.ok(theme.includes(`${name}: `), name);
});

test("the command in the settings runs the language server", () => {
  assert.deepEqual(serverCommand(["python", "-m", "enfilade"]), { command: "python", args: ["-m", "enfilade", "lsp"] });
  for (const wrong of [undefined, [], "enfilade", [3]]) assert.deepEqual(serverCommand(wrong), { command: "enfilade", args: ["lsp"] });
});

test("of several calls in a row, the action runs once", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let runs = 0;
  const call = delayed(100, () => runs++);
  call();
  context.mock.timers.tick(60);
  call();
  context.mock.timers.tick(60);
  assert.equal(runs, 0);
  context.mock.timers.tick(60);
  assert.equal(runs, 1);
});

test("the snippets together are a ruleset without mistakes, whose example passes", () => {
  const filled = Object.values(read("snippets/enfilade.json"))
    .filter(({ prefix }) => !["prob", "rec", "ref"].includes(prefix))
    .map(({ body }) => body.join("\n").replace(/\$\{\d+:([^}]*)\}|\$\d/g, "$1"));
  const folder = mkdtempSync(join(tmpdir(), "enfilade-"));
  try {
    const file = join(folder, "game.rules");
    writeFileSync(file, filled.join("\n"));
    execFileSync(PYTHON, ["-m", "enfilade", "check", "--strict", file]);
    execFileSync(PYTHON, ["-m", "enfilade", "test", file]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("every file and command that package.json names is there", () => {
  const { contributes, main, scripts } = read("package.json");
  const files = [...contributes.languages.map((each) => each.configuration), ...contributes.grammars.map((each) => each.path), ...contributes.snippets.map((each) => each.path)];
  for (const each of files) assert.ok(existsSync(join(FOLDER, each)), each);
  assert.ok(scripts.build.includes(main.replace("./", "")));
  const source = readFileSync(join(FOLDER, "src/extension.ts"), "utf-8");
  for (const { command } of contributes.commands) assert.ok(source.includes(`registerCommand("${command}"`), command);
});
