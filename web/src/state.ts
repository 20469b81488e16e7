// What the page shows: signals that the views read, and the actions that change them.

import { batch, computed, effect, signal } from "@preact/signals";

import {
  CallError, Stopped, type Chart, type DescribeResult, type Field, type Distribution, type OutcomeStep as Step, type PreviewResult, type Procedure,
  type Reading as ReadingOfRun, type Ruleset, type Run, type WorthResult,
} from "../client/src/index.ts";
import { startEngine, type Engine } from "./engine";
import { linkOf, readLink, type Shared } from "./links";

export type { Chart, Field, OutcomeStep as Step, Procedure, Question, Run } from "../client/src/index.ts";
export type Schema = { [word: string]: any };
export interface Game {
  ruleset: Ruleset;
  described: DescribeResult;
  charts: Chart[];
  card: string;
}
/** A cell that was read, or a column that will be. */
export type Reading = PreviewResult["readings"][number] & Partial<Pick<ReadingOfRun, "row" | "inside">>;
type Worth = WorthResult[number];
export type View = "play" | "odds" | "write" | "card";

export const engine = signal<Engine | null>(null);
export const engineState = signal("Starting");
export const shipped = signal<Game[]>([]);
export const game = signal<Game | null>(null);
export const view = signal<View>("play");
export const procedureName = signal("");
export const facts = signal<Record<string, any>>({});
export const options = signal<Record<string, any>>({});
export const odds = signal<{ answer: Distribution | null; of: string; problem: string; working: boolean }>({
  answer: null,
  of: "",
  problem: "",
  working: false,
});
/** A situation with its odds, kept to be compared with others. */
export interface Kept {
  title: string;
  procedure: string;
  facts: Record<string, any>;
  options: Record<string, any>;
  answer: Distribution;
}
export const kept = signal<Kept | null>(null);
export const preview = signal<PreviewResult>({ readings: [], modifiers: [] });
export const run = signal<Run | null>(null);
export const faults = signal<Record<string, string>>({});
export const problem = signal("");
export const log = signal<{ title: string; run: Run }[]>([]);
export const announced = signal("");
/** Whether an answer is under way, so nothing is answered twice. */
export const busy = signal(false);

export const procedure = computed<Procedure | null>(
  () => game.value?.described.procedures.find((each) => each.name === procedureName.value) ?? null,
);
export const missing = computed(() =>
  (procedure.value?.inputs ?? []).filter((each) => each.required && facts.value[each.name] === undefined),
);
/** What the odds are of: the result, or the first output of a procedure without one. */
export const question = computed(() => {
  const outputs = procedure.value?.outputs ?? [];
  return outputs.some((each) => each.name === "result") ? "result" : (outputs[0]?.name ?? "");
});

export const digits = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 });

export const decimals = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

export function chanceOf(fraction: string): number {
  const [above = "0", below = "1"] = fraction.split("/");
  const shift = Math.max(0, Math.max(above.length, below.length) - 15);
  return shift > 0 ? Number(above.slice(0, -shift) || "0") / Number(below.slice(0, -shift)) : Number(above) / Number(below);
}

/** A value as players write it. */
export function shown(value: any): string {
  if (value === true) return "yes";
  if (value === false) return "no";
  if (value === null || value === undefined) return "none";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(shown).join(", ");
  if (typeof value === "object") {
    const entries = Object.entries(value);
    return entries.length === 0 ? "none" : entries.map(([name, each]) => `${words(name)} ${shown(each)}`).join(", ");
  }
  return words(String(value));
}

export function words(name: string): string {
  return name.replace(/(?<=[\p{L}\p{N}])_(?=[\p{L}\p{N}])/gu, " ");
}

// --------------------------------------------------------------------------------------------------------- starting

export async function start(): Promise<void> {
  const link = readLink(location.hash);
  try {
    const found = await fetch("games.json");
    if (found.ok) shipped.value = (await found.json()).map((each: any) => ({ ...each, ruleset: each.name }));
  } catch {
    // Without the prepared games, the engine describes them.
  }
  const started = await startEngine((state) => (engineState.value = state));
  engine.value = started;
  if (started.where === "server") engineState.value = "";
  if (shipped.value.length === 0) {
    const listed = await started.list();
    shipped.value = await Promise.all(listed.map((each) => loaded(each.name)));
  }
  if (link !== null) await open(await link);
}

async function loaded(ruleset: Ruleset): Promise<Game> {
  const on = engine.value!;
  const described = await on.describe({ ruleset });
  const [card, ...charts] = await Promise.all([
    on.card({ ruleset }),
    ...described.charts.map((each) => on.chart({ ruleset, chart: each.name })),
  ]);
  return { ruleset, described, charts, card: card.text };
}

