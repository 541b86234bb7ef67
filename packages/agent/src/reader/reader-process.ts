/**
 * One reader process, as its owner manages it. It runs with an empty environment and may neither write files nor start
 * programs. A file that takes too much time or memory, or crashes its reader, ends only this process.
 */
import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { CairnError } from "@cairn/timeline/error";
import { confinedFlags, type ProcessLimits, runLimited } from "../process/limited-job.ts";
import { residentBytes } from "../process/resident-memory.ts";
import { FrameReader, frameHead } from "./frame.ts";
import { type Job, MAX_REPLY_BYTES, type Reply } from "./protocol.ts";

const MAIN = fileURLToPath(new URL("./reader-main.ts", import.meta.url));

export class ReaderProcess {
  readonly #child: ChildProcess;
  readonly #limits: ProcessLimits;
  readonly #frames = new FrameReader(MAX_REPLY_BYTES);
  readonly #ready = Promise.withResolvers<void>();
  #end: CairnError | null = null;
  #errors = "";
  /** The handler of the current job. */
  #onReply: (reply: Reply) => void = () => undefined;
  #onEnd: (error: CairnError) => void = () => undefined;

  constructor(limits: ProcessLimits) {
    this.#limits = limits;
    // Loaded here, because most applications never read a document.
    const { spawn } = process.getBuiltinModule("node:child_process");
    this.#child = spawn(process.execPath, [...confinedFlags(limits), MAIN], { env: {}, stdio: "pipe" });
    this.#child.stdout?.on("data", (chunk: Buffer) => this.#receive(chunk));
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#errors = (this.#errors + text).slice(-2_000);
    });
    // Errors of the pipe are ignored, because the process then exits and the exit is reported.
    this.#child.stdin?.on("error", () => undefined);
    this.#child.on("error", (error) => this.#finish(crashed(error.message)));
    this.#child.on("exit", (code, signal) => this.#finish(this.#reasonOf(signal ?? code)));
    dieFirst(this.#child.pid);
    this.#keepAlive(false);
  }

  get isAlive(): boolean {
    return this.#end === null;
  }

  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Current bytes of the process; 0 if the system does not report them. */
  get memory(): number {
    return this.#child.pid === undefined ? 0 : (residentBytes(this.#child.pid) ?? 0);
  }

  /** Runs one job at a time. Throws `unreadable`, `too_large`, and errors of the reader. */
  async run(job: Job, bytes: Uint8Array, signal: AbortSignal | undefined): Promise<unknown> {
    if (this.#end !== null) throw this.#end;
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    this.#onReply = resolve;
    this.#onEnd = reject;
    this.#keepAlive(true);
    try {
      const reply = await runLimited(
        this,
        this.#limits,
        (why) => tooLarge(`${why} to read`),
        signal,
        () => {
          this.#child.stdin?.write(frameHead(job, bytes.length));
          this.#child.stdin?.write(bytes);
          return promise;
        },
      );
      if (reply.type === "failed") throw new CairnError(reply.code, reply.message);
      return reply.type === "done" ? reply.result : undefined;
    } finally {
      this.#onReply = () => undefined;
      this.#onEnd = () => undefined;
      this.#keepAlive(false);
    }
  }

  /** Resolves when the process has ended, for whatever reason. */
  async gone(): Promise<void> {
    if (this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#keepAlive(true);
    await new Promise((resolve) => this.#child.once("exit", resolve));
  }

  kill(): void {
    this.#child.kill("SIGKILL");
    this.#finish(new CairnError("closed", "The reader process was stopped."));
  }

  #receive(chunk: Buffer): void {
    try {
      for (const { json } of this.#frames.push(chunk)) {
        const reply = json as Reply;
        if (reply.type === "ready") this.#ready.resolve();
        else this.#onReply(reply);
      }
    } catch (error) {
      this.#finish(
        tooLarge(
          `its text could not be transferred from the reader process (${error instanceof Error ? error.message : error})`,
        ),
      );
      this.#child.kill("SIGKILL");
    }
  }

  #finish(error: CairnError): void {
    this.#end ??= error;
    this.#onEnd(this.#end);
  }

  #reasonOf(how: string | number | null): CairnError {
    if (/out of memory|allocation failed|SIGABRT|SIGSEGV|SIGILL|SIGTRAP|SIGKILL/i.test(`${this.#errors} ${how}`))
      return tooLarge("the reader process ran out of memory");
    return crashed(`it ended with ${how}. ${this.#errors.trim().split("\n").slice(-3).join(" ")}`.trim());
  }

  /** An idle process does not keep its owner alive. */
  #keepAlive(isBusy: boolean): void {
    const { stdin, stdout, stderr } = this.#child;
    for (const each of [this.#child, stdin, stdout, stderr]) {
      if (each === this.#child || each instanceof Socket) isBusy ? each.ref() : each.unref();
    }
  }
}

/** When memory runs out, the kernel should kill this process before any other. */
function dieFirst(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, "1000");
  } catch {
    // The system is not Linux, or `/proc` is read-only. The other limits of time and memory still apply.
  }
}

function tooLarge(why: string): CairnError {
  return new CairnError("too_large", `The file cannot be read: ${why}. Send a smaller or simpler file.`);
}

function crashed(how: string): CairnError {
  return new CairnError("unreadable", `The file cannot be read: the reader process stopped: ${how}`);
}
