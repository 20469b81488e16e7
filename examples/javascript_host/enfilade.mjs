// Requests to `enfilade rpc`: a process that reads a request from each line, and writes the answer as a line.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export class Enfilade {
  #process;
  #waiting = new Map();
  #number = 0;

  constructor(command = process.env.ENFILADE ?? "enfilade") {
    this.#process = spawn(command, ["rpc", "--untrusted"], { stdio: ["pipe", "pipe", "inherit"] });
    createInterface({ input: this.#process.stdout }).on("line", (line) => this.#answered(JSON.parse(line)));
  }

  /** Call a method; the promise is rejected with what the rules or the library refuse. */
  call(method, params = {}) {
    const id = ++this.#number;
    this.#process.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  close() {
    this.#process.stdin.end();
  }

  #answered({ id, result, error }) {
    const { resolve, reject } = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) reject(Object.assign(new Error(error.message), { data: error.data }));
    else resolve(result);
  }
}