export function choose(chosen: Game, of?: string, given: Record<string, any> = {}): void {
  batch(() => {
    game.value = chosen;
    procedureName.value = of ?? chosen.described.procedures[0]?.name ?? "";
    facts.value = given;
    options.value = {};
    run.value = null;
    kept.value = null;
    problem.value = "";
  });
}

export function chooseProcedure(name: string): void {
  batch(() => {
    // Facts of the game have one meaning in all its procedures, so they stay.
    const known = new Set(game.value?.described.procedures.find((each) => each.name === name)?.inputs.map((each) => each.name));
    facts.value = Object.fromEntries(Object.entries(facts.value).filter(([fact]) => known.has(fact)));
    procedureName.value = name;
    run.value = null;
  });
}

/** Play a ruleset of one's own. */
export async function play(text: string, files: Record<string, string> = {}): Promise<void> {
  const ruleset = { text, files };
  const same = procedureName.value;
  const made = await loaded(ruleset);
  const kept = made.described.procedures.some((each) => each.name === same);
  choose(made, kept ? same : undefined, kept ? facts.value : {});
}

export function setFact(name: string, value: any): void {
  const { [name]: _, ...others } = facts.value;
  batch(() => {
    facts.value = value === undefined ? others : { ...others, [name]: value };
    run.value = null;
  });
}

export function setOption(name: string, value: any): void {
  batch(() => {
    options.value = { ...options.value, [name]: value };
    run.value = null;
  });
}

// ---------------------------------------------------------------------------------------------------------- answers

let asked = 0;

/** After each change: what will be read, and the odds. */
effect(() => {
  const on = engine.value;
  const current = game.value;
  const of = question.value;
  const situation = { procedure: procedureName.value, facts: facts.value, options: options.value };
  const isWhole = missing.value.length === 0;
  const turn = ++asked;
  if (on === null || current === null || procedure.value === null) return;
  if (!isWhole) {
    batch(() => {
      faults.value = {};
      problem.value = "";
      preview.value = { readings: [], modifiers: [] };
      odds.value = { answer: null, of, problem: "", working: false };
    });
    return;
  }
  const given = { ruleset: current.ruleset, ...situation };
  const slow = setTimeout(() => turn === asked && (odds.value = { ...odds.peek(), working: true }), 300);
  void on
    .preview(given)
    .then((found) => turn === asked && (preview.value = found))
    .catch(() => turn === asked && (preview.value = { readings: [], modifiers: [] }));
  void on
    .odds({ ...given, of, lowest_terms: true })
    .then((found) => {
      if (turn !== asked) return;
      batch(() => {
        faults.value = {};
        problem.value = "";
        odds.value = { answer: found.answers[0] ?? null, of, problem: "", working: false };
      });
    })
    .catch((error: Error) => {
      if (turn !== asked) return;
      batch(() => {
        faults.value = error instanceof CallError ? Object.fromEntries(error.faults.map((each) => [each.parameter, each.message])) : {};
        odds.value = { answer: null, of, problem: told(error), working: false };
      });
    })
    .finally(() => clearTimeout(slow));
});

function told(error: Error): string {
  return error instanceof Stopped ? "Stopped." : sentence(error.message);
}

