// The engine behind the page: a server (`enfilade serve`), or Python in a worker of the browser. Both are clients of the
// protocol.

import { Client, webSocket, type Connect } from "../client/src/index.ts";

export class Engine extends Client {
  constructor(readonly where: "server" | "browser", connect: Connect) {
    super(connect);
  }
}

/** Python in a worker. Cancelling ends the worker, and another one answers what still waits. */
function browser(told: (state: string) => void): Connect {
  return (receiver) => {
    const started = () => {
      const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
      worker.onmessage = (event) => {
        if (typeof event.data === "string") receiver.received(event.data);
        else told(event.data.state);
      };
      worker.onerror = (event) => told(`The engine did not start: ${event.message}`);
      return worker;
    };
    let worker = started();
    return {
      send: (request) => worker.postMessage(request),
      cancel() {
        worker.terminate();
        worker = started();
        for (const request of receiver.waiting()) worker.postMessage(request);
      },
      close: () => worker.terminate(),
    };
  };
}

/** The server that sent this page, if there is one; else the engine in the browser. */
export async function startEngine(told: (state: string) => void): Promise<Engine> {
  const wanted = new URLSearchParams(location.search).get("engine");
  if (wanted !== "browser" && (await hasServer())) return new Engine("server", webSocket(new URL("ws", location.href.replace(/^http/, "ws"))));
  return new Engine("browser", browser(told));
}

async function hasServer(): Promise<boolean> {
  try {
    const found = await fetch("openrpc.json", { cache: "no-store" });
    return found.ok && (found.headers.get("content-type") ?? "").startsWith("application/json");
  } catch {
    return false;
  }
}
