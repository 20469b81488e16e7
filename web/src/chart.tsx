// A chart as it is printed, with the column that will be read and the cell that was read.

import type { JSX } from "preact";

import type { Distribution } from "../client/src/index.ts";
import { chanceOf, game, odds, preview, run, words, type Chart, type Reading } from "./state";

/** The charts that the situation reads; all of them if none is known. */
export function Charts(): JSX.Element | null {
  const current = game.value;
  if (current === null) return null;
  const read = run.value?.readings ?? preview.value.readings;
  const names = new Set(read.map((each) => each.chart));
  const known = new Set(current.charts.map((chart) => chart.name));
  // A chart that only says which chart to read needs no picture.
  const selects = (chart: Chart) => chart.cells !== undefined && chart.cells.length > 0 && chart.cells.flat(2).every((cell: string) => known.has(cell));
  const charts = current.charts.filter((chart) => names.has(chart.name) && !selects(chart));
  return (
    <div class="charts">
      {(charts.length > 0 ? charts : current.charts.slice(0, 1)).map((chart) => (
        <ChartView key={chart.name} chart={chart} readings={read.filter((each) => each.chart === chart.name)} />
      ))}
    </div>
  );
}

/** The tables of a chart: one for each page. */
function pagesOf(chart: Chart): { labels: string[]; cells: any[][] }[] {
  return chart.pages ?? [{ labels: [], cells: chart.cells ?? [] }];
}

