/**
 * Two tenants at one server with the default limits. One does as much as it can of everything at once: requests,
 * messages, uploads and event streams, and starts again whenever it is refused. How much slower is the other?
 */
import { Agent, get, request } from "node:http";
import { now } from "./instant-model.ts";
import { MeasuredServer } from "./measured-server.ts";
import { percentile, type ServerResult } from "./server-result.ts";
import { TOKENS } from "./two-tenants.ts";

/** Connections of the hostile tenant, for each kind of request. */
const CONNECTIONS = 16;
const CONVERSATIONS = 60;
const STREAMS = 60;
const UPLOAD_BYTES = 2_000_000;
/** So many refusals later the hostile tenant is at its limits. */
const SETTLED = 500;

class Tenant implements Disposable {
  readonly #address: string;
  readonly #token: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 });

  constructor(address: string, token: string) {
    this.#address = address;
    this.#token = token;
  }

  /** The status, and the answer. */
  send(method: string, path: string, body?: object): Promise<readonly [number, ReturnType<typeof JSON.parse>]> {
    const content = body === undefined ? null : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${this.#token}`,
      ...(content === null ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(content) }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(`${this.#address}${path}`, { method, agent: this.#agent, headers }, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        const text = Buffer.concat(chunks).toString("utf8");
        resolve([response.statusCode ?? 0, text === "" ? null : JSON.parse(text)]);
      });
      sent.on("error", (error: NodeJS.ErrnoException) => {
        // The server may close an idle connection in the very moment it is used again.
        if (sent.reusedSocket && error.code === "ECONNRESET") resolve(this.send(method, path, body));
        else reject(error);
      });
      sent.end(content ?? undefined);
    });
  }

  async converse(): Promise<string> {
    const [, { conversation_id }] = await this.send("POST", "/api/conversations", {});
    return String(conversation_id);
  }

  follow(id: string, onData: (text: string) => void): void {
    const headers = { authorization: `Bearer ${this.#token}` };
    const sent = get(`${this.#address}/api/conversations/${id}/events`, { agent: false, headers }, (response) => {
      response.setEncoding("utf8").on("data", onData);
      response.on("error", () => undefined);
    });
    // The server is killed at the end.
    sent.on("error", () => undefined);
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

/** Times of turns, from the message to their end, and of requests for the list of conversations. */
async function measure(tenant: Tenant, times: number): Promise<{ turns: number[]; requests: number[] }> {
  const id = await tenant.converse();
  let closed: () => void = () => undefined;
  let rest = "";
  tenant.follow(id, (text) => {
    const frames = (rest + text).split("\n\n");
    rest = frames.pop() ?? "";
    if (frames.some((frame) => frame.includes("event: turn.closed\n"))) closed();
  });
  const turns: number[] = [];
  const requests: number[] = [];
  for (let nth = 0; nth < times; nth++) {
    const ended = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const began = now();
    await tenant.send("POST", `/api/conversations/${id}/turns`, { message: "Hello" });
    await ended;
    turns.push(now() - began);
    const asked = now();
    await tenant.send("GET", "/api/conversations");
    requests.push(now() - asked);
    // As many requests a second as a person's app makes, and no more than it may.
    await new Promise((resolve) => setTimeout(resolve, 120));
  }
  return { turns, requests };
}

/** Goes on until the signal aborts. */
function attack(tenant: Tenant, signal: AbortSignal): { readonly refused: () => number } {
  let refused = 0;
  const ids: string[] = [];
  const attachments = [{ name: "a.bin", data: Buffer.alloc(UPLOAD_BYTES, 7).toString("base64") }];
  const any = () => ids[Math.floor(Math.random() * ids.length)] ?? "none";
  const loop = async (once: () => Promise<readonly [number, unknown]>) => {
    while (!signal.aborted) {
      const [status] = await once().catch(() => [0] as const);
      if (status === 429) refused++;
    }
  };
  const make = async () => {
    const answer = await tenant.send("POST", "/api/conversations", {});
    if (answer[0] === 201 && ids.length < CONVERSATIONS) ids.push(answer[1].conversation_id);
    return answer;
  };
  for (let nth = 0; nth < CONNECTIONS; nth++) {
    void loop(make);
    void loop(() => tenant.send("GET", "/api/conversations"));
    void loop(() => tenant.send("POST", `/api/conversations/${any()}/turns`, { message: "Hello" }));
    void loop(() => tenant.send("POST", `/api/conversations/${any()}/turns`, { message: "Hello", attachments }));
  }
  setTimeout(() => {
    for (let nth = 0; nth < STREAMS && ids.length > 0; nth++) tenant.follow(any(), () => undefined);
  }, 1_000).unref();
  return { refused: () => refused };
}

export async function measureNeighbours(folder: string, times: number): Promise<readonly ServerResult[]> {
  await using server = await MeasuredServer.start("tenants", folder);
  using polite = new Tenant(server.address, TOKENS.polite);
  using hostile = new Tenant(server.address, TOKENS.hostile);
  await measure(polite, 20);
  const alone = await measure(polite, times);
  const stop = new AbortController();
  const { refused } = attack(hostile, stop.signal);
  // Its first burst is allowed: what counts is how it goes on.
  while (refused() < SETTLED) await new Promise((resolve) => setTimeout(resolve, 100));
  const beside = await measure(polite, times);
  stop.abort();
  const p95 = (values: readonly number[]) => percentile(values, 0.95);
  return [
    { name: "turn, p95, alone", value: p95(alone.turns), unit: "ms" },
    { name: "turn, p95, beside a hostile tenant", value: p95(beside.turns), unit: "ms" },
    { name: "request, p95, alone", value: p95(alone.requests), unit: "ms" },
    { name: "request, p95, beside a hostile tenant", value: p95(beside.requests), unit: "ms" },
    { name: "requests of the hostile tenant that were refused", value: refused(), unit: "count" },
    { name: "turn, p95, beside / alone", value: p95(beside.turns) / p95(alone.turns), unit: "ratio" },
    { name: "request, p95, beside / alone", value: p95(beside.requests) / p95(alone.requests), unit: "ratio" },
  ];
}
