// Python in a worker: Pyodide with the wheels of the library, and its service. It starts from a snapshot of its memory that
// the build made; without one, or if that fails, it starts as Python does.

interface Pyodide {
  unpackArchive(bytes: Uint8Array, format: string, options: { extractDir: string }): void;
  runPython(code: string): any;
  globals: { get(name: string): any };
}
type Answer = (text: string) => string | undefined | Promise<string | undefined>;

const BASE = new URL("../engine/", import.meta.url);
const PREPARE = `
from enfilade.service import Service
service = Service()
def answer(text):
    return service.handle_text(text)
`;
// Every start from one snapshot would roll the same dice. New files are not seen by itself.
const WAKE = "import importlib, random; random.seed(); importlib.invalidate_caches()";

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
  const packed = await fetched("snapshot.gz");
  const bytes = await new Response(packed.body!.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  const python = await loadPyodide({ indexURL: BASE.href, _loadSnapshot: new Uint8Array(bytes) });
  python.runPython(WAKE);
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
      await unpack(python);
      python.runPython(WAKE);
      return answer(text);
    }
  };
}

async function afresh(loadPyodide: (options: object) => Promise<Pyodide>): Promise<Answer> {
  tell("Loading Python");
  const python = await loadPyodide({ indexURL: BASE.href });
  tell("Loading the rules");
  await unpack(python);
  python.runPython(PREPARE);
  tell("");
  return python.globals.get("answer");
}

async function unpack(python: Pyodide): Promise<void> {
  const names: string[] = await (await fetched("wheels.json")).json();
  const archives = await Promise.all(names.map(async (name) => new Uint8Array(await (await fetched(name)).arrayBuffer())));
  const site = python.runPython("import site; site.getsitepackages()[0]");
  for (const bytes of archives) python.unpackArchive(bytes, "wheel", { extractDir: site });
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
