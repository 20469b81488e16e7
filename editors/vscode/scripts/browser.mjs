// Opens the extension in a browser build of VS Code, uses each view and takes pictures; with GAME, types that file
// letter by letter and tells which lines did not arrive. README.md says what it needs.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const FOLDER = resolve(import.meta.dirname, "..");
const CODE = resolve(process.env.CODE ?? "/tmp/code");
const SHOTS = resolve(process.env.SHOTS ?? "shots");
const COMMAND = (process.env.ENFILADE ?? "enfilade").split(" ");
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const PORT = Number(process.env.PORT ?? 8931);
const THEME = process.env.THEME ?? "Default Light Modern";
const GAME = process.env.GAME ? readFileSync(process.env.GAME, "utf-8").trimEnd().split("\n") : null;
// The editor must not add what is typed anyway.
const AS_TYPED = {
  "editor.autoIndent": "none", "editor.autoClosingBrackets": "never", "editor.autoClosingQuotes": "never",
  "editor.trimAutoWhitespace": false, "[enfilade]": { "editor.formatOnType": false },
};
const { chromium } = createRequire(join(CODE, "package.json"))("playwright-core");

const place = mkdtempSync(join(tmpdir(), "enfilade-code-"));
const game = join(place, "infantry_attacks");
const data = ["--user-data-dir", join(place, "data"), "--extensions-dir", join(place, "extensions")];
const entry = join(CODE, "node_modules/code-server/out/node/entry.js");

function prepare() {
  mkdirSync(SHOTS, { recursive: true });
  cpSync(resolve(FOLDER, "../../rulesets/infantry_attacks"), game, { recursive: true });
  writeFileSync(join(game, "typed.rules"), "");
  mkdirSync(join(place, "data/User"), { recursive: true });
  const settings = {
    "enfilade.command": COMMAND,
    "security.workspace.trust.enabled": false,
    "workbench.startupEditor": "none",
    "workbench.colorTheme": THEME,
    "workbench.tips.enabled": false,
    "editor.minimap.enabled": false,
    "telemetry.telemetryLevel": "off",
    "files.autoSave": "off",
    "chat.commandCenter.enabled": false,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    ...(GAME ? AS_TYPED : {}),
  };
  writeFileSync(join(place, "data/User/settings.json"), JSON.stringify(settings));
  execFileSync(process.execPath, [entry, ...data, "--install-extension", join(FOLDER, "dist/enfilade.vsix")], { stdio: "inherit" });
}

async function startServer() {
  const args = ["--auth", "none", "--bind-addr", `127.0.0.1:${PORT}`, "--disable-telemetry", "--disable-update-check", ...data];
  const server = spawn(process.execPath, [entry, ...args], { stdio: "ignore" });
  for (let tries = 0; tries < 120; tries++) {
    const answer = await fetch(`http://127.0.0.1:${PORT}/healthz`).catch(() => null);
    if (answer?.ok) return server;
    await new Promise((done) => setTimeout(done, 500));
  }
  server.kill();
  throw new Error("code-server does not answer");
}

/** The few things that a person does in the editor. */
class Editor {
  constructor(page) {
    this.page = page;
  }

  async command(name) {
    await this.page.keyboard.press("F1");
    await this.page.locator(".quick-input-widget input").waitFor({ timeout: 10000 });
    await this.page.keyboard.type(name, { delay: 10 });
    await this.page.waitForTimeout(900);
    await this.page.keyboard.press("Enter");
    await this.page.waitForTimeout(700);
  }

  async open(file) {
    await this.page.locator(".explorer-viewlet .monaco-list-row", { hasText: file }).dblclick();
    await this.page.locator(".view-line", { hasText: "ruleset" }).first().waitFor({ timeout: 60000 });
  }

  /** Put the cursor at the start of the first line that has a text. */
  async goTo(text) {
    await this.page.keyboard.press("Control+1");
    await this.page.keyboard.press("Control+Home");
    await this.page.keyboard.press("Control+F");
    await this.page.waitForTimeout(500);
    await this.page.keyboard.press("Control+A");
    await this.page.keyboard.type(text, { delay: 15 });
    await this.page.waitForTimeout(900);
    await this.page.keyboard.press("Escape");
    await this.page.keyboard.press("Home");
    await this.page.waitForTimeout(500);
  }

