// Keeps the page and its engine for use without a network; the engine is fetched once. The server's answers are never kept.
const KEPT = "enfilade-1";
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  if (event.request.method !== "GET" || address.origin !== location.origin || address.pathname.endsWith("openrpc.json")) return;
  event.respondWith(answered(event.request));
});

/** The folder of the engine that an address is in: named after what it holds, so its files never change. */
const engineOf = (address) => /\/engine\/\w+\//.exec(new URL(address).pathname)?.[0];

async function answered(request) {
  const cache = await caches.open(KEPT);
  const engine = engineOf(request.url);
  if (engine !== undefined) return (await cache.match(request)) ?? kept(cache, request, engine);
  try {
    const found = await fetch(request);
    if (found.ok) void cache.put(request, found.clone());
    return found;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept !== undefined) return kept;
    throw error;
  }
}

/** Fetches and keeps a file of an engine, and drops the files of the engine before. */
async function kept(cache, request, engine) {
  const found = await fetch(request);
  if (!found.ok) return found;
  void cache.put(request, found.clone());
  for (const { url } of await cache.keys()) if ((engineOf(url) ?? engine) !== engine) void cache.delete(url);
  return found;
}
