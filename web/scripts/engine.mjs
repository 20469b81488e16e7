// Puts the engine into the files of the page: Pyodide and the library, and what the shipped games offer, so
// that forms and charts are there before the engine is.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { compress, init } from "@bokuweb/zstd-wasm";

const web = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const page = resolve(web, "../dsl/enfilade/server/page");
const engines = join(web, "public/engine");
const engine = join(engines, "new");
const pyodide = join(web, "node_modules/pyodide");
const python = process.env.PYTHON ?? (existsSync(join(web, "../.venv/bin/python")) ? join(web, "../.venv/bin/python") : "python3");

// The wheel must not hold a page that was built before.
rmSync(page, { recursive: true, force: true });
rmSync(engines, { recursive: true, force: true });
mkdirSync(engine, { recursive: true });
for (const name of ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"]) {
  copyFileSync(join(pyodide, name), join(engine, name));
}
// What the snapshot starts with instead of the standard library, which its memory has: the end of an archive without files.
writeFileSync(join(engine, "nothing.zip"), Buffer.from("PK\x05\x06".padEnd(22, "\0"), "latin1"));

// A snapshot is larger than the memory that Python starts with, which the published code does not allow for.
const code = readFileSync(join(engine, "pyodide.asm.mjs"), "utf8");
const restored = "return Module.HEAP8.set(t),l}";
if (!code.includes(restored)) throw new Error("this version of Pyodide restores snapshots in another way: look at restoreSnapshot");
writeFileSync(join(engine, "pyodide.asm.mjs"), code.replace(restored, `return Module.HEAP8.length<t.length&&Module.growMemory(t.length),Module.HEAP8.set(t),l}`));

const wheels = mkdtempSync(join(tmpdir(), "enfilade-wheels-"));
const pip = (...words) => execFileSync(python, ["-m", "pip", "--quiet", "--disable-pip-version-check", ...words], { stdio: ["ignore", "ignore", "inherit"] });
pip("wheel", "--no-deps", "--wheel-dir", wheels, resolve(web, ".."));
const needed = readFileSync(join(web, "../pyproject.toml"), "utf8").match(/^dependencies = \[([^\]]*)\]/m)[1];
pip("download", "--no-deps", "--only-binary", ":all:", "--dest", wheels, ...[...needed.matchAll(/"([^"]+)"/g)].map((found) => found[1]));
const names = readdirSync(wheels).filter((name) => name.endsWith(".whl"));
const archives = names.map((name) => new Uint8Array(readFileSync(join(wheels, name))));
rmSync(wheels, { recursive: true });

const { loadPyodide } = await import(join(engine, "pyodide.mjs"));
await writeLibrary(await loadPyodide({ indexURL: engine }));
const runtime = await loadPyodide({ indexURL: engine, _makeSnapshot: true });
const site = unpack(runtime);
// Files are not in a snapshot, and games and modules are read from theirs.
const rules = runtime.runPython(`
import json, pathlib
json.dumps({str(path): path.read_text() for path in sorted(pathlib.Path("${site}", "enfilade").rglob("*.rules"))})
`);
writeFileSync(join(engine, "rules.json"), rules);
runtime.runPython("from enfilade.service import Service\nservice = Service()\ndef answer(text):\n    return service.handle_text(text)");
const answer = runtime.globals.get("answer");
const call = (method, params) => {
  const found = JSON.parse(answer(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })));
  if (found.error) throw new Error(found.error.message);
  return found.result;
};
const games = call("list", {}).map(({ name, title }) => {
  const described = call("describe", { ruleset: name });
  const charts = described.charts.map((each) => call("chart", { ruleset: name, chart: each.name }));
  return { name, title, described, charts, card: call("card", { ruleset: name }).text };
});
writeFileSync(join(web, "public/games.json"), JSON.stringify(games));

// One call of each kind loads what it needs, so the snapshot has it.
const own = call("source", { ruleset: "infantry_attacks" });
const { text } = own;
call("check", { ruleset: own });
call("tokens", { text });
call("complete", { text, offset: text.length, ruleset: own });
call("format", { text });
call("test", { ruleset: own });
call("card", { ruleset: own });
call("paste", { text: "Roll 1 2\n1 - X\n2 X X\n" });
const shot = { ruleset: "infantry_attacks", procedure: "direct_fire", facts: { fire_value: 16 } };
call("preview", shot);
call("odds", { ...shot, lowest_terms: true });
call("matters", { ...shot, of: "M or worse" });
call("grid", { ...shot, facts: {}, by: { fire_value: [1, 16] }, of: "M or worse" });
const run = call("begin", shot);
const ended = call("answer", { ruleset: shot.ruleset, save: run.save, text: "4 3" });
call("explain", { ruleset: shot.ruleset, save: ended.save, length: "usual" });
call("undo", { ruleset: shot.ruleset, save: call("roll", { ruleset: shot.ruleset, save: run.save }).save });
for (const { name, described } of games) {
  for (const procedure of described.procedures) answer(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "preview", params: { ruleset: name, procedure: procedure.name, facts: {} } }));
}

// What the calls above did not load, so that a page seldom needs the files of the library.
runtime.runPython(`
import contextlib, importlib, linecache, pkgutil
for part in ("api", "check", "diagnostics", "editor", "engines", "language", "syntax", "tools"):
    package = importlib.import_module(f"enfilade.{part}")
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        with contextlib.suppress(ModuleNotFoundError):  # It needs what only an editor or a notebook has.
            importlib.import_module(module.name)
linecache.clearcache()
`);
empty(runtime);
await init();
const snapshot = compress(runtime.makeMemorySnapshot(), 19);
writeFileSync(join(engine, "snapshot.zst"), snapshot);
// The folder is named after what it holds, so that a browser may keep its files for good.
const digest = createHash("sha256");
for (const name of readdirSync(engine).sort()) digest.update(readFileSync(join(engine, name)));
renameSync(engine, join(engines, digest.digest("hex").slice(0, 12)));
console.log(`engine: ${names.join(", ")}; ${games.length} games; snapshot ${(snapshot.length / 2 ** 20).toFixed(1)} MiB`);
process.exit(0);

function unpack(python) {
  const site = python.runPython("import site; site.getsitepackages()[0]");
  for (const bytes of archives) python.unpackArchive(bytes, "wheel", { extractDir: site });
  return site;
}

// Writes the library as one archive, compiled: to compile it takes longer than everything else at a start without a snapshot.
async function writeLibrary(python) {
  const site = unpack(python);
  python.runPython(`
import compileall, py_compile, shutil
compileall.compile_dir("${site}", quiet=2, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
shutil.make_archive("/tmp/library", "zip", "${site}")
`);
  writeFileSync(join(engine, "library.zip"), python.FS.readFile("/tmp/library.zip"));
}

// Writes zeros over the memory that is free, which still has what was there and would be packed with the rest.
function empty(runtime) {
  runtime.runPython(`
def fill():
    import gc
    gc.collect()
    for size in range(512, 32, -16):
        kept = [bytes(size - 33) for _ in range(6_000_000 // size)]
        del kept
fill()
del fill
`);
  const module = runtime._module;
  const end = module.HEAPU8.length - 2 ** 16;
  const taken = [];
  for (let size = 2 ** 22; size >= 16; size = size > 1024 ? Math.floor(size * 0.8) & ~15 : size - 16) {
    for (;;) {
      const start = module._malloc(size);
      const fits = start !== 0 && start + size < end;
      if (!fits) {
        module._free(start);
        break;
      }
      module.HEAPU8.fill(0, start, start + size);
      taken.push(start);
    }
  }
  for (const start of taken) module._free(start);
}
