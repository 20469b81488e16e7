// The engine of the page as `enfilade rpc`: a request from each line of the input, the answer as a line. For comparisons.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const engines = join(resolve(dirname(fileURLToPath(import.meta.url)), ".."), "public/engine");
const engine = join(engines, readdirSync(engines)[0]);
const { loadPyodide } = await import(join(engine, "pyodide.mjs"));
const runtime = await loadPyodide({ indexURL: engine });
const site = runtime.runPython("import site; site.getsitepackages()[0]");
runtime.unpackArchive(new Uint8Array(readFileSync(join(engine, "library.zip"))), "zip", { extractDir: site });
runtime.runPython("from enfilade.service import Service\nservice = Service()\ndef answer(text):\n    return service.handle_text(text)");
const answer = runtime.globals.get("answer");
for await (const line of createInterface({ input: process.stdin })) {
  const found = answer(line);
  if (found !== undefined) console.log(found);
}
process.exit(0);
