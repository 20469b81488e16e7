// The page in a real browser: the flagship combats of the five games on a phone and on a desktop, links, writing, stopping,
// playing without a network, and what axe finds. Needs Chromium (see README.md).

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { AxeBuilder } from "@axe-core/playwright";
import { chromium } from "playwright-core";

const CHROMIUM = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/bin/chromium-browser"].find((path) => existsSync(path));
const ENFILADE = process.env.ENFILADE ?? "enfilade";
const PAGE = join(dirname(fileURLToPath(import.meta.url)), "../../dsl/enfilade/server/page");
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const DESKTOP = { viewport: { width: 1440, height: 900 } };

let server, address, browser;

before(async () => {
  assert.ok(CHROMIUM, "no Chromium was found; set CHROMIUM to its path");
  server = spawn(ENFILADE, ["serve", "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  address = await new Promise((resolve, reject) => {
    server.once("exit", () => reject(new Error("the server ended")));
    server.stdout.on("data", (text) => {
      const found = /http:\S+/.exec(String(text));
      if (found) resolve(found[0]);
    });
  });
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
});

after(async () => {
  await browser?.close();
  server?.kill("SIGINT");
});

/** A new page, which must not report any error. */
async function opened(t, options = DESKTOP, where = "") {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && !/Failed to load resource|ERR_INTERNET/.test(message.text()) && errors.push(message.text()));
  t.after(async () => {
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${t.name.replace(/\W+/g, "-")}.png`, fullPage: true }).catch(() => {});
    await context.close();
    assert.deepEqual(errors, []);
  });
  await page.goto(address + where);
  return page;
}

async function pick(page, title, procedure) {
  await page.getByRole("button", { name: title }).click();
  if (procedure) await page.locator(".procedure select").selectOption({ label: procedure });
}
const number = (page, name, value) => page.getByRole("spinbutton", { name }).fill(String(value));
const line = (page, name, value) => page.getByRole("textbox", { name }).fill(String(value));
const chip = (page, group, name) => page.getByRole("group", { name: group }).getByRole("radio", { name, exact: true }).check();
const tick = (page, group, name) => page.getByRole("group", { name: group }).getByRole("checkbox", { name, exact: true }).check();
const turnOn = (page, name) => page.getByRole("switch", { name }).check();

/** Type the dice of a roll. */
async function dice(page, typed, { begin = false } = {}) {
  if (begin) await page.getByRole("button", { name: "My dice" }).click();
  await page.locator(".dice input").fill(typed);
  await page.getByRole("button", { name: "Use these" }).click();
}
const result = (page) => page.locator(".result .code code").textContent();

async function unit(page, at, name, kind, steps) {
  await page.getByRole("button", { name: "Add unit" }).click();
  const card = page.locator(".record").nth(at);
  await card.getByRole("textbox", { name: /^Name/ }).fill(name);
  await page.keyboard.press("Tab");
  const kinds = page.locator(".record").nth(at);
  const select = kinds.locator("select").first();
  if (await select.count()) await select.selectOption({ label: kind });
  else await kinds.getByRole("radio", { name: kind, exact: true }).check();
  await page.locator(".record").nth(at).getByRole("spinbutton", { name: /steps/ }).fill(String(steps));
}

const FLAGSHIPS = {
  async "Infantry Attacks"(page) {
    await pick(page, /Infantry Attacks/);
    await number(page, /total fire value/, 45);
    await line(page, /hexes to the target/, "1");
    await tick(page, "terrain", "woods");
    await unit(page, 0, "rifles", "infantry", 3);
    await unit(page, 1, "guns", "artillery", 2);
    await dice(page, "2 2", { begin: true });
    await page.getByRole("button", { name: "guns", exact: true }).click();
    await page.getByRole("button", { name: "rifles", exact: true }).click();
    assert.equal(await result(page), "2X");
    await page.getByRole("button", { name: "Apply" }).click();
    assert.equal(await page.locator(".record").nth(1).getByRole("spinbutton", { name: /steps/ }).inputValue(), "1");
  },
  async "Infantry and Artillery Fire Combat"(page) {
    await pick(page, /Infantry and Artillery/, "Infantry fire");
    await chip(page, /class of the firing unit/, "1");
    await chip(page, /target class/, "2");
    await turnOn(page, /Night game-turn/);
    await turnOn(page, /Massed/);
    await chip(page, /formation of the firing unit/, "line");
    await chip(page, /range of the fire/, "minimum");
    await number(page, /Troop Strength/, 6);
    await dice(page, "8", { begin: true });
    assert.equal(await result(page), "2");
  },
  async "Emperor"(page) {
    await pick(page, /Emperor/, "Musketry exchange");
    for (const [at, lives, drill] of [[0, 6, 2], [1, 5, 1]]) {
      await page.getByRole("button", { name: "Describe it" }).first().click();
      const card = page.locator(".record").nth(at);
      await card.getByRole("radio", { name: "line", exact: true }).check();
      await card.getByRole("spinbutton", { name: /lives/ }).fill(String(lives));
      await card.getByRole("group", { name: "Drill" }).getByRole("radio", { name: String(drill) }).check();
      await card.getByRole("group", { name: "Experience" }).getByRole("radio", { name: String(drill) }).check();
      const name = card.getByRole("textbox", { name: /^Name/ });
      await name.fill(at === 0 ? "grenadiers" : "jaegers");
      await name.press("Tab");
    }
    await dice(page, "1 9 2 0 4 3", { begin: true });
    await dice(page, "7 0 8 5 2");
    await page.locator(".result li", { hasText: "jaegers: loses lives, amount 2" }).waitFor();
  },
  async "Morne Plaine"(page) {
    await pick(page, /Morne Plaine/, "Bombardment");
    await number(page, /bombardment value/, 6);
    await page.getByRole("button", { name: "Describe it" }).first().click();
    await line(page, /Morale Value left/, 5);
    await line(page, /Combat Strength left/, 9);
    await page.locator('[data-fact="distance"] input').fill("2");
    await dice(page, "4", { begin: true });
    assert.equal(await result(page), "4");
  },
  async "Franco-Prussian"(page) {
    await pick(page, /Franco-Prussian/, "Charge roll of cavalry");
    await chip(page, /the kind of unit that charges/, "cavalry");
    await dice(page, "9", { begin: true });
    assert.equal(await result(page), "9/2");
  },
};

for (const [screen, options] of [["a phone", PHONE], ["a desktop", DESKTOP]]) {
  for (const [name, play] of Object.entries(FLAGSHIPS)) {
    test(`${name} on ${screen}`, async (t) => {
      const page = await opened(t, options);
      await play(page);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= page.viewportSize().width, "the page scrolls sideways");
    });
  }
}

test("a text that is being typed outlives what changes meanwhile", async (t) => {
  const page = await opened(t);
  await pick(page, /Infantry Attacks/);
  await line(page, /hexes to the target/, "1, 2");
  await page.getByRole("spinbutton", { name: /total fire value/ }).evaluate((input) => {
    input.value = "16";
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await page.locator(".bars tr").first().waitFor();
  assert.equal(await page.getByRole("textbox", { name: /hexes to the target/ }).inputValue(), "1, 2");
});

test("on a phone the result comes into view", async (t) => {
  const page = await opened(t, PHONE);
  await pick(page, /Infantry Attacks/);
  await number(page, /total fire value/, 16);
  await page.locator(".bars tr").first().waitFor();
  await page.getByRole("button", { name: "Roll", exact: true }).click();
  await page.locator(".result").waitFor();
  const isSeen = () => {
    const { top, bottom } = document.querySelector(".result").getBoundingClientRect();
    return top >= 0 && bottom <= document.querySelector(".dice").getBoundingClientRect().top;
  };
  await page.waitForFunction(isSeen, undefined, { timeout: 5_000 });
});

test("on a phone a game opens at its top, says what is needed, and Back leads to the games", async (t) => {
  const page = await opened(t, PHONE);
  await page.getByRole("button", { name: /Your own chart/ }).scrollIntoViewIfNeeded();
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await pick(page, /Infantry Attacks/);
  await page.waitForFunction(() => scrollY === 0);
  const needed = page.locator(".dice").getByText(/^Still needed: total fire value/);
  await needed.waitFor();
  await number(page, /total fire value/, 16);
  await needed.waitFor({ state: "detached" });
  await page.goBack();
  await page.getByRole("button", { name: /Infantry Attacks/ }).waitFor();
  await page.goForward();
  await page.getByRole("spinbutton", { name: /total fire value/ }).waitFor();
});

test("rolled dice, why, and undo", async (t) => {
  const page = await opened(t);
  await pick(page, /Infantry Attacks/);
  await number(page, /total fire value/, 16);
  await page.locator(".bars tr").first().waitFor();
  assert.equal(await page.locator(".chart thead .lit").textContent(), "16");
  await page.getByRole("button", { name: "Roll", exact: true }).click();
  await page.locator(".chart .cell").waitFor();
  await page.getByRole("button", { name: "Why" }).click();
  await page.getByText(/fire_roll: \d \+ \d/).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Roll instead" }).waitFor();
});

test("two situations are compared", async (t) => {
  const page = await opened(t, PHONE);
  await pick(page, /Infantry Attacks/);
  await number(page, /total fire value/, 16);
  await page.getByRole("button", { name: "Odds", exact: true }).click();
  await page.getByRole("button", { name: "Compare with another" }).click();
  await tick(page, "terrain", "town");
  await page.getByText("terrain: clear → town").waitFor();
  const row = (code) => page.locator(".bars tr").filter({ has: page.getByText(code, { exact: true }) }).locator("td");
  // 6/36 in the open, 20/36 in a town.
  await page.getByText("+38.9").waitFor();
  assert.deepEqual(await row("-").allTextContents(), ["16.7\u202f%", "55.6\u202f%", "+38.9"]);
  // A result that can't come any more.
  assert.deepEqual(await row("2X").allTextContents(), ["2.8\u202f%", "0.0\u202f%", "\u22122.8"]);
  await page.getByRole("switch", { name: /or worse/ }).check();
  assert.deepEqual(await row("-").allTextContents(), ["100.0\u202f%", "100.0\u202f%", "0"]);
  assert.deepEqual(await row("X").allTextContents(), ["11.1\u202f%", "2.8\u202f%", "\u22128.3"]);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= page.viewportSize().width, "the page scrolls sideways");
  const { violations } = await new AxeBuilder({ page }).exclude("iframe").analyze();
  assert.deepEqual(violations.map((each) => each.id), []);
});

test("odds of combats in turn, and of several turns", async (t) => {
  const page = await opened(t);
  await pick(page, /Infantry Attacks/);
  await number(page, /total fire value/, 16);
  await page.getByRole("button", { name: "Odds", exact: true }).click();
  await page.getByRole("button", { name: "Compare with another situation" }).click();
  await page.getByRole("button", { name: "Odds of both in turn" }).click();
  await page.getByRole("heading", { name: /, then / }).waitFor();
  await line(page, "Chance of", "M or worse");
  await page.getByRole("spinbutton", { name: "in turns" }).fill("2");
  await page.getByRole("button", { name: "Chance", exact: true }).click();
  await page.locator(".big small", { hasText: "5/6" }).waitFor();
  await line(page, "Chance of", "");
  await line(page, "or until", "M or worse");
  await page.getByRole("button", { name: "Chance", exact: true }).click();
  await page.getByRole("row", { name: /^2 13[.]9/ }).waitFor();
});

test("a wrong face and a wrong fact are told where they are typed", async (t) => {
  const page = await opened(t, PHONE);
  await pick(page, /Infantry Attacks/);
  await number(page, /total fire value/, 0);
  await page.locator('[data-fact="fire_value"] [role="alert"]').waitFor();
  await number(page, /total fire value/, 5);
  await dice(page, "9 9", { begin: true });
  await page.locator(".dice [role=alert]").waitFor();
});

test("a link opens the same combat in a fresh profile", async (t) => {
  const page = await opened(t);
  await pick(page, /Infantry Attacks/);
  await number(page, /total fire value/, 16);
  await dice(page, "1 1", { begin: true });
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByText(/holds rules, facts and dice/).waitFor();
  const link = await page.evaluate(() => location.href);
  const other = await opened(t, PHONE, link.slice(address.length));
  await other.locator(".result").waitFor();
  assert.equal(await result(other), "2X");
});

test("a combat is copied as text and saved as a picture", async (t) => {
  const page = await opened(t, { ...PHONE, permissions: ["clipboard-read", "clipboard-write"] });
  await pick(page, /Infantry Attacks/);
  await number(page, /total fire value/, 16);
  await page.locator(".bars tr").first().waitFor();
  await dice(page, "1 1", { begin: true });
  await page.getByRole("button", { name: "Copy as text" }).click();
  await page.getByText("copied as text").waitFor();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(text, /^Infantry Attacks: Direct Fire: Direct Fire\nfire value 16\n2X: Step losses \(chance 2\.8.%\)\n/);
  const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as picture" }).click()]);
  assert.equal(saved.suggestedFilename(), "combat.png");
  const picture = readFileSync(await saved.path());
  if (process.env.SHOTS) writeFileSync(`${process.env.SHOTS}/combat.png`, picture);
  assert.equal(picture.subarray(1, 4).toString(), "PNG");
  assert.equal(picture.readUInt32BE(16), 720);
});

test("a unit has its own modifiers", async (t) => {
  const page = await opened(t);
  await pick(page, /Infantry Attacks/);
  await number(page, /total fire value/, 45);
  await line(page, /hexes to the target/, "1");
  await tick(page, "terrain", "woods");
  await unit(page, 0, "rifles", "infantry", 3);
  await unit(page, 1, "guns", "artillery", 2);
  await page.getByRole("list", { name: "Modifiers, 0 in all" }).waitFor();
  await page.getByRole("list", { name: "Modifiers of guns, 2 in all" }).waitFor();
  assert.equal(await page.locator(".modifiers").count(), 2);
});

test("a choice tells what each answer leads to", async (t) => {
  const page = await opened(t);
  await pick(page, /Infantry Attacks/);
  await number(page, /total fire value/, 45);
  await line(page, /hexes to the target/, "1");
  await unit(page, 0, "rifles", "infantry", 3);
  await unit(page, 1, "guns", "artillery", 2);
  await dice(page, "2 2", { begin: true });
  await page.getByRole("button", { name: "guns", exact: true }).click();
  const rifles = page.getByRole("button", { name: "rifles", exact: true, description: "rifles: steps 2, guns: steps 1" });
  await rifles.waitFor();
  await page.getByRole("button", { name: "guns", exact: true, description: "rifles: steps 3, guns: steps 0" }).waitFor();
  const { violations } = await new AxeBuilder({ page }).exclude("iframe").analyze();
  assert.deepEqual(violations.map((each) => each.id), []);
});

test("cells that no example reads are marked", async (t) => {
  const page = await opened(t);
  await page.getByRole("button", { name: /Your own chart/ }).click();
  await page.getByText("No mistakes.", { exact: true }).waitFor();
  await page.getByText("Examples read 1 of 9 cells").click();
  assert.equal(await page.locator(".chart .missed").count(), 8);
  assert.equal(await page.locator(".chart tbody tr").nth(1).locator("td").nth(1).getAttribute("class"), "");
  const { violations } = await new AxeBuilder({ page }).exclude("iframe").analyze();
  assert.deepEqual(violations.map((each) => each.id), []);
});

test("a pasted chart becomes a game: a mistake, its fix, and an example", async (t) => {
  const page = await opened(t);
  await page.getByRole("button", { name: /Your own chart/ }).click();
  await page.getByText("No mistakes.", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Paste a chart" }).click();
  await page.getByRole("textbox", { name: /as it was copied/ }).fill("Roll 1-2 3-4 5+\n1 NE NE DR\n2 NE DR DR\n3 NE DR DE\n4 DR DR DE\n5 DR DE DE\n6 DE DE DE\n");
  await page.getByRole("button", { name: "Make a ruleset" }).click();
  await page.getByText(/examples? pass/).first().waitFor();
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type('\ndefine strong = stregth >= 3\n');
  const mark = page.locator(".cm-lintRange-error").first();
  await mark.waitFor();
  await mark.hover();
  await page.locator(".cm-diagnosticAction").first().click();
  await page.locator(".cm-lintRange-error").waitFor({ state: "detached" });
  assert.match(await page.locator(".cm-content").innerText(), /strength >= 3/);
  await page.getByRole("button", { name: "Play it" }).click();
  await page.getByRole("button", { name: "Roll", exact: true }).waitFor();
});

test("long odds can be stopped", async (t) => {
  const page = await opened(t);
  const text = "procedure main \"Long\"\n  1. roll 300d6 as dice\n  2. roll 300d20 as more\n  3. give result = sum of highest 40 of dice.values + sum of highest 40 of more.values\n";
  await page.evaluate((kept) => localStorage.setItem("enfilade.text", kept), text);
  await page.reload();
  await page.getByRole("button", { name: /Your own chart/ }).click();
  await page.getByRole("button", { name: "Play it" }).click();
  const stop = page.getByRole("button", { name: "Stop" });
  const told = page.locator(".pane .fault");
  await stop.or(told).first().waitFor();
  if (await stop.isVisible()) await stop.click({ timeout: 2_000 }).catch(() => {});
  await told.waitFor();
});

test("script in labels is text", async (t) => {
  const page = await opened(t);
  const evil = '<img src=x onerror=document.title=1>';
  const text = `facts\n  force 1.. "${evil}"\nchart crt "${evil}"\n  down d6\n  across force, column at or below\n  shift off left stays\n  shift off right stays\n  | D | 1 | 5 |\n  | 1-3 | A | B |\n  | 4-6 | B | B |\nresults of crt\n  A "${evil}"\n  B "${evil}"\nprocedure main "${evil}"\n  1. roll d6 as die\n  2. read crt with die as shot\n  3. apply shot\n  4. give result = shot.code\n`;
  await page.evaluate((kept) => localStorage.setItem("enfilade.text", kept), text);
  await page.reload();
  await page.getByRole("button", { name: /Your own chart/ }).click();
  await page.getByText("No mistakes.", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Play it" }).click();
  await number(page, /img/, 5);
  await page.getByRole("button", { name: "Roll", exact: true }).click();
  await page.locator(".result").waitFor();
  for (const view of ["Odds", "Card", "Write"]) await page.getByRole("button", { name: view, exact: true }).click();
  assert.equal(await page.locator("img").count(), 0);
  assert.notEqual(await page.title(), "1");
});

test("the engine in the browser plays without a network after the first visit", async (t) => {
  const page = await opened(t, DESKTOP, "?engine=browser");
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  page.setDefaultTimeout(90_000);
  await pick(page, /Infantry Attacks/);
  await number(page, /total fire value/, 16);
  await page.locator(".bars tr").first().waitFor();
  await page.context().setOffline(true);
  await page.reload();
  await pick(page, /Infantry Attacks/);
  await number(page, /total fire value/, 16);
  await dice(page, "1 1", { begin: true });
  await page.locator(".result").waitFor();
  assert.equal(await result(page), "2X");
});

test("a first visit without a server loads at most 17 MB, and never more for what the page does", async (t) => {
  const asked = new Set();
  const context = await browser.newContext({ ...DESKTOP, serviceWorkers: "block" });
  t.after(() => context.close());
  context.on("request", (request) => asked.add(new URL(request.url()).pathname));
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await page.goto(`${address}?engine=browser`);
  await pick(page, /Infantry Attacks/);
  await number(page, /total fire value/, 16);
  await page.locator(".bars tr").first().waitFor();
  await dice(page, "1 1", { begin: true });
  await page.locator(".result").waitFor();
  await page.getByRole("button", { name: "Odds", exact: true }).click();
  await page.locator(".bars tr").first().waitFor();
  await page.getByRole("button", { name: "Card", exact: true }).click();
  await page.goto(`${address}?engine=browser`);
  await page.getByRole("button", { name: /Your own chart/ }).click();
  await page.getByText("No mistakes.", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Paste a chart" }).click();
  await page.getByRole("textbox", { name: /as it was copied/ }).fill("Roll 1-2 3-4\n1 NE DR\n2 NE DR\n");
  await page.getByRole("button", { name: "Make a ruleset" }).click();
  await page.getByText(/examples? pass/).first().waitFor();
  const sizes = [...asked].map((path) => [path, gzipSync(readFileSync(join(PAGE, path === "/" ? "index.html" : path)), { level: 9 }).length]);
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  t.diagnostic(`${(total / 1e6).toFixed(1)} MB`);
  assert.ok([...asked].some((path) => path.endsWith("/snapshot.zst")));
  assert.ok(![...asked].some((path) => /python_stdlib|library[.]zip$/.test(path)), [...asked].join(" "));
  assert.ok(total <= 17e6, sizes.join("; "));
});

test("dice of the browser's engine differ from start to start", async (t) => {
  const page = await opened(t, DESKTOP, "?engine=browser");
  page.setDefaultTimeout(90_000);
  const rolled = new Set();
  for (let start = 0; start < 2; start++) {
    await pick(page, /Franco-Prussian/, "Charge roll of cavalry");
    await chip(page, /the kind of unit that charges/, "cavalry");
    let rolls = "";
    for (let roll = 0; roll < 12; roll++) {
      await page.getByRole("button", { name: "Roll", exact: true }).click();
      await page.locator(".result").waitFor();
      rolls += `${await result(page)} `;
      await chip(page, /the kind of unit that charges/, "infantry");
      await chip(page, /the kind of unit that charges/, "cavalry");
    }
    rolled.add(rolls);
    await page.reload();
  }
  assert.equal(rolled.size, 2);
});

for (const scheme of ["light", "dark"]) {
  test(`axe finds nothing in ${scheme} colours`, async (t) => {
    const page = await opened(t, { ...DESKTOP, colorScheme: scheme });
    const found = async (place) => {
      const { violations } = await new AxeBuilder({ page }).exclude("iframe").analyze();
      assert.deepEqual(violations.map((each) => `${place}: ${each.id} ${each.nodes[0].html}`), []);
    };
    await found("games");
    await pick(page, /Infantry Attacks/);
    await number(page, /total fire value/, 16);
    await page.locator(".bars tr").first().waitFor();
    await found("play");
    await page.getByRole("button", { name: "Roll", exact: true }).click();
    await page.locator(".result").waitFor();
    await page.getByRole("button", { name: "Why" }).click();
    await page.locator(".why li").first().waitFor();
    await found("result");
    for (const view of ["Odds", "Write", "Card"]) {
      await page.getByRole("button", { name: view, exact: true }).click();
      await page.waitForTimeout(1_500);
      await found(view);
    }
  });
}

test("the keyboard alone plays a combat", async (t) => {
  const page = await opened(t);
  await page.getByRole("button", { name: /Infantry Attacks/ }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("/");
  await page.keyboard.type("16");
  await page.locator(".bars tr").first().waitFor();
  await page.keyboard.press("Escape");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("r");
  await page.locator(".result").waitFor();
  await page.keyboard.press("w");
  await page.locator(".why li").first().waitFor();
});
