// The TextMate grammar, run by the engine of VS Code, finds the tokens of the library in every rules file.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { test } from "node:test";

const require = createRequire(import.meta.url);
const oniguruma = require("vscode-oniguruma");
const { Registry, parseRawGrammar } = require("vscode-textmate");

const ROOT = resolve(import.meta.dirname, "../../..");
const GRAMMAR = join(ROOT, "editors/vscode/syntaxes/enfilade.tmLanguage.json");
const PYTHON = process.env.PYTHON ?? "python3";

async function readGrammar() {
  await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => parseRawGrammar(readFileSync(GRAMMAR, "utf-8"), GRAMMAR),
  });
  return registry.loadGrammar("source.enfilade");
}

/** The tokens that the grammar finds, without blanks; a phrase is cut at its blanks. */
function foundTokens(grammar, text, kindOf) {
  const found = [];
  let state = null;
  let start = 0;
  for (const line of text.split("\n")) {
    const told = grammar.tokenizeLine(line, state);
    state = told.ruleStack;
    for (const token of told.tokens) {
      const scope = token.scopes.at(-1);
      const piece = line.slice(token.startIndex, token.endIndex);
      const kind = kindOf.get(scope) ?? scope;
      if (!piece.trim()) continue;
      if (kind === "keyword")
        for (const word of piece.matchAll(/\S+/g)) found.push([kind, start + token.startIndex + word.index, start + token.startIndex + word.index + word[0].length]);
      else found.push([kind, start + token.startIndex, start + Math.min(token.endIndex, line.length)]);
    }
    start += line.length + 1;
  }
  return found;
}

const printed = execFileSync(PYTHON, ["-m", "editors"], { cwd: ROOT, encoding: "utf-8", maxBuffer: 1 << 28 });
const expected = JSON.parse(printed);
const kindOf = new Map(Object.entries(expected.scopes).map(([kind, scope]) => [scope, kind]));
const grammar = await readGrammar();

for (const [path, { text, pieces }] of Object.entries(expected.files))
  test(`the grammar finds the tokens of ${path}`, () => {
    const found = foundTokens(grammar, text, kindOf);
    const told = ([kind, start, end]) => `${text.slice(0, start).split("\n").length}: ${kind} ${JSON.stringify(text.slice(start, end))}`;
    assert.deepEqual(found.map(told), pieces.map(told));
  });