export function sentence(text: string): string {
  return text === "" ? "" : `${text[0]!.toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

async function step(make: (on: Engine, ruleset: Ruleset) => Promise<Run>): Promise<void> {
  const on = engine.value;
  const current = game.value;
  if (on === null || current === null) return;
  busy.value = true;
  try {
    take(await make(on, current.ruleset));
  } catch (error) {
    problem.value = told(error as Error);
  } finally {
    busy.value = false;
  }
}

function take(found: Run): void {
  batch(() => {
    problem.value = "";
    run.value = found;
    if (found.outcome !== null) {
      log.value = [{ title: procedure.value?.label ?? found.procedure, run: found }, ...log.value].slice(0, 200);
      announced.value = found.sentence ?? "";
    }
  });
}

/** Begin the combat; with `rolled`, roll all dice until a player must choose. */
export async function begin(rolled: boolean): Promise<void> {
  await step((on, ruleset) => on.begin({ ruleset, procedure: procedureName.value, facts: facts.value, options: options.value }));
  if (rolled) await rollOn();
}

export async function rollOn(): Promise<void> {
  while (run.value?.question?.kind === "roll" || run.value?.question?.kind === "draw") {
    const before = run.value.save;
    await step((on, ruleset) => on.roll({ ruleset, save: before }));
    if (problem.value !== "" || run.value?.save === before) return;
  }
}

export async function answer(given: { answer: any } | { text: string }): Promise<void> {
  const save = run.value?.save;
  if (save !== undefined) await step((on, ruleset) => on.answer({ ruleset, save, ...given }));
}

/** What each answer to the question of a run leads to, in a few words, in their order; empty where there is no difference. */
export async function worth(of: Run): Promise<string[]> {
  const found = await engine.value!.worth({ ruleset: game.value!.ruleset, save: of.save, of: question.value });
  const differing = (each: Worth) => (each.fields ?? []).filter((field) => {
    const same = (other: Worth) => other.fields?.some((its) => its.record === field.record && its.field === field.field && its.mean === field.mean);
    return !found.every(same);
  });
  const told = found.map((each) => {
    const left = differing(each).map(({ record, field, mean }) => `${words(record)}: ${words(field)} ${decimals.format(chanceOf(mean))}`);
    return [left.join(", ") || (each.effects ?? []).map(words).join("; "), each.odds === undefined ? "" : likeliest(each.odds)].filter(Boolean).join("; ");
  });
  return new Set(told).size > 1 ? told : [];
}

/** The mean of numbers, or the likeliest outcomes. */
function likeliest({ outcomes, total }: Distribution): string {
  const shares = outcomes.map(({ value, reduced }): [any, number] => [value, chanceOf(reduced) / chanceOf(total)]);
  if (shares.length > 2 && shares.every(([value]) => typeof value === "number")) {
    return `${decimals.format(shares.reduce((sum, [value, share]) => sum + value * share, 0))} on average`;
  }
  return shares.sort((a, b) => b[1] - a[1]).slice(0, 2).map(([value, share]) => `${shown(value)} ${digits.format(share)}`).join(", ");
}

export async function undo(): Promise<void> {
  const done = run.value;
  if (done === null) return;
  if (done.outcome !== null) log.value = log.value.filter((each) => each.run !== done);
  if (done.log.length === 0) run.value = null;
  else await step((on, ruleset) => on.undo({ ruleset, save: done.save }));
}

/** Take over the losses of a combat: the records as they are afterwards. */
export function apply(): void {
  const outcome = run.value?.outcome;
  const after = outcome?.status === "resolved" ? outcome.state : {};
  const states = Object.assign({}, ...Object.values(after)) as Record<string, Record<string, any>>;
  const renewed = (value: any): any => {
    if (Array.isArray(value)) return value.map(renewed);
    const state = value !== null && typeof value === "object" ? states[value.name] : undefined;
    return state === undefined ? value : { ...value, ...state };
  };
  facts.value = Object.fromEntries(Object.entries(facts.value).map(([name, value]) => [name, renewed(value)]));
  run.value = null;
  announced.value = "The losses were applied.";
}

/** Keep the situation and its odds, to compare others with it. */
export function keep(): void {
  const { answer } = odds.value;
  if (answer === null) return;
  kept.value = { title: procedure.value?.label ?? procedureName.value, procedure: procedureName.value, facts: facts.value, options: options.value, answer };
}

/** What differs from the kept situation: the name, the value there and the value here. */
export const differences = computed<[string, any, any][]>(() => {
  const before = kept.value;
  if (before === null) return [];
  const changed = (fields: Field[], there: Record<string, any>, here: Record<string, any>) =>
    fields
      .map(({ name, label, default: usual }): [string, any, any] => [words(label ?? name), there[name] ?? usual, here[name] ?? usual])
      .filter(([, a, b]) => JSON.stringify(a) !== JSON.stringify(b));
  const found = changed(procedure.value?.inputs ?? [], before.facts, facts.value);
  const set = changed(game.value?.described.options ?? [], before.options, options.value);
  const other: [string, any, any][] = before.procedure === procedureName.value ? [] : [["procedure", before.title, procedure.value?.label ?? procedureName.value]];
  return [...other, ...found, ...set];
});

export async function explained(of: Run, length: "short" | "usual" | "all"): Promise<{ text: string; steps: Step[] }> {
  return engine.value!.explain({ ruleset: game.value!.ruleset, save: of.save, length });
}

// ----------------------------------------------------------------------------------------------------------- links

export async function share(): Promise<string> {
  const shared: Shared = {
    ruleset: game.value!.ruleset,
    procedure: procedureName.value,
    facts: facts.value,
    options: options.value,
    save: run.value?.save,
  };
  return linkOf(shared);
}

async function open(shared: Shared): Promise<void> {
  try {
    const known = shipped.value.find((each) => each.ruleset === shared.ruleset);
    choose(known ?? (await loaded(shared.ruleset)), shared.procedure, shared.facts);
    options.value = shared.options ?? {};
    if (shared.save !== undefined) take(await engine.value!.resume({ ruleset: shared.ruleset, save: shared.save }));
  } catch (error) {
    problem.value = `This link can't be opened: ${(error as Error).message}`;
  }
}