/** A chart; `missed` are cells to mark, as "page row column". */
export function ChartView({ chart, readings, missed }: { chart: Chart; readings: Reading[]; missed?: Set<string> }): JSX.Element {
  const pages = pagesOf(chart);
  const only = new Set(readings.map((each) => each.page ?? 0));
  return (
    <figure class="chart">
      <figcaption>{chart.title}</figcaption>
      {pages.map((page, number) =>
        only.size > 0 && !only.has(number) ? null : (
          <div class="scroll" tabIndex={0} key={number} role="region" aria-label={`${chart.title} ${page.labels.map(words).join(", ")}`}>
            {page.labels.length > 0 && <p class="page">{page.labels.map(words).join(", ")}</p>}
            <table>
              {chart.columns !== undefined && (
                <thead>
                  <tr>
                    <td />
                    {chart.columns.map((label, column) => (
                      <th key={column} scope="col" class={lit(readings, number, null, column)}>{words(label)}</th>
                    ))}
                  </tr>
                </thead>
              )}
              <tbody>
                {chart.rows.map((label, row) => (
                  <tr key={row}>
                    <th scope="row" class={readings.some((each) => each.row === row) ? "lit" : ""}>{words(label)}</th>
                    {cellsOf(page.cells[row]).map((cell, column) => (
                      <td key={column} class={missed?.has(`${number} ${row} ${column}`) ? "missed" : lit(readings, number, row, column)} >
                        {missed?.has(`${number} ${row} ${column}`) && <span class="hidden">not reached: </span>}
                        <Parts cell={cell} bold={readings.find((each) => each.row === row && each.column === column)?.inside ?? null} />
                        {readings.some((each) => each.row === row && each.column === column) && <span class="hidden"> (the result)</span>}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        ),
      )}
    </figure>
  );
}

function cellsOf(row: any): any[] {
  return Array.isArray(row) ? row : [row];
}

/** The value of a cell; of several values, the one that was read stands out. */
function Parts({ cell, bold }: { cell: any; bold: number | null }): JSX.Element {
  if (!Array.isArray(cell)) return <>{words(String(cell))}</>;
  return <>{cell.map((part, at) => (at === bold ? <mark key={at}>{words(String(part))}</mark> : <span key={at} class={bold === null ? "" : "off"}>{words(String(part))}</span>))}</>;
}

function lit(readings: Reading[], page: number, row: number | null, column: number): string {
  const here = readings.filter((each) => each.column === column && (each.page ?? 0) === page);
  if (here.length === 0) return "";
  return row !== null && here.some((each) => each.row === row) ? "lit cell" : "lit";
}

interface Chance {
  value: any;
  key: string;
  share: number;
  fraction: string;
}

/** The chances of a distribution in its order; of each value or more, if they are cumulative. */
function chancesOf(answer: Distribution, isCumulative: boolean): Chance[] {
  const total = chanceOf(answer.total);
  const each = answer.outcomes.map(({ value, reduced }) => ({ value, key: JSON.stringify(value), share: chanceOf(reduced) / total, fraction: reduced }));
  if (!isCumulative) return each;
  return each.map((line, at) => ({ ...line, share: each.slice(at).reduce((sum, { share }) => sum + share, 0), fraction: "" }));
}

/** The values of both distributions, each list in its order. */
function bothOf(first: Chance[], second: Chance[]): Chance[] {
  const found = [...second];
  first.forEach((each, at) => {
    if (found.some(({ key }) => key === each.key)) return;
    const before = first[at - 1];
    found.splice(before === undefined ? 0 : found.findIndex(({ key }) => key === before.key) + 1, 0, each);
  });
  return found;
}

/** The chance of a value; cumulative chances of a value that can't come are those of the next one. */
function shareOf(value: Chance, among: Chance[], order: Chance[], isCumulative: boolean): number {
  const rest = isCumulative ? order.slice(order.findIndex(({ key }) => key === value.key)) : [value];
  for (const { key } of rest) {
    const found = among.find((each) => each.key === key);
    if (found !== undefined) return found.share;
  }
  return 0;
}

/** The chance of each result, as bars that are also a table; beside those of another situation, if one is given. */
export function Bars({ isCumulative = false, against = null }: { isCumulative?: boolean; against?: Distribution | null }): JSX.Element | null {
  const { answer, problem, working } = odds.value;
  if (problem !== "") return <p class="fault" role="status">{problem}</p>;
  if (answer === null) return working ? <p role="status">Working out the odds…</p> : null;
  const here = chancesOf(answer, isCumulative);
  const there = against === null ? null : chancesOf(against, isCumulative);
  const lines = there === null ? here : bothOf(there, here);
  const outcome = run.value?.outcome;
  const result = outcome?.status === "resolved" ? JSON.stringify(outcome.result) : undefined;
  const chance = isCumulative ? "Chance of this or worse" : "Chance";
  return (
    <table class={there === null ? "bars" : "bars both"} aria-busy={working}>
      <caption class="hidden">Chance of each result</caption>
      <thead class={there === null ? "hidden" : ""}>
        {there === null ? <tr><th>Result</th><th>{chance}</th></tr> : <tr><th>Result</th><th>Kept</th><th>Now</th><th>Difference</th></tr>}
      </thead>
      <tbody>
        {lines.map((each) => {
          const share = shareOf(each, here, lines, isCumulative);
          const before = there === null ? null : shareOf(each, there, lines, isCumulative);
          const label = meaning(each.value);
          return (
            <tr key={each.key} class={each.key === result ? "lit" : ""}>
              <th scope="row"><Code value={each.value} />{label !== "" && <small>{label}</small>}</th>
              {before !== null && <Bar share={before} kind="kept" />}
              <Bar share={share} fraction={each.fraction} />
              {before !== null && <td class={difference(share, before) === "0" ? "" : share > before ? "more" : "less"}>{difference(share, before)}</td>}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Bar({ share, fraction = "", kind = "" }: { share: number; fraction?: string; kind?: string }): JSX.Element {
  return (
    <td>
      <span class={`bar ${kind}`} style={{ inlineSize: `${share * 100}%` }} />
      <span class="number" title={fraction}>{percent(share)}</span>
    </td>
  );
}

/** A difference in percentage points. */
function difference(share: number, before: number): string {
  const points = ((share - before) * 100).toFixed(1);
  if (Number(points) === 0) return "0";
  return share > before ? `+${points}` : points.replace("-", "\u2212");
}

export function percent(share: number): string {
  if (share > 0 && share < 0.0005) return "< 0.1 %";
  return `${(share * 100).toFixed(1)}\u202f%`;
}

export function Code({ value }: { value: any }): JSX.Element {
  return <code>{value === true ? "yes" : value === false ? "no" : value === null ? "none" : typeof value === "object" ? JSON.stringify(value) : words(String(value))}</code>;
}

/** What a result code means, where a chart gives it. */
export function meaning(value: any): string {
  if (typeof value !== "string") return "";
  return game.value?.charts.map((chart) => chart.meanings[value]).find(Boolean) ?? "";
}
