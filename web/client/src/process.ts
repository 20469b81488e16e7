// Requests to a process, `enfilade rpc`: a line each. Needs Node.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

import type { Connect } from "./client.ts";
import { cancelled } from "./messages.ts";

export interface Command {
  /** The path of `enfilade`. */
  command?: string;
  /** Whether rules are trusted: no limits for strangers, and rulesets may be paths. */
  trusted?: boolean;
}

/** Start `enfilade rpc`, and connect to it. */
export function childProcess({ command = "enfilade", trusted = false }: Command = {}): Connect {
  return (receiver) => {
    const child = spawn(command, trusted ? ["rpc"] : ["rpc", "--untrusted"], { stdio: ["pipe", "pipe", "inherit"] });
    const write = (line: string) => void child.stdin.write(`${line}\n`);
    createInterface({ input: child.stdout }).on("line", receiver.received);
    child.on("error", receiver.lost);
    // A process that is gone is reported once, by its end.
    child.stdin.on("error", () => undefined);
    child.on("close", (code) => receiver.lost(new Error(`${command} ended (${code})`)));
    return { send: write, cancel: (ids) => ids.map(cancelled).forEach(write), close: () => void child.stdin.end() };
  };
}
