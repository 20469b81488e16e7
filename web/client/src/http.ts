// Requests over HTTP: one POST each. A request that is cancelled is not waited for; the server ends it at its limit.

import type { Connect } from "./client.ts";

/** Connect to `/rpc` of `enfilade serve`. */
export function http(address: string | URL): Connect {
  return (receiver) => {
    const open = new Map<number, AbortController>();
    const cancel = (ids: Iterable<number>) => {
      for (const id of ids) open.get(id)?.abort();
    };
    return {
      async send(request, id) {
        const control = new AbortController();
        open.set(id, control);
        try {
          const answer = await fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body: request, signal: control.signal });
          if (!answer.ok) throw new Error(`the server answers ${answer.status}: ${await answer.text()}`);
          receiver.received(await answer.text());
        } finally {
          open.delete(id);
        }
      },
      cancel,
      close: () => cancel(open.keys()),
    };
  };
}
