// Requests over a WebSocket. It is opened with the first request, and again when it closes while requests wait: they are
// sent again, because every request can be answered by any process.

import type { Connect } from "./client.ts";
import { cancelled } from "./messages.ts";

const PAUSE_MS = 500;

/** Connect to `/ws` of `enfilade serve`. */
export function webSocket(address: string | URL): Connect {
  return (receiver) => {
    let socket: WebSocket | null = null;
    let isClosed = false;
    const isOpen = () => socket?.readyState === WebSocket.OPEN;
    const open = () => {
      if (socket !== null || isClosed) return;
      const made = new WebSocket(address);
      socket = made;
      made.onopen = () => {
        for (const request of receiver.waiting()) made.send(request);
      };
      made.onmessage = (event) => receiver.received(event.data);
      made.onclose = () => {
        socket = null;
        if (receiver.waiting().length > 0) setTimeout(open, PAUSE_MS);
      };
    };
    return {
      send(request) {
        if (isOpen()) socket!.send(request);
        else open();
      },
      cancel(ids) {
        if (isOpen()) for (const id of ids) socket!.send(cancelled(id));
      },
      close() {
        isClosed = true;
        socket?.close();
      },
    };
  };
}
