// Write: the text with its colours, mistakes and fixes; the examples; the card beside it.

import { autocompletion, closeCompletion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { lintGutter, linter, type Action, type Diagnostic } from "@codemirror/lint";
import { EditorState, RangeSetBuilder, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, keymap, lineNumbers, type DecorationSet } from "@codemirror/view";
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { CardPage } from "./card";
import { ChartView } from "./chart";
import { offer } from "./picture";
import type { CoverageResult, Diagnostic as Found, TestResult } from "../client/src/index.ts";
import { engine, game, play, sentence, view } from "./state";

const KEY = "enfilade.text";
const FIRST = `enfilade 1.1
ruleset my_game "My game"

facts
  strength  1..              "attack factors"
  terrain   one of open, woods = open

chart crt "Combat Results Table"
  down    d6
  across  strength, column at or below
  shift off left   stays

  | Die |  1 |  4 |  8 |
  | 1-2 | NE | NE | DR |
  | 3-4 | NE | DR | DE |
  | 5-6 | DR | DE | DE |

modifiers shifts "Terrain" shift columns of crt, cumulative
  -1  woods  terrain is woods  "Defender in woods"

results of crt
  NE  "No effect"
  DR  "Defender retreats"
  DE  "Defender eliminated"

procedure attack "Attack"
  1. roll d6 as die
  2. read crt with die as shot
  3. apply shot
  4. give result = shot.code

example attack "five factors in the open"
  given strength 5
  on 3
  gives DR
`;

const text = signal(kept() ?? FIRST);
const files = signal<Record<string, string>>({});
const card = signal("");
const examples = signal<TestResult>([]);
const coverage = signal<CoverageResult | null>(null);
const mistakes = signal(0);
const outdated = signal(false);

function kept(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Open the text of the game in the editor. */
export async function edit(): Promise<void> {
  const found = await engine.value!.source({ ruleset: game.value!.ruleset });
  text.value = found.text;
  files.value = found.files;
  view.value = "write";
}

function offset(document: Text, line: number, column: number): number {
  const found = document.line(Math.min(line, document.lines));
  // The library counts characters, and the editor counts code units.
  return Math.min(found.from + Array.from(found.text).slice(0, column - 1).join("").length, found.to);
}

async function check(editor: EditorView): Promise<Diagnostic[]> {
  const on = engine.peek();
  if (on === null) return [];
  const document = editor.state.doc;
  const ruleset = { text: document.toString(), files: files.peek() };
  const { ok, diagnostics } = await on.check({ ruleset });
  mistakes.value = diagnostics.length;
  outdated.value = !ok;
  if (ok) {
    void on.card({ ruleset }).then((found) => (card.value = found.text));
    void on.test({ ruleset }).then((found) => (examples.value = found));
    void on.coverage({ ruleset }).then((found) => (coverage.value = found));
    void play(ruleset.text, ruleset.files);
  }
  return diagnostics.map((each: Found): Diagnostic => {
    const from = offset(document, each.line, each.column);
    const to = Math.max(offset(document, each.end_line, each.end_column), from);
    const actions: Action[] =
      each.fix === null
        ? []
        : [{
            name: sentence(each.fix.message),
            apply: (target) =>
              target.dispatch({
                changes: each.fix!.edits.map((edit) => ({
                  from: offset(document, edit.line, edit.column),
                  to: offset(document, edit.end_line, edit.end_column),
                  insert: edit.text,
                })),
              }),
          }];
    const message = [sentence(each.message), ...each.help.map((help) => sentence(help))].join("\n");
    return { from, to: to === from && to < document.length ? to + 1 : to, severity: each.severity, message, source: each.code, actions };
  });
}

// ---------------------------------------------------------------------------------------------------------- colours

const colour = StateEffect.define<DecorationSet>();
const colours = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (before, change) => change.effects.reduce((found, each) => (each.is(colour) ? each.value : found), before.map(change.changes)),
  provide: (field) => EditorView.decorations.from(field),
});
const STYLES = new Map(["keyword", "string", "citation", "number", "range", "dice", "code", "cell", "bar", "comment"].map((kind) => [kind, Decoration.mark({ class: `tok-${kind}` })]));

/** Colour a text with the tokens of the language's own lexer. */
async function paint(editor: EditorView): Promise<void> {
  const on = engine.peek();
  if (on === null) return;
  const document = editor.state.doc;
  const source = document.toString();
  const found = await on.tokens({ text: source });
  if (!editor.state.doc.eq(document)) return;
  const units = source.length === Array.from(source).length ? null : unitsOf(source);
  const builder = new RangeSetBuilder<Decoration>();
  for (const [kind, start, end] of found) {
    const style = STYLES.get(kind);
    if (style !== undefined) builder.add(units?.[start] ?? start, units?.[end] ?? end, style);
  }
  editor.dispatch({ effects: colour.of(builder.finish()) });
}

/** The place in code units of each character. */
function unitsOf(source: string): number[] {
  const found: number[] = [];
  let at = 0;
  for (const letter of source) {
    found.push(at);
    at += letter.length;
  }
  return [...found, at];
}

async function complete(context: CompletionContext): Promise<CompletionResult | null> {
  const before = context.matchBefore(/\w*/);
  if (engine.peek() === null || before === null || (before.from === before.to && !context.explicit)) return null;
  const source = context.state.doc.toString();
  const current = game.peek();
  const found = await engine.peek()!.complete({
    text: source,
    offset: Array.from(source.slice(0, context.pos)).length,
    ...(current === null ? {} : { ruleset: current.ruleset }),
  });
  return { from: before.from, options: found.items.map((each) => ({ label: each.name, type: each.kind === "keyword" ? "keyword" : "variable", detail: each.label || each.kind })), validFor: /^\w*$/ };
}

