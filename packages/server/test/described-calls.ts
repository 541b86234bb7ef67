/**
 * For tests: a user with a token, and one call of every endpoint in the OpenAPI document. New endpoints are called
 * automatically. For a new endpoint with a body, the test fails until this file defines the body.
 */
import type { Scope } from "@cairn/store";
import { newToken } from "../src/auth/tokens.ts";
import type { ServerBench } from "./server-bench.ts";

/** The ids and paths with which endpoints are called. */
export interface CallTarget {
  readonly conversation: string;
  readonly turn: string;
  readonly call: string;
  /** Number of a model request. */
  readonly n: string;
  /** Path of a file, physical and logical. */
  readonly path: string;
  readonly logicalPath: string;
  readonly words: string;
  readonly cursor: string;
  /** The conversation as an exported file. */
  readonly exported: string;
}

export interface DescribedCall {
  readonly method: string;
  /** The path of the endpoint, as the OpenAPI document writes it. */
  readonly route: string;
  readonly path: string;
  readonly type: string | null;
  readonly body: string | null;
}

const chat = (id: string) => ({
  id,
  messages: [{ id: "m1", role: "user", parts: [{ type: "text", text: "Hello there" }] }],
});

const BODIES: Readonly<Record<string, (target: CallTarget) => unknown>> = {
  "POST /api/conversations": () => ({ title: "Another" }),
  "PATCH /api/conversations/{id}": () => ({ title: "Renamed" }),
  "POST /api/conversations/{id}/branch": ({ turn }) => ({ before: turn }),
  "POST /api/conversations/{id}/fork": ({ turn }) => ({ at: { turn_id: turn, edge: "after" } }),
  "POST /api/conversations/{id}/turns": () => ({ message: "Hello again" }),
  "POST /api/conversations/{id}/cancel": () => ({}),
  "POST /api/conversations/{id}/show": () => ({}),
  "PATCH /api/conversations/{id}/versions/{number}": () => ({ name: "The short one" }),
  "POST /api/conversations/{id}/approvals/{call}": () => ({ approve: true }),
  "POST /api/conversations/{id}/turns/{turn}/feedback": () => ({ reaction: "up" }),
  "POST /api/conversations/{id}/orders": () => ({ text: "Always answer in French." }),
  "PATCH /api/conversations/{id}/orders/{order}": () => ({ text: "Answer in German." }),
  "POST /api/import/messages": () => ({ messages: [{ role: "user", content: "Hello" }] }),
  "POST /api/mcp/{server}/login": () => ({}),
  "POST /api/mcp/{server}/login/finish": () => ({ parameters: "code=c&state=s" }),
  "POST /api/mcp/{server}/prompts/{prompt}": () => ({}),
  "POST /api/chat": ({ conversation }) => chat(conversation),
};

export async function describedCalls(bench: ServerBench, target: CallTarget): Promise<readonly DescribedCall[]> {
  return callsOf(await bench.get("/openapi.json"), target);
}

type Described = Readonly<
  Record<string, Record<string, { parameters?: { name: string; in: string; required?: boolean }[] }>>
>;

export function callsOf({ paths }: { readonly paths: Described }, target: CallTarget): readonly DescribedCall[] {
  const values: Readonly<Record<string, string>> = {
    ...target,
    id: target.conversation,
    number: "1",
    order: "none",
    server: "none",
    prompt: "none",
  };
  const queries: Readonly<Record<string, string>> = {
    path: target.logicalPath,
    q: target.words,
    cursor: target.cursor,
  };
  return Object.entries(paths).flatMap(([route, methods]) =>
    Object.entries(methods).flatMap(([verb, { parameters = [] }]) => {
      const method = verb.toUpperCase();
      const filled = route.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
      const asked = parameters.filter((each) => each.in === "query" && (queries[each.name] ?? "") !== "");
      const call = { method, route, ...bodyOf(`${method} ${route}`, target) };
      const spell = (...names: readonly string[]) =>
        names.length === 0
          ? filled
          : `${filled}?${names.map((name) => `${name}=${encodeURIComponent(queries[name] ?? "")}`).join("&")}`;
      // Calls with only the required parameters, and with each optional parameter once.
      const required = asked.filter((each) => each.required === true).map(({ name }) => name);
      const plain = [spell(...required)];
      const questions = asked
        .filter(({ name }) => !required.includes(name))
        .map(({ name }) => spell(...required, name));
      return [...plain, ...questions].map((path) => ({ ...call, path }));
    }),
  );
}

