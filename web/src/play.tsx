// Play: the situation, the chart, the dice, and what came of them.

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { Bars, Charts, Code, meaning, percent } from "./chart";
import { Form } from "./form";
import { asPicture, asText, offer, type Told } from "./picture";
import {
  answer, apply, begin, busy, chanceOf, chooseProcedure, engine, engineState, explained, facts, game, log, missing, odds, preview, problem, procedure, rollOn, run,
  sentence, share, shown, undo, words, worth, type Question, type Run, type Step,
} from "./state";

export function Play(): JSX.Element {
  return (
    <div class="panes">
      <section class="pane" aria-labelledby="situation-title">
        <h2 id="situation-title">Situation</h2>
        <Procedures />
        <Form />
      </section>
      <section class="pane" aria-labelledby="chart-title">
        <h2 id="chart-title">Chart</h2>
        <Modifiers />
        <Charts />
      </section>
      <section class="pane" aria-labelledby="result-title">
        <h2 id="result-title">{run.value?.outcome ? "Result" : "Odds"}</h2>
        <Result />
        <Odds />
        <Log />
      </section>
      <Dice />
    </div>
  );
}

export function Procedures(): JSX.Element | null {
  const all = game.value?.described.procedures ?? [];
  if (all.length < 2) return <p class="procedure">{procedure.value?.label}<Cites cites={procedure.value?.cites ?? []} /></p>;
  return (
    <label class="line procedure">
      <span class="hidden">Procedure</span>
      <select value={procedure.value?.name} onChange={(event) => chooseProcedure(event.currentTarget.value)}>
        {all.map((each) => <option key={each.name} value={each.name}>{each.label}</option>)}
      </select>
    </label>
  );
}

export function Cites({ cites }: { cites: string[] }): JSX.Element | null {
  return cites.length === 0 ? null : <span class="cites"> [{cites.join(", ")}]</span>;
}

/** The modifiers that apply, and what they come to. */
function Modifiers(): JSX.Element | null {
  const { modifiers } = preview.value;
  if (missing.value.length > 0 || modifiers.length === 0) return null;
  return <>{groupsOf(modifiers).map(({ readers, steps }) => <Group key={readers.join()} readers={readers} steps={steps} />)}</>;
}

interface ModifierGroup {
  readers: string[];
  steps: Step[];
}

/** The modifiers of each reading: a unit may have others than its hex. Units with the same modifiers are one group. */
function groupsOf(modifiers: Step[]): ModifierGroup[] {
  const byReader = new Map<string, Step[]>();
  for (const each of modifiers) byReader.set(each.reader ?? "", [...(byReader.get(each.reader ?? "") ?? []), each]);
  const groups = new Map<string, ModifierGroup>();
  for (const [reader, steps] of byReader) {
    const same = JSON.stringify(steps.map((each) => [each.step, each.value]));
    groups.set(same, { readers: [...(groups.get(same)?.readers ?? []), reader], steps });
  }
  return [...groups.values()];
}

function Group({ readers, steps }: ModifierGroup): JSX.Element {
  const net = steps.reduce((sum, each) => sum + (typeof each.value === "number" ? each.value : 0), 0);
  // What applies to the hex applies to all others, too.
  const whose = readers.includes("") ? "" : readers.map(words).join(", ");
  return (
    <>
      {whose !== "" && <h3 class="whose">{whose}</h3>}
      <ul class="modifiers" aria-label={`Modifiers${whose === "" ? "" : ` of ${whose}`}, ${net} in all`}>
        {steps.map((each, at) => <li key={at}>{each.step}<Cites cites={each.cites} /></li>)}
        {steps.length > 1 && <li class="net">net {net > 0 ? `+${net}` : net}</li>}
      </ul>
    </>
  );
}

function Odds(): JSX.Element | null {
  if (missing.value.length > 0) return <p class="hint">The odds appear when the situation is complete.</p>;
  return (
    <div class="odds">
      {run.value?.outcome && <h3>Odds</h3>}
      {odds.value.of !== "" && odds.value.of !== "result" && <p class="hint">of {words(odds.value.of)}</p>}
      <Bars />
      {odds.value.working && <button type="button" onClick={() => engine.value?.stop()}>Stop</button>}
    </div>
  );
}

// ------------------------------------------------------------------------------------------------------------- dice

