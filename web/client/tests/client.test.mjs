// The client against the real service: a process, HTTP and a WebSocket.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { CallError, Client, Stopped, childProcess, http, webSocket } from "../dist/node.js";

const ENFILADE = process.env.ENFILADE ?? "enfilade";
const SMALL = { text: 'facts\n  fire 1.. "fire value"\nprocedure main\n  1. roll 2d6 as dice\n  2. give result = dice + fire\n' };
const SHOT = { ruleset: SMALL, procedure: "main", facts: { fire: 16 } };
const LONG = { text: "procedure main\n  1. roll 300d6 as dice\n  2. roll 300d20 as more\n  3. give result = sum of highest 40 of dice.values + sum of highest 40 of more.values\n" };

let server, address;

before(async () => {
  server = spawn(ENFILADE, ["serve", "--port", "0", "--workers", "1"], { stdio: ["ignore", "pipe", "inherit"] });
  address = await new Promise((resolve, reject) => {
    server.once("exit", () => reject(new Error("the server ended")));
    server.stdout.on("data", (text) => {
      const found = /http:\S+/.exec(String(text));
      if (found) resolve(found[0]);
    });
  });
});

after(() => server?.kill("SIGINT"));

const TRANSPORTS = {
  "a process": () => childProcess({ command: ENFILADE }),
  HTTP: () => http(new URL("rpc", address)),
  "a WebSocket": () => webSocket(new URL("ws", address.replace("http", "ws"))),
};

/** A client that is closed after the test. */
function client(t, connect) {
  const made = new Client(connect());
  t.after(() => made.close());
  return made;
}

for (const [name, connect] of Object.entries(TRANSPORTS)) {
  test(`a combat is played over ${name}`, async (t) => {
    const enfilade = client(t, connect);
    const [{ answers }, begun] = await Promise.all([enfilade.odds({ ...SHOT, of: "result >= 26" }), enfilade.begin(SHOT)]);
    assert.equal(answers[0].outcomes.find(({ value }) => value).reduced, "1/6");
    assert.equal(begun.question.kind, "roll");
    const done = await enfilade.answer({ ruleset: SHOT.ruleset, save: begun.save, answer: [4, 1] });
    assert.equal(done.outcome.result, 21);
    assert.equal((await enfilade.undo({ ruleset: SHOT.ruleset, save: done.save })).question.kind, "roll");
  });

  test(`what is wrong is an error with its reason over ${name}`, async (t) => {
    const enfilade = client(t, connect);
    const wrong = await enfilade.resolve({ ...SHOT, facts: { fire: 0 } }).catch((error) => error);
    assert.ok(wrong instanceof CallError);
    assert.deepEqual([wrong.code, wrong.data.status, wrong.faults.map((each) => each.parameter)], [1, "input_error", ["fire"]]);
    const unknown = await enfilade.resolve({ ...SHOT, face: 1 }).catch((error) => error);
    assert.equal(unknown.code, -32602);
  });

  test(`a request is cancelled over ${name}, and the next is answered`, async (t) => {
    const enfilade = client(t, connect);
    const control = new AbortController();
    const odds = enfilade.odds({ ruleset: LONG, procedure: "main" }, { signal: control.signal }).catch((error) => error);
    control.abort();
    assert.ok((await odds) instanceof Stopped);
    const other = enfilade.odds({ ruleset: LONG, procedure: "main" }).catch((error) => error);
    enfilade.stop();
    assert.ok((await other) instanceof Stopped);
    assert.equal((await enfilade.list()).length, 5);
    assert.ok((await enfilade.about({}, { signal: control.signal }).catch((error) => error)) instanceof Stopped);
  });
}

for (const name of ["a process", "a WebSocket"]) {
  test(`progress is told over ${name}`, async (t) => {
    const told = [];
    await client(t, TRANSPORTS[name]).odds(SHOT, { progress: (work) => told.push(work) });
    assert.ok(told.length > 0 && told.every(Number.isInteger));
  });
}

test("a process that can't start fails its requests", async (t) => {
  const failed = await client(t, () => childProcess({ command: "/no/such/enfilade" })).list().catch((error) => error);
  assert.match(failed.message, /no\/such\/enfilade/);
});

test("a process that ends fails its requests", async (t) => {
  const failed = await client(t, () => childProcess({ command: "true" })).list().catch((error) => error);
  assert.match(failed.message, /ended \(\d+\)/);
});

test("a server that is not there fails its requests", async (t) => {
  const failed = await client(t, () => http("http://127.0.0.1:9/rpc")).list().catch((error) => error);
  assert.ok(failed instanceof Error && !(failed instanceof CallError));
});

test("the methods are those of the service", () => {
  const made = execFileSync(process.execPath, [fileURLToPath(new URL("../scripts/generate.mjs", import.meta.url))], { encoding: "utf8", env: { ...process.env, ENFILADE } });
  assert.equal(readFileSync(new URL("../src/methods.ts", import.meta.url), "utf8"), made, "run npm run generate");
});
