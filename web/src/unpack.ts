// A worker that fetches a packed file, unpacks it and ends: the unpacker's own memory ends with it. The next visit reads what
// was unpacked, which takes a third of the time.

import { decompress, init } from "@bokuweb/zstd-wasm";

const KEPT = "enfilade-memory";

async function unpacked(address: string): Promise<{ memory: ArrayBuffer; isKept: boolean }> {
  const kept = await (await opened())?.match(address);
  if (kept !== undefined) return { memory: await kept.arrayBuffer(), isKept: true };
  const [found] = await Promise.all([fetch(address), init()]);
  if (!found.ok) throw new Error(`${address}: ${found.status}`);
  return { memory: decompress(new Uint8Array(await found.arrayBuffer())).buffer as ArrayBuffer, isKept: false };
}

/** Keeps a copy of what was unpacked, in place of what was kept before. Without room for it the next visit unpacks again. */
async function keep(address: string, copy: Blob): Promise<void> {
  const cache = await opened();
  for (const { url } of (await cache?.keys()) ?? []) await cache?.delete(url);
  await cache?.put(address, new Response(copy));
}

/** The store; there is none where the browser keeps nothing. */
async function opened(): Promise<Cache | undefined> {
  try {
    return await self.caches?.open(KEPT);
  } catch {
    return undefined;
  }
}

self.onmessage = async (event: MessageEvent<string>) => {
  try {
    const { memory, isKept } = await unpacked(event.data);
    const copy = isKept ? undefined : new Blob([memory]);
    self.postMessage(memory, { transfer: [memory] });
    if (copy !== undefined) await keep(event.data, copy).catch(() => undefined);
  } catch (error) {
    self.postMessage(String(error));
  }
  self.close();
};