function Dice(): JSX.Element {
  const current = run.value;
  const question = current?.question ?? null;
  const isReady = missing.value.length === 0 && engine.value !== null && !busy.value;
  return (
    <section class="dice" aria-label="Dice">
      {problem.value !== "" && <p class="fault" role="alert">{problem.value}</p>}
      {engineState.value !== "" && <p class="hint" role="status">{engineState.value}…</p>}
      {question === null && missing.value.length > 0 && <p class="hint">Still needed: {missing.value.map((each) => words(each.label ?? each.name)).join("; ")}</p>}
      {question === null ? (
        <div class="actions">
          <button type="button" class="main" disabled={!isReady} onClick={() => void begin(true)}>Roll</button>
          <button type="button" disabled={!isReady} onClick={() => void begin(false)}>My dice</button>
          {current !== null && <button type="button" onClick={() => void undo()}>Undo</button>}
        </div>
      ) : question.kind === "roll" ? (
        <OwnDice key={question.key} question={question} />
      ) : question.kind === "choice" || question.kind === "fact" ? (
        <Choice key={current!.save} current={current!} question={question} />
      ) : (
        <div class="actions">
          <span>{sentence(words(question.text))}</span>
          <button type="button" class="main" onClick={() => void rollOn()}>Draw</button>
          <button type="button" onClick={() => void undo()}>Undo</button>
        </div>
      )}
    </section>
  );
}

function OwnDice({ question }: { question: Question & { kind: "roll" } }): JSX.Element {
  const [text, setText] = useState("");
  const dice = question.legal.map((each) => `${each.count}${/^d\d/.test(each.die) ? "" : " "}${words(each.die)}`).join(", ");
  const send = () => void answer({ text });
  return (
    <form class="actions" onSubmit={(event) => { event.preventDefault(); send(); }}>
      <label>
        {question.player !== null && `${words(question.player)}: `}{words(question.text)}, {dice}{question.reads_total ? ": dice or their total" : ""}
        <input type="text" inputMode="text" autocomplete="off" value={text} onInput={(event) => setText(event.currentTarget.value)} disabled={busy.value} ref={(box) => box?.focus()} />
      </label>
      <button type="submit" class="main" disabled={busy.value || text.trim() === ""}>Use these</button>
      <button type="button" onClick={() => void rollOn()}>Roll instead</button>
      <button type="button" onClick={() => void undo()}>Back</button>
    </form>
  );
}

function Choice({ current, question }: { current: Run; question: Question & { kind: "choice" | "fact" } }): JSX.Element {
  const [picked, setPicked] = useState<any[]>([]);
  const [worths, setWorths] = useState<string[]>([]);
  // What can't be told is left out.
  useEffect(() => void worth(current).then(setWorths, () => setWorths([])), [current]);
  const legal: any[] = Array.isArray(question.legal) ? question.legal : [];
  const takesOne = question.kind === "fact" || question.count === null;
  if (legal.length === 0) return <TypedAnswer prompt={current.prompt ?? ""} />;
  const toggle = (option: any) => setPicked(picked.includes(option) ? picked.filter((each) => each !== option) : [...picked, option]);
  return (
    <fieldset class="choice">
      <legend>{question.player !== null && <b>{words(question.player)}: </b>}{sentence(words(question.text))}</legend>
      <div class="actions">
        {legal.map((option, at) => (
          <span key={at} class="choosable">
            <button type="button" aria-pressed={takesOne ? undefined : picked.includes(option)} class="option" disabled={busy.value}
              aria-describedby={worths[at] ? `worth-${at}` : undefined}
              onClick={() => (takesOne ? void answer({ answer: option }) : toggle(option))}>
              {shown(option)}
            </button>
            {worths[at] && <small id={`worth-${at}`}>{worths[at]}</small>}
          </span>
        ))}
        {!takesOne && <button type="button" class="main" onClick={() => void answer({ answer: picked })}>Choose these</button>}
        <button type="button" onClick={() => void undo()}>Undo</button>
      </div>
    </fieldset>
  );
}

function TypedAnswer({ prompt }: { prompt: string }): JSX.Element {
  const [text, setText] = useState("");
  return (
    <form class="actions" onSubmit={(event) => { event.preventDefault(); void answer({ text }); }}>
      <label>{prompt}<input type="text" value={text} onInput={(event) => setText(event.currentTarget.value)} /></label>
      <button type="submit" class="main">Answer</button>
      <button type="button" onClick={() => void undo()}>Undo</button>
    </form>
  );
}

// ----------------------------------------------------------------------------------------------------------- result

