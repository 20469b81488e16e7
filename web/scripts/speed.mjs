// Times the page in a real browser: `node scripts/speed.mjs`. Prints medians in seconds, for the engine in the browser from a
// cold and from a warm cache, without its snapshot, and for `enfilade serve`.

import { spawn } from "node:child_process";
import { chromium } from "playwright-core";

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const server = spawn(process.env.ENFILADE ?? "enfilade", ["serve", "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
const address = await new Promise((resolve) => server.stdout.on("data", (text) => resolve(/http:\S+/.exec(String(text))?.[0])));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

const median = (times) => [...times].sort((a, b) => a - b)[times.length >> 1];
const show = (what, times) => console.log(`${what.padEnd(52)} ${median(times).toFixed(2)} s  (${times.map((each) => each.toFixed(2)).join(", ")})`);

/** Seconds from the address to a form, and to the first odds. */
async function visit(page, where) {
  const start = performance.now();
  await page.goto(address + where);
  await page.getByRole("button", { name: /Infantry Attacks/ }).click();
  await page.getByRole("spinbutton", { name: /total fire value/ }).fill("16");
  const form = (performance.now() - start) / 1000;
  // Looked for at each frame: a locator looks only every half second in the end.
  await page.waitForFunction(() => document.querySelector(".bars tr"), undefined, { polling: "raf", timeout: 60_000 });
  return [form, (performance.now() - start) / 1000];
}

/** Seconds from a tap on a modifier to the odds that follow it. */
async function taps(page, count) {
  return page.evaluate(async (count) => {
    const bars = () => document.querySelector(".bars").textContent;
    const tap = document.querySelector('[role="switch"]');
    const times = [];
    for (let at = 0; at < count; at++) {
      const before = bars();
      const start = performance.now();
      tap.click();
      while (bars() === before) await new Promise((resolve) => setTimeout(resolve, 1));
      times.push((performance.now() - start) / 1000);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return times;
  }, count);
}

const WAYS = [["the browser's engine", "?engine=browser", {}], ["without the snapshot", "?engine=browser", { block: "snapshot" }], ["enfilade serve", "", {}]];
for (const [what, where, { block }] of WAYS) {
  const cold = [];
  const warm = [];
  let last;
  for (let round = 0; round < ROUNDS; round++) {
    const context = await browser.newContext();
    if (block) await context.route(`**/*${block}*`, (route) => route.abort());
    const page = await context.newPage();
    cold.push(await visit(page, where));
    await page.waitForTimeout(1_000);
    warm.push(await visit(page, where));
    if (round === ROUNDS - 1) last = await taps(page, 21);
    await context.close();
  }
  show(`${what}: a form, cold cache`, cold.map(([form]) => form));
  show(`${what}: its odds, cold cache`, cold.map(([, odds]) => odds));
  show(`${what}: its odds, warm cache`, warm.map(([, odds]) => odds));
  show(`${what}: from a tap to its odds`, last);
}
await browser.close();
server.kill("SIGINT");
