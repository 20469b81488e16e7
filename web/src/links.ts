// Links that hold everything: rules, facts and dice, compressed in the part of the address that no server sees.

import type { Ruleset } from "../client/src/index.ts";

export interface Shared {
  ruleset: Ruleset;
  procedure: string;
  facts: Record<string, any>;
  options?: Record<string, any>;
  save?: string;
}

export async function linkOf(shared: Shared): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  const packed = new Uint8Array(await through(bytes, new CompressionStream("deflate-raw")));
  let text = "";
  for (const byte of packed) text += String.fromCharCode(byte);
  const address = new URL(location.href);
  address.hash = `#v1.${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
  return address.href;
}

export function readLink(hash: string): Promise<Shared> | null {
  const found = /^#v1\.([\w-]+)$/.exec(hash);
  return found === null ? null : unpacked(found[1]!);
}

async function unpacked(text: string): Promise<Shared> {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<ArrayBuffer> {
  return new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer();
}
