/**
 * One process that makes documents, managed by its owner, the server process.
 *
 * Documents are made outside the server process, because hostile content may take forever, use up all memory or crash
 * the process; then this process is killed and the call fails with `document_too_complex`. The process runs with an
 * empty environment, may neither write files nor start programs, and reaches no network.
 */
import { type ChildProcess, fork } from "node:child_process";
import { Socket } from "node:net";
import { confinedFlags, type ProcessLimits, residentBytes, runLimited } from "@cairn/agent";
import { CairnError } from "@cairn/timeline";
import type { DocumentSupply, RenderedDocument, RenderRequest } from "../renderer/document-renderer.ts";
import { type FromProcess, fromProcess, type ToProcess } from "./protocol.ts";

export class EngineProcess {
  readonly #child: ChildProcess;
  readonly #limits: ProcessLimits;
  readonly #heard: FromProcess[] = [];
  readonly #ready = Promise.withResolvers<void>();
  #wake: (() => void) | null = null;
  #ended: string | null = null;
  #said = "";

  constructor(limits: ProcessLimits) {
    this.#limits = limits;
    this.#child = fork(new URL("./engine-main.ts", import.meta.url), [], {
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      // If a part of the engine tries to download a package, it reaches a port where nothing listens.
      env: { HTTPS_PROXY: "http://127.0.0.1:1", HTTP_PROXY: "http://127.0.0.1:1" },
      execArgv: [...confinedFlags(limits), "--allow-addons"],
    });
    this.#child.on("message", (message) => this.#hear(message));
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#said = (this.#said + text).slice(-2_000);
    });
    this.#child.on("error", (error) => this.#end(error.message));
    this.#child.on("exit", (code, signal) => this.#end(`it ended with ${signal ?? code}`));
    // Neither an idle process nor its output keeps the owner alive.
    if (this.#child.stderr instanceof Socket) this.#child.stderr.unref();
    this.#child.unref();
    this.#child.channel?.unref();
  }

  get isAlive(): boolean {
    return this.#ended === null;
  }

  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Bytes of memory that the process uses now; 0 if unknown. */
  get memory(): number {
    return this.#child.pid === undefined ? 0 : (residentBytes(this.#child.pid) ?? 0);
  }

  async render(request: RenderRequest, supply: DocumentSupply, signal: AbortSignal): Promise<RenderedDocument> {
    this.#child.ref();
    this.#child.channel?.ref();
    try {
      return await runLimited(this, this.#limits, tooComplex, signal, () => this.#converse(request, supply));
    } finally {
      this.#child.unref();
      this.#child.channel?.unref();
    }
  }

  async #converse(request: RenderRequest, supply: DocumentSupply): Promise<RenderedDocument> {
    this.#say({ type: "job", request });
    for (;;) {
      const message = await this.#next();
      switch (message.type) {
        case "ready":
          this.#ready.resolve();
          break;
        case "needs":
          this.#say({ type: "supply", ...(await fetchNeeds(message, supply)) });
          break;
        case "done":
          return message.document;
        case "failed":
          throw new CairnError(message.code, message.message);
      }
    }
  }

  kill(): void {
    this.#child.kill("SIGKILL");
    // The process must not count as alive until its end is reported.
    this.#end("it was killed");
  }

  #say(message: ToProcess): void {
    if (this.#ended === null) this.#child.send(message);
  }

  #hear(message: unknown): void {
    const { data: heard, error } = fromProcess.safeParse(message);
    if (heard === undefined) {
      this.#end(`it sent something unknown: ${error.message.slice(0, 200)}`);
      this.kill();
      return;
    }
    this.#heard.push(heard);
    this.#wake?.();
  }

  #end(how: string): void {
    this.#ended ??= how;
    this.#wake?.();
  }

  async #next(): Promise<FromProcess> {
    for (;;) {
      const message = this.#heard.shift();
      if (message !== undefined) return message;
      if (this.#ended !== null) throw this.#death(this.#ended);
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
  }

  /** Why the process died: out of memory or stack for a document, or it never started. */
  #death(how: string): CairnError {
    if (/heap out of memory|allocation failed|SIGABRT|SIGSEGV|SIGILL|SIGTRAP/i.test(`${this.#said} ${how}`))
      return tooComplex("the process that made it ran out of memory");
    const lines = this.#said.trim().split("\n").slice(-3).join(" ");
    return new CairnError("document_failed", `The process that makes documents stopped: ${how}. ${lines}`.trim());
  }
}

async function fetchNeeds(
  { images, sids }: Extract<FromProcess, { type: "needs" }>,
  supply: DocumentSupply,
): Promise<Omit<Extract<ToProcess, { type: "supply" }>, "type">> {
  const found: [string, Uint8Array][] = [];
  for (const src of images) {
    const bytes = await supply.image(src);
    if (bytes !== null) found.push([src, bytes]);
  }
  const sources = await Promise.all(sids.map(async (sid) => [sid, await supply.source(sid)] as const));
  return { images: found, sources: sources.flatMap(([sid, source]) => (source === null ? [] : [[sid, source]])) };
}

function tooComplex(why: string): CairnError {
  return new CairnError("document_too_complex", `The document cannot be made: ${why}. Make it smaller or simpler.`);
}
