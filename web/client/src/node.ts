// What works in Node: all of the package, and a process of its own.

export * from "./index.ts";
export { childProcess, type Command } from "./process.ts";