function bodyOf(name: string, target: CallTarget): Pick<DescribedCall, "type" | "body"> {
  if (name === "POST /api/import") return { type: "application/x-ndjson", body: target.exported };
  const make = BODIES[name];
  if (make !== undefined) return { type: "application/json", body: JSON.stringify(make(target)) };
  if (!/^(?:GET|DELETE) /.test(name)) throw new Error(`Say in described-calls.ts what to send to ${name}.`);
  return { type: null, body: null };
}

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly requestId: string;
}

export class TokenHolder {
  readonly token: string;
  readonly #bench: () => ServerBench;

  constructor(token: string, bench: () => ServerBench) {
    this.token = token;
    this.#bench = bench;
  }

  /** One user for each scope, and the token list for a server that starts later. */
  static make(scopes: readonly Scope[], bench: () => ServerBench) {
    const made = scopes.map((scope) => newToken({ ...scope, inspect: true }));
    const holders = made.map(({ token }) => new TokenHolder(token, bench));
    return { holders, list: JSON.stringify(made.map(({ entry }) => entry)) };
  }

  /** Two users of one project, and the token list. */
  static pair(bench: () => ServerBench) {
    const { holders, list } = TokenHolder.make(
      ["ada", "bob"].map((user) => ({ tenant: "acme", project: "site", user })),
      bench,
    );
    const [ada, bob] = holders as [TokenHolder, TokenHolder];
    return { ada, bob, list };
  }

  /** Reads an event stream until no data comes for a moment. */
  async send({ method, path, type, body }: Omit<DescribedCall, "route">): Promise<Answered> {
    const leave = new AbortController();
    const headers = { authorization: `Bearer ${this.token}`, ...(type === null ? {} : { "content-type": type }) };
    const response = await this.#bench().fetch(path, { method, headers, body, signal: leave.signal });
    const requestId = response.headers.get("x-request-id") ?? "";
    const isEndless = path.includes("/events") && response.status === 200;
    if (isEndless) leave.abort();
    return { status: response.status, text: isEndless ? "" : await response.text(), requestId };
  }

  async get(path: string) {
    return JSON.parse((await this.send({ method: "GET", path, type: null, body: null })).text);
  }

  async post(path: string, body: unknown) {
    const sent = { method: "POST", path, type: "application/json", body: JSON.stringify(body) };
    return JSON.parse((await this.send(sent)).text);
  }

  /** Makes a conversation whose title, message and file contain a word. */
  async converse(word: string): Promise<CallTarget> {
    const { conversation_id: conversation } = await this.post("/api/conversations", { title: `About ${word}` });
    const base = `/api/conversations/${conversation}`;
    const data = Buffer.from(`The secret of ${word} is ${word}.`).toString("base64");
    const attachments = [{ name: `${word}.txt`, mime: "text/plain", data }];
    const { turn_id: turn } = await this.post(`${base}/turns`, { message: `What is ${word}?`, attachments });
    for (let open = true; open; ) {
      const { turns } = await this.get(base);
      open = turns.find((each: { turn_id: string }) => each.turn_id === turn)?.closed_at == null;
    }
    const { files } = await this.get(`${base}/files`);
    const { turns } = await this.get(base);
    await this.post("/api/conversations", { title: `More of ${word}` });
    const { next_cursor } = await this.get("/api/conversations?limit=1");
    const asked = { method: "GET", path: `${base}/export`, type: null, body: null };
    return {
      conversation,
      turn,
      n: "1",
      words: word,
      cursor: next_cursor,
      path: files[0].physical_path,
      logicalPath: files[0].path,
      call: turns[0].rounds[0]?.call_id ?? "call_1",
      exported: (await this.send(asked)).text,
    };
  }
}
