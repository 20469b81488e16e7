// What works in a browser and in Node.

export { CallError, Client, Stopped, type Connect, type Receiver, type Transport } from "./client.ts";
export { http } from "./http.ts";
export type * from "./methods.ts";
export { webSocket } from "./websocket.ts";