  async shot(name) {
    await this.page.waitForTimeout(1200);
    await this.page.screenshot({ path: join(SHOTS, `${name}.png`) });
    console.log(`${name}.png`);
  }
}

async function views(page) {
  const editor = new Editor(page);
  await page.goto(`http://127.0.0.1:${PORT}/?folder=${encodeURIComponent(game)}`);
  await page.locator(".monaco-workbench").waitFor({ timeout: 90000 });
  await page.waitForTimeout(6000);
  await editor.open("infantry_attacks.rules");
  await page.locator(".statusbar-item", { hasText: "examples passed" }).waitFor({ timeout: 90000 });
  await editor.shot("1-opened");
  await editor.goTo("read direct_fire_table");
  for (let steps = 0; steps < 12; steps++) await page.keyboard.press("ArrowRight");
  await editor.command("Show or Focus Hover");
  await editor.shot("2-hover");
  await page.keyboard.press("Escape");
  await editor.command("Enfilade: Show the Card");
  await page.waitForTimeout(3000);
  await editor.shot("3-card");
  await editor.goTo("example direct_fire");
  await page.waitForTimeout(1500);
  await editor.shot("4-gutter");
  await editor.command("Enfilade: Odds Here");
  await page.waitForTimeout(2500);
  await editor.shot("5-odds");
  await editor.goTo("gives M");
  await page.keyboard.press("End");
  await page.keyboard.type("1", { delay: 20 });
  await page.waitForTimeout(6000);
  await editor.shot("6-failed-example");
  await page.keyboard.press("Control+Z");
  await editor.command("View: Close All Editor Groups");
  await page.waitForTimeout(500);
  await editor.open("infantry_attacks.rules");
  await editor.goTo("6. give unit_columns");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("give night_shift = fi", { delay: 60 });
  const offered = page.locator(".suggest-widget.visible .monaco-list-row");
  if (!(await offered.first().waitFor({ timeout: 15000 }).then(() => true, () => false))) await page.keyboard.press("Control+Space");
  await offered.first().waitFor({ timeout: 30000 });
  await editor.shot("7-completion");
  await page.keyboard.press("Escape");
  await page.keyboard.type("re_valeu + 1", { delay: 60 });
  await page.keyboard.press("Escape");
  await page.waitForTimeout(4000);
  await editor.command("Problems: Focus on Problems View");
  await editor.shot("8-mistakes");
}

/** Type a file from top to bottom, with Enter after each line, and compare what was saved. */
async function typed(page) {
  await page.goto(`http://127.0.0.1:${PORT}/?folder=${encodeURIComponent(game)}`);
  await page.locator(".explorer-viewlet .monaco-list-row", { hasText: "typed.rules" }).dblclick({ timeout: 90000 });
  await page.waitForTimeout(6000);
  await page.locator(".monaco-editor .view-lines").first().click();
  let offered = 0;
  for (const line of GAME) {
    await page.keyboard.type(line, { delay: 40 });
    await page.waitForTimeout(150);
    offered += (await page.locator(".suggest-widget.visible .monaco-list-row").count()) ? 1 : 0;
    await page.keyboard.press("Enter");
    await page.waitForTimeout(60);
  }
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+S");
  await page.waitForTimeout(2500);
  const saved = readFileSync(join(game, "typed.rules"), "utf-8").split("\n");
  const lost = GAME.findIndex((line, at) => saved[at] !== line);
  console.log(`${GAME.length} lines; suggestions were open at ${offered} of the Enters`);
  if (lost >= 0) throw new Error(`line ${lost + 1} is ${JSON.stringify(saved[lost])}, not ${JSON.stringify(GAME[lost])}`);
}

prepare();
const server = await startServer();
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1500, height: 900 } });
try {
  await (GAME ? typed(page) : views(page));
} catch (wrong) {
  await page.screenshot({ path: join(SHOTS, "stopped.png") });
  for (const each of readdirSync(join(place, "data/logs"), { recursive: true }))
    if (each.endsWith("exthost.log")) console.log(readFileSync(join(place, "data/logs", each), "utf-8").slice(-3000));
  throw wrong;
} finally {
  await browser.close();
  server.kill();
  rmSync(place, { recursive: true, force: true });
}