// ----------------------------------------------------------------------------------------------------------- the view

export function Write(): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const started = engine.value !== null;

  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const made = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: text.peek(),
        extensions: [
          lineNumbers(), history(), drawSelection(), lintGutter(), colours, EditorView.lineWrapping,
          autocompletion({ override: [complete] }),
          linter(check, { delay: 250 }),
          keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab, { key: "Escape", run: (target) => closeCompletion(target) }]),
          EditorView.contentAttributes.of({ "aria-label": "Text of the rules" }),
          EditorView.updateListener.of((change) => {
            if (!change.docChanged) return;
            text.value = change.state.doc.toString();
            try {
              localStorage.setItem(KEY, text.value);
            } catch {
              // A browser without storage keeps nothing.
            }
            clearTimeout(waiting);
            waiting = setTimeout(() => void paint(change.view), 80);
          }),
        ],
      }),
    });
    editor.current = made;
    made.scrollDOM.tabIndex = 0;
    void paint(made);
    return () => made.destroy();
  }, [started]);

  const replace = (next: string) =>
    editor.current?.dispatch({ changes: { from: 0, to: editor.current.state.doc.length, insert: next } });

  return (
    <div class="panes two">
      <section class="pane" aria-labelledby="text-title">
        <h2 id="text-title">Text</h2>
        <Bar replace={replace} />
        <div class="editor" ref={place} />
        <p role="status" class="hint">
          {mistakes.value === 0 ? "No mistakes." : mistakes.value === 1 ? "1 mistake or warning." : `${mistakes.value} mistakes and warnings.`}
          {outdated.value && card.value !== "" && " The card shows the last version without mistakes."}
        </p>
        <Examples />
        <Reached />
      </section>
      <section class="pane" aria-labelledby="card-title"><h2 id="card-title">Card</h2><CardPage card={card.value} /></section>
    </div>
  );
}

function Bar({ replace }: { replace: (text: string) => void }): JSX.Element {
  const [isPasting, setPasting] = useState(false);
  const [pasted, setPasted] = useState("");
  const [told, setTold] = useState("");
  const read = async (file: File | undefined) => {
    if (file !== undefined) replace(await file.text());
  };
  const save = () => offer(new Blob([text.value], { type: "text/plain" }), `${/^ruleset\s+(\w+)/m.exec(text.value)?.[1] ?? "my_game"}.rules`);
  const make = async () => {
    try {
      const found = await engine.value!.paste({ text: pasted });
      replace(found.text);
      setPasting(false);
      setTold(found.guesses.length === 0 ? "" : `Guessed: ${found.guesses.join("; ")}.`);
    } catch (error) {
      setTold(sentence((error as Error).message));
    }
  };
  return (
    <>
      <div class="actions">
        <button type="button" class="main" disabled={outdated.value || game.value === null} onClick={() => (view.value = "play")}>Play it</button>
        <button type="button" aria-expanded={isPasting} onClick={() => setPasting(!isPasting)}>Paste a chart</button>
        <button type="button" onClick={async () => replace((await engine.value!.format({ text: text.value })).text)}>Lay out</button>
        <button type="button" onClick={save}>Save</button>
        <label class="file">Open<input type="file" accept=".rules,text/plain" class="hidden" onChange={(event) => void read(event.currentTarget.files?.[0])} /></label>
      </div>
      {isPasting && (
        <div class="paste">
          <label>The chart, as it was copied or scanned
            <textarea rows={8} value={pasted} onInput={(event) => setPasted(event.currentTarget.value)} />
          </label>
          <button type="button" class="main" disabled={pasted.trim() === ""} onClick={() => void make()}>Make a ruleset</button>
        </div>
      )}
      {told !== "" && <p role="status" class="hint">{told}</p>}
    </>
  );
}

function Examples(): JSX.Element | null {
  if (examples.value.length === 0) return null;
  const failed = examples.value.filter((each) => !each.passed);
  return (
    <details class="log" open={failed.length > 0}>
      <summary>{failed.length === 0 ? `All ${examples.value.length} examples pass` : `${failed.length} of ${examples.value.length} examples fail`}</summary>
      <ul>
        {examples.value.map((each, at) => (
          <li key={at} class={each.passed ? "" : "failed"}>
            {each.passed ? "✓" : "✗"} {each.label} <small>line {each.line}</small>
            {each.failures.map((failure, number) => <p key={number} class="fault">{sentence(failure.message)}</p>)}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The charts, with the cells marked that no example reads. */
function Reached(): JSX.Element | null {
  const cells = coverage.value?.counts.cells;
  if (coverage.value === null || cells === undefined || cells.total === 0 || game.value === null) return null;
  const missed = coverage.value.cells;
  const charts = game.value.charts.filter((chart) => missed.some((each) => each.chart === chart.name));
  return (
    <details class="log">
      <summary>Examples read {cells.used} of {cells.total} cells</summary>
      {charts.length > 0 && <p class="hint">No example reads the marked cells.</p>}
      {charts.map((chart) => (
        <ChartView key={chart.name} chart={chart} readings={[]} missed={new Set(missed.filter((each) => each.chart === chart.name).map(({ page, row, column }) => `${page} ${row} ${column}`))} />
      ))}
    </details>
  );
}
