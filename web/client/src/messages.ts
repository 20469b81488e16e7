// Messages that are not requests.

/** The notification that cancels a request. */
export function cancelled(id: number): string {
  return JSON.stringify({ jsonrpc: "2.0", method: "$/cancel", params: { id } });
}
