/** A client of one tenant. */
import { Agent, get, request } from "node:http";

/** The status, and the answer: JSON as a value, anything else as text. */
export type Answer = readonly [number, ReturnType<typeof JSON.parse>];

export class Tenant implements Disposable {
  readonly #address: string;
  readonly #token: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 512 });

  constructor(address: string, token: string) {
    this.#address = address;
    this.#token = token;
  }

  send(method: string, path: string, body?: object | string): Promise<Answer> {
    const content = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const type = typeof body === "string" ? "application/x-ndjson" : "application/json";
    const headers = {
      authorization: `Bearer ${this.#token}`,
      "content-type": type,
      ...(content === undefined ? {} : { "content-length": Buffer.byteLength(content) }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(`${this.#address}${path}`, { method, agent: this.#agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          const isJson = response.headers["content-type"]?.startsWith("application/json") === true;
          resolve([response.statusCode ?? 0, isJson ? JSON.parse(text) : text]);
        });
      });
      sent.on("error", (error: NodeJS.ErrnoException) => {
        // The server may close an idle connection in the moment it is used again.
        if (sent.reusedSocket && error.code === "ECONNRESET") resolve(this.send(method, path, body));
        else reject(error);
      });
      sent.end(content);
    });
  }

  async converse(): Promise<string> {
    const [, { conversation_id }] = await this.send("POST", "/api/conversations", {});
    return String(conversation_id);
  }

  /** Resolves when the stream has ended or was refused. */
  follow(id: string, onData: (text: string) => void, signal?: AbortSignal): Promise<void> {
    const headers = { authorization: `Bearer ${this.#token}` };
    return new Promise((resolve) => {
      const options = { agent: false, headers, ...(signal === undefined ? {} : { signal }) } as const;
      const sent = get(`${this.#address}/api/conversations/${id}/events`, options, (response) => {
        response.setEncoding("utf8").on("data", onData);
        response.on("error", () => resolve());
        response.on("close", () => resolve());
      });
      sent.on("error", () => resolve());
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
