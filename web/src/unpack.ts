// A worker that fetches a packed file, unpacks it and ends: the unpacker's own memory ends with it.

import { decompress, init } from "@bokuweb/zstd-wasm";

async function unpacked(address: string): Promise<ArrayBuffer> {
  const [found] = await Promise.all([fetch(address), init()]);
  if (!found.ok) throw new Error(`${address}: ${found.status}`);
  return decompress(new Uint8Array(await found.arrayBuffer())).buffer as ArrayBuffer;
}

self.onmessage = (event: MessageEvent<string>) => {
  unpacked(event.data).then(
    (memory) => self.postMessage(memory, { transfer: [memory] }),
    (error: unknown) => self.postMessage(String(error)),
  );
};
