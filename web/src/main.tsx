// The page: the first view with the games, and the four views of a game.

import { render, type JSX } from "preact";
import { useEffect } from "preact/hooks";

import { CardView } from "./card";
import { OddsView } from "./odds";
import { Play } from "./play";
import "./style.css";
import { announced, choose, engineState, game, problem, shipped, start, view, words, type Game, type View } from "./state";
import { Write } from "./write";

const VIEWS: [View, string][] = [["play", "Play"], ["odds", "Odds"], ["write", "Write"], ["card", "Card"]];

function App(): JSX.Element {
  useEffect(() => {
    document.title = game.value === null ? "Enfilade" : `${game.value.described.title} · Enfilade`;
  });
  useEffect(() => scrollTo(0, 0), [game.value, view.value]);
  return (
    <>
      <header class="top">
        <button type="button" class="brand" onClick={() => { leave(); history.replaceState(null, "", location.pathname + location.search); }}>Enfilade</button>
        {game.value !== null && <h1>{game.value.described.title}</h1>}
        {(game.value !== null || view.value === "write") && (
          <nav aria-label="Views">
            {VIEWS.map(([name, label]) => (
              <button key={name} type="button" aria-current={view.value === name ? "page" : undefined} disabled={game.value === null && name !== "write"} onClick={() => (view.value = name)}>{label}</button>
            ))}
          </nav>
        )}
      </header>
      <main>{game.value === null && view.value === "write" && <h1 class="hidden">Write a ruleset</h1>}{view.value === "write" ? <Write /> : game.value === null ? <Games /> : view.value === "play" ? <Play /> : view.value === "odds" ? <OddsView /> : <CardView />}</main>
      <p class="hidden" role="status" aria-live="polite">{announced.value}</p>
    </>
  );
}

function leave(): void {
  game.value = null;
  view.value = "play";
}

function Games(): JSX.Element {
  return (
    <div class="games">
      <h1 class="hidden">Enfilade</h1>
      <p>Pick a game, set the situation, and see the odds before you roll. Every result tells which rule it comes from.</p>
      {problem.value !== "" && <p class="fault" role="alert">{problem.value}</p>}
      {shipped.value.length === 0 && <p role="status">{engineState.value}…</p>}
      <ul>
        {shipped.value.map((each) => (
          <li key={each.described.name}>
            <button type="button" onClick={() => { choose(each); history.pushState({ game: each.described.name }, ""); }}>
              <Thumbnail game={each} />
              <b>{each.described.title}</b>
              <small>{each.described.procedures.length === 1 ? each.described.procedures[0]!.label : `${each.described.procedures.length} procedures`}</small>
            </button>
          </li>
        ))}
        <li>
          <button type="button" onClick={() => (view.value = "write")}>
            <span class="thumbnail own" aria-hidden="true">+</span>
            <b>Your own chart</b>
            <small>write it, paste it, or open a file</small>
          </button>
        </li>
      </ul>
    </div>
  );
}

/** The first chart of a game, small. */
function Thumbnail({ game: of }: { game: Game }): JSX.Element {
  const chart = [...of.charts].sort((a, b) => (b.cells?.length ?? 0) - (a.cells?.length ?? 0))[0];
  if (chart?.cells === undefined) return <span class="thumbnail own" aria-hidden="true">{words(of.described.title).slice(0, 1)}</span>;
  return (
    <span class="thumbnail" aria-hidden="true">
      {chart.cells.slice(0, 8).map((row: any, at: number) => (
        <span key={at}>{(Array.isArray(row) ? row : [row]).slice(0, 10).map((cell: any, column: number) => <i key={column} class={/^[-0 ]*$/.test([cell].flat().join("")) ? "" : "some"} />)}</span>
      ))}
    </span>
  );
}

render(<App />, document.getElementById("app")!);
void start();

// Back leads from a game to the games, not away from the page.
addEventListener("popstate", (event) => {
  const wanted = shipped.value.find((each) => each.described.name === event.state?.game);
  if (wanted === undefined) leave();
  else choose(wanted);
});

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || (event.target as HTMLElement).closest("input, select, textarea, .cm-editor")) return;
  const press = (name: string) => [...document.querySelectorAll<HTMLButtonElement>("main button")].find((each) => each.textContent === name && !each.disabled)?.click();
  if (event.key === "r") press("Roll");
  else if (event.key === "w") press("Why");
  else if (event.key === "u") press("Undo");
  else if (event.key === "e") view.value = "write";
  else if (event.key === "/") {
    event.preventDefault();
    document.querySelector<HTMLElement>(".form input, .form select")?.focus();
  }
});

if ("serviceWorker" in navigator && import.meta.env.PROD) void navigator.serviceWorker.register("./sw.js");
