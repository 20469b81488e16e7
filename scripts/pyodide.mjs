// Tries a wheel in Pyodide, Python for browsers: node scripts/pyodide.mjs FOLDER TRIAL WHEEL...
// FOLDER is an installed npm package `pyodide`; the wheels are that of the library and those of its dependencies.

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, trial, ...wheels] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")));
const runtime = await loadPyodide({ indexURL: folder });
const site = runtime.runPython("import site; site.getsitepackages()[0]");
for (const wheel of wheels) runtime.unpackArchive(new Uint8Array(readFileSync(wheel)), "wheel", { extractDir: site });
runtime.runPython("import importlib; importlib.invalidate_caches()");
runtime.runPython(readFileSync(trial, "utf8"));
process.exit(0);
