// Odds: one situation in detail, what matters in it, and how a chance changes with one or two facts.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

import type { Distribution, Grid, Matters } from "../client/src/index.ts";
import { Bars, percent } from "./chart";
import { Form } from "./form";
import { Procedures } from "./play";
import { chanceOf, decimals, differences, engine, facts, game, keep, kept, missing, odds, options, procedure, question, sentence, shown, words, type Kept } from "./state";

export function OddsView(): JSX.Element {
  const [isCumulative, setCumulative] = useState(false);
  return (
    <div class="panes">
      <section class="pane" aria-labelledby="odds-situation"><h2 id="odds-situation">Situation</h2><Procedures /><Form /></section>
      <section class="pane" aria-labelledby="odds-title">
        <h2 id="odds-title">Odds</h2>
        <label class="switch"><input type="checkbox" role="switch" checked={isCumulative} onChange={(event) => setCumulative(event.currentTarget.checked)} /><span>This or worse</span></label>
        {missing.value.length > 0 ? <p class="hint">The odds appear when the situation is complete.</p> : <Bars isCumulative={isCumulative} against={kept.value?.answer ?? null} />}
        <Comparison />
      </section>
      <section class="pane" aria-labelledby="ask-title"><h2 id="ask-title">Ask</h2><Ask /></section>
    </div>
  );
}

/** Keeps a situation, and says what differs from it. */
function Comparison(): JSX.Element {
  const before = kept.value;
  if (before === null) {
    return <div class="actions"><button type="button" disabled={odds.value.answer === null} onClick={keep}>Compare with another situation</button></div>;
  }
  return (
    <>
      {differences.value.length === 0 && <p class="hint">This situation is kept. Change facts to see what they change.</p>}
      <ul aria-label="What differs">
        {differences.value.map(([name, there, here]) => <li key={name}>{name}: {shown(there)} → {shown(here)}</li>)}
      </ul>
      <InTurn first={before} />
      <div class="actions">
        <button type="button" disabled={odds.value.answer === null} onClick={keep}>Keep this one instead</button>
        <button type="button" onClick={() => (kept.value = null)}>End the comparison</button>
      </div>
    </>
  );
}

/** The odds of the kept situation and then this one, which finds the units as the first left them. */
function InTurn({ first }: { first: Kept }): JSX.Element {
  const [answer, setAnswer] = useState<Distribution | null>(null);
  const [problem, setProblem] = useState("");
  const title = `${first.title}, then ${procedure.value?.label ?? words(procedure.value?.name ?? "")}`;
  useEffect(() => setAnswer(null), [first, procedure.value, facts.value, options.value]);
  const ask = async () => {
    setProblem("");
    try {
      const found = await engine.value!.odds({
        ruleset: game.value!.ruleset, procedure: first.procedure, facts: first.facts, options: options.value,
        then: [{ procedure: procedure.value!.name, facts: facts.value }], of: question.value, lowest_terms: true,
      });
      setAnswer(found.answers[0] ?? null);
    } catch (error) {
      setProblem(sentence((error as Error).message));
    }
  };
  return (
    <>
      <div class="actions"><button type="button" disabled={odds.value.answer === null} onClick={() => void ask()}>Odds of both in turn</button></div>
      {problem !== "" && <p class="fault" role="alert">{problem}</p>}
      <div aria-live="polite">{answer !== null && <><h3>{title}</h3>{chance(answer)}</>}</div>
    </>
  );
}

