/** A server for a test, in a temporary folder and on any free port, and a client for it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentDefinition } from "@cairn/agent";
import { readSettings, type ServerSettings, type Settings } from "cairn-agent/process";
import type { Pace } from "../src/http/pace.ts";
import { type RunningServer, startServer } from "../src/serve.ts";
import { checkEvent, checkResponse } from "./contract-check.ts";

export interface ServerBenchOptions {
  readonly agents?: readonly AgentDefinition[];
  readonly server?: Partial<ServerSettings>;
  /** The model as in `CAIRN_MODEL`; `env` has the variables that it needs. */
  readonly model?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly webFolder?: string;
  /** Environment variables such as `CAIRN_DATABASE_URL`; paths are relative to the folder. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly pace?: Pace;
}

/** One frame of an event stream. */
export interface SentFrame {
  readonly id: string | null;
  readonly event: string;
  /** The type is loose, because a test reads the fields that it expects. */
  readonly data: ReturnType<typeof JSON.parse>;
}

export class ServerBench implements AsyncDisposable {
  readonly folder: string;
  readonly log: string[] = [];
  readonly #options: ServerBenchOptions;
  #server: RunningServer;

  private constructor(folder: string, options: ServerBenchOptions, server: RunningServer, log: string[]) {
    this.folder = folder;
    this.#options = options;
    this.#server = server;
    this.log = log;
  }

  static async open(options: ServerBenchOptions = {}): Promise<ServerBench> {
    const folder = await mkdtemp(join(tmpdir(), "cairn-server-"));
    const log: string[] = [];
    try {
      return new ServerBench(folder, options, await startServer(serveOptions(folder, options, log)), log);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  get address(): string {
    return this.#server.address;
  }

  /** Starts another server on the same data folder. */
  async another(): Promise<RunningServer> {
    return startServer(serveOptions(this.folder, this.#options, this.log));
  }

  async stop(): Promise<void> {
    await this.#server.stop();
  }

  /** Uses the previous port, so that clients find the server again. */
  async start(): Promise<void> {
    const { settings, ...options } = serveOptions(this.folder, this.#options, this.log);
    const { port } = this.#server;
    this.#server = await startServer({ ...options, settings: { ...settings, server: { ...settings.server, port } } });
  }

  async restart(): Promise<void> {
    await this.#server.stop();
    this.#server = await this.another();
  }

  /** Every JSON response is compared with the contract. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(`${this.address}${path}`, init);
    const { method = "GET" } = init;
    if (method !== "HEAD" && /^application\/json/.test(response.headers.get("content-type") ?? "")) {
      const { status } = response;
      const json = JSON.parse(await response.clone().text());
      checkResponse({ method, path: new URL(path, this.address).pathname, status, json });
    }
    return response;
  }

  async get(path: string) {
    return JSON.parse(await (await this.fetch(path)).text());
  }

  async post(path: string, body: unknown = {}, headers: Record<string, string> = {}) {
    const init = { method: "POST", headers: { "content-type": "application/json", ...headers } };
    return JSON.parse(await (await this.fetch(path, { ...init, body: JSON.stringify(body) })).text());
  }

  async converse(agent?: string): Promise<string> {
    const made = await this.post("/api/conversations", agent === undefined ? {} : { agent });
    return String(made.conversation_id);
  }

  /** Sends a message and waits until its turn has ended; returns the conversation. */
  async say(id: string, message: string, more: Readonly<Record<string, unknown>> = {}) {
    const { turn_id } = await this.post(`/api/conversations/${id}/turns`, { message, ...more });
    await this.until(id, ({ event, data }) => event === "turn.closed" && data.body.turn_id === turn_id);
    return this.get(`/api/conversations/${id}`);
  }

  /** The frames of a conversation's event stream after a given event. */
  async *follow(
    id: string,
    after = 0,
    base = this.address,
    headers: Readonly<Record<string, string>> = {},
  ): AsyncGenerator<SentFrame> {
    const leave = new AbortController();
    const path = `/api/conversations/${encodeURIComponent(id)}/events?after=${after}`;
    const response = await fetch(`${base}${path}`, { signal: leave.signal, headers });
    try {
      if (response.body === null) return;
      for await (const frame of readFrames(response.body)) {
        checkEvent(frame.event, frame.data);
        yield frame;
      }
    } finally {
      leave.abort();
    }
  }

  /** Reads frames until one matches; returns all frames up to it. */
  async until(
    id: string,
    fits: (frame: SentFrame) => boolean,
    after = 0,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<readonly SentFrame[]> {
    const frames: SentFrame[] = [];
    for await (const frame of this.follow(id, after, this.address, headers)) {
      frames.push(frame);
      if (fits(frame)) return frames;
    }
    throw new Error(`The stream ended: ${frames.map(({ event }) => event).join(" ")}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

export async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<SentFrame> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const frame = readFrame(text.slice(0, end));
      text = text.slice(end + 2);
      if (frame !== null) yield frame;
    }
  }
}

function readFrame(text: string): SentFrame | null {
  const field = (name: string) =>
    text
      .split("\n")
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? null;
  const data = field("data");
  return data === null ? null : { id: field("id"), event: field("event") ?? "message", data: JSON.parse(data) };
}

function serveOptions(folder: string, options: ServerBenchOptions, log: string[]) {
  const base = readSettings(null, options.settings ?? {}, folder);
  const settings: Settings = {
    ...base,
    model: options.model ?? null,
    agents: options.agents ?? [],
    server: { ...base.server, port: 0, drainSeconds: 0, ...options.server },
  };
  return {
    settings,
    env: options.env ?? {},
    logTo: { write: (line: string) => log.push(line) > 0 },
    ...(options.pace === undefined ? {} : { pace: options.pace }),
    ...(options.webFolder === undefined ? {} : { webFolder: options.webFolder }),
  };
}