function Result(): JSX.Element | null {
  const done = run.value;
  const box = useRef<HTMLDivElement>(null);
  // On a phone the result is below the form, so it comes into view.
  useEffect(() => {
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    box.current?.scrollIntoView({ block: "nearest", behavior: isCalm ? "auto" : "smooth" });
  }, [done]);
  if (done === null || done.outcome === null) return null;
  if (done.outcome.status === "refused") {
    return <div class="result" ref={box}><p><b>Not allowed.</b> {sentence(done.outcome.message)}<Cites cites={done.outcome.cites} /></p></div>;
  }
  const { result, outputs, dice, state } = done.outcome;
  const effects = done.effects ?? [];
  const units = Object.keys(state).length > 0;
  return (
    <div class="result" ref={box}>
      {"result" in outputs && <p class="code"><Code value={result} /> <span>{meaning(result)}</span></p>}
      {(done.readings?.length ?? 0) > 0 && <p>{sentence(done.sentence ?? "")}</p>}
      {effects.length > 0 && <ul>{effects.map((each, at) => <li key={at}>{words(each)}</li>)}</ul>}
      {(done.outputs?.length ?? 0) > 0 && <ul class="outputs">{done.outputs!.map((each, at) => <li key={at}>{each}</li>)}</ul>}
      {dice.length > 0 && <p class="hint">{dice.map((each) => ("roll" in each ? `${words(each.roll)}: ${shown(each.faces)}` : `${words(each.draw)}: ${shown(each.cards)}`)).join("; ")}</p>}
      <Why done={done} />
      <div class="actions">
        {units && effects.length > 0 && <button type="button" onClick={apply}>Apply</button>}
        <Share done={done} />
      </div>
    </div>
  );
}

function Why({ done }: { done: Run }): JSX.Element {
  const [length, setLength] = useState<"" | "usual" | "all">("");
  const [steps, setSteps] = useState<Step[]>([]);
  useEffect(() => {
    if (length !== "") void explained(done, length).then((found) => setSteps(found.steps));
  }, [length, done]);
  return (
    <div class="why">
      <div class="actions">
        <button type="button" aria-expanded={length !== ""} onClick={() => setLength(length === "" ? "usual" : "")}>Why</button>
        {length !== "" && <button type="button" aria-pressed={length === "all"} onClick={() => setLength(length === "all" ? "usual" : "all")}>Every step</button>}
      </div>
      {length !== "" && (
        <ol>
          {steps.map((each, at) => (
            <li key={at} style={{ marginInlineStart: `${each.depth}em` }} class={each.applied === false ? "off" : ""}>
              {each.step}{each.applied === false && each.because ? `: ${each.because}` : ""}<Cites cites={each.cites} />
              {each.assumed !== null && <small class="note"> Assumed: {each.assumed}</small>}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

/** The combat in words: its situation, its result, and its odds. */
function retold(done: Run): Told {
  const inputs = procedure.value?.inputs ?? [];
  const outcome = done.outcome?.status === "resolved" ? done.outcome : null;
  const { answer } = odds.value;
  const code = outcome !== null && "result" in outcome.outputs ? shown(outcome.result) : "";
  return {
    title: game.value?.described.title ?? "",
    procedure: procedure.value?.label ?? words(done.procedure),
    situation: inputs.filter(({ name }) => facts.value[name] !== undefined).map(({ name }) => `${words(name)} ${shown(facts.value[name])}`),
    result: [code, meaning(outcome?.result)].filter(Boolean).join(": ") || sentence(done.sentence ?? ""),
    lines: [...new Set([sentence(done.sentence ?? ""), ...(done.effects ?? []).map(words), ...(done.outputs ?? [])])].filter(Boolean),
    odds: (answer?.outcomes ?? []).slice(0, 16).map(({ value, reduced }) => {
      const share = chanceOf(reduced) / chanceOf(answer!.total);
      return { label: shown(value), share, text: percent(share), isResult: code !== "" && JSON.stringify(value) === JSON.stringify(outcome?.result) };
    }),
  };
}

function Share({ done }: { done: Run }): JSX.Element {
  const [told, setTold] = useState("");
  const copy = async () => {
    const address = await share();
    history.replaceState(null, "", address);
    try {
      await navigator.clipboard.writeText(address);
      setTold("The link is copied. It holds rules, facts and dice.");
    } catch {
      setTold("The link is in the address bar. It holds rules, facts and dice.");
    }
  };
  const copyText = async () => {
    const text = asText(retold(done));
    try {
      await navigator.clipboard.writeText(text);
      setTold("The combat is copied as text.");
    } catch {
      offer(new Blob([text], { type: "text/plain" }), "combat.txt");
      setTold("The combat is saved as text, because this browser does not let pages copy.");
    }
  };
  return (
    <>
      <button type="button" onClick={() => void copy()}>Share</button>
      <button type="button" onClick={() => void copyText()}>Copy as text</button>
      <button type="button" onClick={() => void asPicture(retold(done)).then((picture) => offer(picture, "combat.png"))}>Save as picture</button>
      <span role="status" class="hint">{told}</span>
    </>
  );
}

function Log(): JSX.Element | null {
  if (log.value.length === 0) return null;
  return (
    <details class="log">
      <summary>{log.value.length === 1 ? "1 combat" : `${log.value.length} combats`}</summary>
      <ol reversed>{log.value.map((each, at) => <li key={at}>{each.title}: {each.run.sentence}</li>)}</ol>
    </details>
  );
}