function Ask(): JSX.Element {
  const [of, setOf] = useState("");
  const [by, setBy] = useState("");
  const [and, setAnd] = useState("");
  const [turns, setTurns] = useState("");
  const [until, setUntil] = useState("");
  const [shownTable, setTable] = useState<JSX.Element | null>(null);
  const [problem, setProblem] = useState("");
  const [isWorking, setWorking] = useState(false);
  const names = procedure.value?.inputs.filter((each) => ["integer", "boolean"].includes(each.schema.type) || each.schema.enum).map((each) => each.name) ?? [];

  const ask = async (make: () => Promise<JSX.Element>) => {
    setProblem("");
    setWorking(true);
    try {
      setTable(await make());
    } catch (error) {
      setProblem(sentence((error as Error).message));
    } finally {
      setWorking(false);
    }
  };
  const situation = () => ({ ruleset: game.value!.ruleset, procedure: procedure.value!.name, facts: facts.value, options: options.value });
  const condition = () => (of.trim() === "" ? question.value : of.trim());
  // How often it is played; what is asked without a condition is how many turns it takes.
  const again = () => (until.trim() !== "" ? { until: until.trim() } : turns === "" ? {} : { turns: Number(turns) });
  const canAsk = missing.value.length === 0 && (of.trim() !== "" || until.trim() !== "");
  const asked = () => (of.trim() === "" ? "turns" : of.trim());

  return (
    <div class="ask">
      <label class="line">Chance of<input type="text" placeholder={`${question.value} is …`} value={of} onInput={(event) => setOf(event.currentTarget.value)} /></label>
      <label class="line">in turns<input type="number" min={1} inputMode="numeric" placeholder="1" value={turns} disabled={until.trim() !== ""} onInput={(event) => setTurns(event.currentTarget.value)} /></label>
      <label class="line">or until<input type="text" placeholder="a condition" value={until} onInput={(event) => setUntil(event.currentTarget.value)} /></label>
      <div class="actions">
        <button type="button" class="main" disabled={!canAsk} onClick={() => void ask(async () => chance((await engine.value!.odds({ ...situation(), ...again(), of: asked(), lowest_terms: true })).answers[0]!))}>Chance</button>
        <button type="button" disabled={of.trim() === "" || missing.value.length > 0} onClick={() => void ask(async () => matters(await engine.value!.matters({ ...situation(), of: condition() })))}>What matters</button>
        {isWorking && <button type="button" onClick={() => engine.value?.stop()}>Stop</button>}
      </div>
      <label class="line">by
        <select value={by} onChange={(event) => setBy(event.currentTarget.value)}><option value="">a fact</option>{names.map((name) => <option key={name} value={name}>{words(name)}</option>)}</select>
      </label>
      <label class="line">and
        <select value={and} onChange={(event) => setAnd(event.currentTarget.value)}><option value="">no other</option>{names.filter((name) => name !== by).map((name) => <option key={name} value={name}>{words(name)}</option>)}</select>
      </label>
      <div class="actions">
        <button type="button" disabled={by === "" || of.trim() === ""} onClick={() => void ask(async () => {
          const varied = Object.fromEntries([by, and].filter(Boolean).map((name) => [name, valuesOf(name)]));
          const kept = Object.fromEntries(Object.entries(facts.value).filter(([name]) => !(name in varied)));
          return grid(await engine.value!.grid({ ...situation(), facts: kept, by: varied, of: condition() }), Object.keys(varied));
        })}>Table</button>
      </div>
      {problem !== "" && <p class="fault" role="alert">{problem}</p>}
      <div aria-live="polite">{shownTable}</div>
    </div>
  );
}

/** The values to try: those that the fact may have, or some around its own if there is no end to them. */
function valuesOf(name: string): any[] | null {
  const schema = procedure.value!.inputs.find((each) => each.name === name)!.schema;
  if (schema.type !== "integer" || (schema.minimum !== undefined && schema.maximum !== undefined)) return null;
  const low = schema.minimum ?? 0;
  const high = Math.max(low + 19, Number(facts.value[name] ?? low) + 10);
  return Array.from({ length: high - low + 1 }, (_, at) => low + at);
}

type Cell = Grid["cells"][number];

function truth(answer: Distribution): number {
  const yes = answer.outcomes.find((each) => each.value === true);
  return yes === undefined ? 0 : chanceOf(yes.reduced) / chanceOf(answer.total);
}

