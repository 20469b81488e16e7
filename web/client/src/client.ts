// Requests to Enfilade and their answers, over any transport.

import { Methods, type CallOptions, type Value } from "./methods.ts";

/** A call failed: a wrong parameter (a negative code, as in docs/protocol.md), or the reason of the library (code 1). */
export class CallError extends Error {
  readonly code: number;
  /** The reason of the library, in the form of the published schema `error`. */
  readonly data: Value;

  constructor(message: string, code: number, data: Value = null) {
    super(message);
    this.name = "CallError";
    this.code = code;
    this.data = data;
  }

  /** The errors of single facts. */
  get faults(): { parameter: string; message: string }[] {
    return this.data?.errors ?? [];
  }
}

/** The request was cancelled. */
export class Stopped extends Error {
  constructor() {
    super("stopped");
    this.name = "Stopped";
  }
}

/** The client, as its transport sees it. */
export interface Receiver {
  /** A message has come: an answer or a notification, as JSON. */
  received(message: string): void;
  /** No more messages will come; requests that wait fail. */
  lost(error: Error): void;
  /** The requests that wait for an answer, for a transport that connects again. */
  waiting(): string[];
}

/** Moves requests to a service, and its messages back. */
export interface Transport {
  /** Send a request. The promise is rejected if there will be no answer. */
  send(request: string, id: number): void | Promise<void>;
  /** Cancel requests. */
  cancel(ids: number[]): void;
  /** Let the service go. */
  close(): void;
}

/** Makes a transport for a client: `webSocket(url)`, for example. */
export type Connect = (receiver: Receiver) => Transport;

interface Waiting {
  request: string;
  resolve: (result: Value) => void;
  reject: (error: Error) => void;
  progress: CallOptions["progress"];
}

/** Sends requests; each method of the protocol is a method. */
export class Client extends Methods {
  private readonly waiting = new Map<number, Waiting>();
  private readonly transport: Transport;
  private last = 0;

  constructor(connect: Connect) {
    super();
    this.transport = connect({
      received: (message) => this.received(JSON.parse(message)),
      lost: (error) => this.fail([...this.waiting.keys()], () => error),
      waiting: () => [...this.waiting.values()].map((each) => each.request),
    });
  }

  /** Cancel all requests. */
  stop(): void {
    this.cancel([...this.waiting.keys()]);
  }

  close(): void {
    this.stop();
    this.transport.close();
  }

  protected call(method: string, params: object, { signal, progress }: CallOptions = {}): Promise<Value> {
    const id = ++this.last;
    const request = JSON.stringify({ jsonrpc: "2.0", id, method, params: progress === undefined ? params : { ...params, progress: true } });
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new Stopped());
      this.waiting.set(id, { request, resolve, reject, progress });
      signal?.addEventListener("abort", () => this.cancel([id]), { once: true });
      Promise.resolve(this.transport.send(request, id)).catch((error: Error) => this.fail([id], () => error));
    });
  }

  private cancel(ids: number[]): void {
    const open = ids.filter((id) => this.waiting.has(id));
    this.fail(open, () => new Stopped());
    if (open.length > 0) this.transport.cancel(open);
  }

  private fail(ids: number[], why: () => Error): void {
    const failed = ids.map((id) => this.taken(id));
    for (const each of failed) each?.reject(why());
  }

  private received({ id, result, error, method, params }: Value): void {
    if (method === "$/progress") return this.waiting.get(params.id)?.progress?.(params.work);
    const waiting = this.taken(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new CallError(error.message, error.code, error.data));
  }

  private taken(id: number): Waiting | undefined {
    const found = this.waiting.get(id);
    this.waiting.delete(id);
    return found;
  }
}
