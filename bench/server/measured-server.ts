/** The measured process, as its parent sees it, and a client that uses as little processor time as possible. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, get, type IncomingMessage, request } from "node:http";
import { fileURLToPath } from "node:url";
import type { LoopWait } from "./loop-time.ts";

const CHILD = fileURLToPath(new URL("server-child.ts", import.meta.url));

export interface Memory {
  readonly rss: number;
  readonly heap: number;
}

export interface Follower {
  readonly leave: () => void;
}

export class MeasuredServer implements AsyncDisposable {
  readonly address: string;
  readonly #child: ChildProcess;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 128 });

  private constructor(child: ChildProcess, address: string) {
    this.#child = child;
    this.address = address;
  }

  static async start(kind: "cairn" | "tenants" | "bare", folder: string): Promise<MeasuredServer> {
    const child = fork(CHILD, [kind, folder], {
      execArgv: ["--expose-gc"],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    child.on("error", (error) => console.error(`${error.message} (pid ${child.pid})`));
    const ended = once(child, "exit").then(([code, signal]) =>
      Promise.reject(new Error(`It ended: ${code ?? signal}`)),
    );
    const [message] = await Promise.race([once(child, "message"), ended]);
    return new MeasuredServer(child, String(message.address));
  }

  /** Bytes after garbage collection, the lowest of several samples. */
  async memory(): Promise<Memory> {
    const looks: Memory[] = [];
    for (let look = 0; look < 3; look++) {
      looks.push(await this.#ask("memory"));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return { rss: Math.min(...looks.map(({ rss }) => rss)), heap: Math.min(...looks.map(({ heap }) => heap)) };
  }

  /** Milliseconds of processor time so far, which do not depend on other programs of the machine. */
  async work(): Promise<number> {
    const { work } = await this.#ask("work");
    return (work.user + work.system) / 1_000;
  }

  /** How long a request would wait for the event loop, since the last report. */
  wait(): Promise<LoopWait> {
    return this.#ask("wait");
  }

  async #ask(what: "memory" | "work" | "wait") {
    this.#child.send(what);
    const [message] = await once(this.#child, "message");
    return message;
  }

  post(path: string, body: object): Promise<ReturnType<typeof JSON.parse>> {
    const content = JSON.stringify(body);
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(content) };
    return new Promise((resolve, reject) => {
      const sent = request(`${this.address}${path}`, { method: "POST", agent: this.#agent, headers }, (response) => {
        readAll(response).then((text) => resolve(JSON.parse(text)), reject);
      });
      sent.on("error", (error: NodeJS.ErrnoException) => {
        // The server may close an idle connection at the moment when it is used again.
        if (sent.reusedSocket && error.code === "ECONNRESET") resolve(this.post(path, body));
        else reject(error);
      });
      sent.end(content);
    });
  }

  /** Follows a stream on a connection of its own; resolves when the first bytes are there. */
  async follow(path: string, onData: (text: string) => void = () => undefined): Promise<Follower> {
    const sent = get(`${this.address}${path}`, { agent: false });
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    const first = once(response, "data");
    response.setEncoding("utf8");
    response.on("data", onData);
    // A client that leaves closes the connection, which is not an error.
    for (const each of [sent, response]) each.on("error", () => undefined);
    await first;
    return { leave: () => sent.destroy() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    this.#agent.destroy();
    await gone;
  }
}

async function readAll(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