function chance(answer: Distribution): JSX.Element {
  if (answer.outcomes.every((each) => typeof each.value === "boolean")) {
    const yes = answer.outcomes.find((each) => each.value === true);
    return <p class="big">{percent(truth(answer))} <small>{yes?.reduced ?? "0"}</small></p>;
  }
  const rows = answer.outcomes.map((each): [any, number] => [each.value, chanceOf(each.reduced) / chanceOf(answer.total)]);
  const isNumeric = rows.every(([value]) => typeof value === "number");
  // A long tail of numbers is one row.
  const seen = isNumeric ? rows.findLastIndex(([, share]) => share >= 0.0005) + 1 : rows.length;
  const rest = rows.slice(seen).reduce((sum, [, share]) => sum + share, 0);
  return (
    <table><tbody>
      {rows.slice(0, seen).map(([value, share]) => <tr key={JSON.stringify(value)}><th scope="row">{shown(value)}</th><td>{percent(share)}</td></tr>)}
      {seen < rows.length && <tr><th scope="row">{shown(rows[seen]![0])} or more</th><td>{percent(rest)}</td></tr>}
      {isNumeric && <tr><th scope="row">on average</th><td>{decimals.format(rows.reduce((sum, [value, share]) => sum + value * share, 0))}</td></tr>}
    </tbody></table>
  );
}

function matters(found: Matters): JSX.Element {
  return (
    <table>
      <caption>{found.of}: {number(found.as_is)} as it is</caption>
      <thead><tr><th>Modifier</th><th>if not</th><th>if it applies</th></tr></thead>
      <tbody>{found.modifiers.map((each, at) => (
        <tr key={at}><th scope="row">{each.label ?? words(each.name)}{each.reader === null ? "" : ` (${each.reader})`}</th><td>{number(each.left_out)}</td><td>{number(each.applied)}</td></tr>
      ))}</tbody>
    </table>
  );
}

function number(value: any): string {
  if (value === null || value === undefined) return "–";
  return typeof value === "string" && value.includes("/") ? percent(chanceOf(value)) : String(value);
}

/** A table over one fact, or a heat map over two. Chances are numbers as well as colours. */
function grid(found: Grid, names: string[]): JSX.Element {
  const rows = found.cells;
  const of = (row: Cell) => (row.odds === undefined ? Number.NaN : truth(row.odds));
  const at = (row: Cell, name: string) => row.facts[name];
  const text = (row: Cell) => (Number.isNaN(of(row)) ? "–" : percent(of(row)));
  const heat = (row: Cell) => ({ "--heat": `${Math.round((Number.isNaN(of(row)) ? 0 : of(row)) * 100)}%` });
  if (names.length === 1) {
    return (
      <table class="heat"><thead><tr><th>{words(names[0]!)}</th><th>chance</th></tr></thead>
        <tbody>{rows.map((row, place) => <tr key={place}><th scope="row">{shown(at(row, names[0]!))}</th><td style={heat(row)}>{text(row)}</td></tr>)}</tbody></table>
    );
  }
  const [down, across] = names as [string, string];
  const columns = [...new Set(rows.map((row) => JSON.stringify(at(row, across))))];
  const lines = [...new Set(rows.map((row) => JSON.stringify(at(row, down))))];
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={`${words(down)} by ${words(across)}`}>
      <table class="heat">
        <thead><tr><th>{words(down)} \ {words(across)}</th>{columns.map((each) => <th key={each} scope="col">{shown(JSON.parse(each))}</th>)}</tr></thead>
        <tbody>{lines.map((line) => (
          <tr key={line}><th scope="row">{shown(JSON.parse(line))}</th>
            {columns.map((column) => {
              const row = rows.find((each) => JSON.stringify(at(each, down)) === line && JSON.stringify(at(each, across)) === column);
              return <td key={column} style={row && heat(row)}>{row ? text(row) : ""}</td>;
            })}
          </tr>
        ))}</tbody>
      </table>
    </div>
  );
}
