// Python in a worker: Pyodide with the library, and its service. It starts from a snapshot of its memory that
// the build made; without one, or if that fails, it starts as Python does.

interface Pyodide {
  unpackArchive(bytes: Uint8Array, format: string, options: { extractDir: string }): void;
  runPython(code: string): any;
  FS: { mkdirTree(path: string): void; writeFile(path: string, data: string | Uint8Array): void };
  globals: { get(name: string): any };
}
type Answer = (text: string) => string | undefined | Promise<string | undefined>;

declare const __ENGINE__: string;
const BASE = new URL(/* @vite-ignore */ `../engine/${__ENGINE__}/`, import.meta.url);
const PREPARE = `
from enfilade.service import Service
service = Service()
def answer(text):
    return service.handle_text(text)
`;
// Every start from one snapshot would roll the same dice.
const SEED = "import random; random.seed()";

async function start(): Promise<Answer> {
  const { loadPyodide } = await import(/* @vite-ignore */ new URL("pyodide.mjs", BASE).href);
  try {
    return await fromSnapshot(loadPyodide);
  } catch (error) {
    console.warn(`started without the snapshot: ${error}`);
    return await afresh(loadPyodide);
  }
}

async function fromSnapshot(loadPyodide: (options: object) => Promise<Pyodide>): Promise<Answer> {
  tell("Loading the engine");
  const memory = unpacked("snapshot.zst");
  // Pyodide compiles its code only when it has the memory; the browser then finds this compiled.
  const compiled = WebAssembly.compileStreaming(fetched("pyodide.asm.wasm"));
  compiled.catch(() => undefined);
  const rules = fetched("rules.json").then((found) => found.json() as Promise<Record<string, string>>);
  const python = await loadPyodide({ indexURL: BASE.href, stdLibURL: new URL("nothing.zip", BASE).href, _loadSnapshot: memory });
  for (const [path, text] of Object.entries(await rules)) {
    python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    python.FS.writeFile(path, text);
  }
  await compiled.catch(() => undefined);
  python.runPython(SEED);
  const answer: (text: string) => string | undefined = python.globals.get("answer");
  let isWhole = false;
  tell("");
  return async (text) => {
    try {
      return answer(text);
    } catch (error) {
      // What was not needed while the snapshot was made is in the files.
      if (isWhole) throw error;
      isWhole = true;
      console.warn(`loads the files of the library: ${error}`);
      python.FS.writeFile(python.runPython("import sys; next(each for each in sys.path if each.endswith('.zip'))"), await bytesOf("python_stdlib.zip"));
      unpack(python, await bytesOf("library.zip"));
      python.runPython("import importlib; importlib.invalidate_caches()");
      return answer(text);
    }
  };
}

async function afresh(loadPyodide: (options: object) => Promise<Pyodide>): Promise<Answer> {
  tell("Loading Python");
  const library = bytesOf("library.zip");
  const python = await loadPyodide({ indexURL: BASE.href });
  tell("Loading the rules");
  unpack(python, await library);
  python.runPython(PREPARE);
  tell("");
  return python.globals.get("answer");
}

function unpack(python: Pyodide, library: Uint8Array): void {
  python.unpackArchive(library, "zip", { extractDir: python.runPython("import site; site.getsitepackages()[0]") });
}

/** What a packed file holds. Another worker unpacks it meanwhile, and gives back the memory that it takes when it ends. */
function unpacked(name: string): Promise<ArrayBuffer> {
  const worker = new Worker(new URL("./unpack.ts", import.meta.url), { type: "module" });
  return new Promise((resolve, reject) => {
    worker.onmessage = (event: MessageEvent<ArrayBuffer | string>) => (typeof event.data === "string" ? reject(new Error(event.data)) : resolve(event.data));
    worker.onerror = (event) => reject(new Error(event.message || "the memory could not be unpacked"));
    worker.postMessage(new URL(name, BASE).href);
  });
}

async function bytesOf(name: string): Promise<Uint8Array> {
  return new Uint8Array(await (await fetched(name)).arrayBuffer());
}

async function fetched(name: string): Promise<Response> {
  const found = await fetch(new URL(name, BASE));
  if (!found.ok) throw new Error(`${name}: ${found.status}`);
  return found;
}

function tell(state: string): void {
  self.postMessage({ state });
}

const ready = start();
ready.catch((error: unknown) => tell(`The engine did not start: ${error}`));

let turn: Promise<unknown> = ready;
self.onmessage = (event: MessageEvent<string>) => {
  turn = turn.then(async () => {
    const answer = await (await ready)(event.data);
    if (answer !== undefined) self.postMessage(answer);
  });
};
