/**
 * Tests every endpoint of the OpenAPI document with bad input: malformed, oversized, unauthorised, of another user,
 * replayed and slow. The requests are made from the document, so new endpoints are tested automatically.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { anyCharacter } from "@cairn/testkit/any-character";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DescribedApi, type Operation } from "../test/described-operations.ts";
import { ServerBench } from "../test/server-bench.ts";
import { newToken } from "./auth/tokens.ts";

const ada = newToken({ tenant: "acme", project: "site", user: "ada", inspect: true });
const bob = newToken({ tenant: "other", project: "site", user: "bob", inspect: true });
const SECRET = "the rent is 900 euros";
const OPEN = new Set(["/healthz", "/readyz"]);
/** The errors that any endpoint may return for an invalid request, even if its definition does not list them. */
const USUAL = [400, 401, 404, 413, 415];
const UPLOAD_MB = 1;
/** More bytes than a body may have. A file that is imported may have ten times as many bytes as other bodies. */
const tooMuch = (path: string) => (path.startsWith("/api/import") ? 12_000_000 : 2_000_000);

let bench: ServerBench;
let api: DescribedApi;
let known: Readonly<Record<string, string>>;

beforeAll(async () => {
  bench = await ServerBench.open({
    server: {
      tokens: JSON.stringify([ada.entry, bob.entry]),
      uploadMb: UPLOAD_MB,
      // The limits are raised, because these tests send very many requests.
      userRequests: 100_000,
      tenantRequests: 100_000,
    },
    pace: { graceMs: 5_000, bytesPerSecond: 100_000 },
  });
  api = new DescribedApi(JSON.parse(await (await bench.fetch("/openapi.json")).text()));
  known = await converse(ada.token);
});
afterAll(() => bench[Symbol.asyncDispose]());

/** A conversation of another user, with a turn and a file in it. */
async function converse(token: string): Promise<Readonly<Record<string, string>>> {
  const headers = { authorization: `Bearer ${token}` };
  const { conversation_id: id } = await bench.post("/api/conversations", {}, headers);
  const attachments = [{ name: "lease.txt", data: Buffer.from(SECRET).toString("base64") }];
  const { turn_id: turn } = await bench.post(
    `/api/conversations/${id}/turns`,
    { message: SECRET, attachments },
    headers,
  );
  for (;;) {
    const { turns } = JSON.parse(await (await bench.fetch(`/api/conversations/${id}`, { headers })).text());
    if (turns[0]?.exit)
      return { id, turn, call: "tc_1", n: "1", number: "1", path: turns[0].attachments[0].physical_path };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function address(
  { path, parameters }: Operation,
  values: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>> = {},
) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? "x";
    return name === "path" ? value : encodeURIComponent(value);
  });
  const needed = parameters.filter((each) => each.in === "query" && each.required === true);
  const search = new URLSearchParams({ ...Object.fromEntries(needed.map(({ name }) => [name, "ar:x"])), ...query });
  return search.size === 0 ? filled : `${filled}?${search}`;
}

interface Sent {
  readonly token?: string | null;
  readonly values?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyInit;
}

/** Sends the request and reads only the beginning of the answer, because a stream never ends. */
async function send(operation: Operation, sent: Sent = {}) {
  const { token = ada.token, values = known, query, headers = {}, body } = sent;
  const leave = new AbortController();
  const fits = operation.body === null ? "" : JSON.stringify(api.sample(operation.body));
  const response = await bench.fetch(address(operation, values, query), {
    method: operation.method,
    headers: {
      ...(operation.body === null ? {} : { "content-type": "application/json" }),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    signal: leave.signal,
    ...(operation.method === "GET" ? {} : { body: body ?? fits, duplex: "half" }),
  });
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const text = isStream ? "" : await response.text();
  leave.abort();
  return { status: response.status, text };
}

async function exported(values: Readonly<Record<string, string>>): Promise<string> {
  const headers = { authorization: `Bearer ${ada.token}` };
  return (await bench.fetch(`/api/conversations/${values.id}/export`, { headers })).text();
}

/** Bodies with meaningful content, for endpoints that need more than the right form. */
async function fitting(name: string, values: Readonly<Record<string, string>>): Promise<Sent> {
  switch (name) {
    case "POST /api/conversations/{id}/turns":
      return { body: JSON.stringify({ message: "Hello" }) };
    case "POST /api/conversations/{id}/branch":
      return { body: JSON.stringify({ before: values.turn }) };
    case "POST /api/chat": {
      const parts = [{ type: "text", text: "Hello" }];
      return { body: JSON.stringify({ id: values.id, messages: [{ id: "m", role: "user", parts }] }) };
    }
    case "POST /api/import/messages":
      return { body: JSON.stringify({ messages: [{ role: "user", content: "Hello" }] }) };
    case "POST /api/import":
      return { headers: { "content-type": "application/x-ndjson" }, body: await exported(values) };
    default:
      return {};
  }
}

function isProblem(text: string): boolean {
  const { error } = JSON.parse(text);
  return typeof error.code === "string" && typeof error.message === "string" && error.message !== "";
}

const scoped = () => api.operations.filter(({ path }) => !OPEN.has(path));
const changing = () => scoped().filter(({ method }) => method !== "GET");
const reading = () => scoped().filter(({ method }) => method === "GET");

describe("every endpoint of the document", () => {
  it("is one of many, and answers valid input as the document says, in status and in form", async () => {
    expect(api.operations.length).toBeGreaterThan(25);
    const own = await converse(ada.token);
    const refused: string[] = [];
    // The endpoint that removes the conversation comes last.
    for (const operation of [...reading(), ...changing().toSorted((a, b) => rank(a) - rank(b))]) {
      const { name, answers } = operation;
      const { status, text } = await send(operation, { values: own, ...(await fitting(name, own)) });
      expect([name, status, answers.has(status) || USUAL.includes(status)]).toEqual([name, status, true]);
      if (status >= 400) {
        expect([name, isProblem(text)]).toEqual([name, true]);
        refused.push(`${name} ${status}`);
      }
      const checked = answers.get(status)?.safeParse(JSON.parse(text));
      expect([name, checked?.error?.issues ?? []]).toEqual([name, []]);
    }
    // Some calls cannot succeed: no MCP server is configured, no call waits for consent, and the order's id is
    // invented. All others must.
    expect(refused).toEqual([
      "POST /api/mcp/{server}/login 404",
      "POST /api/mcp/{server}/login/finish 404",
      "POST /api/mcp/{server}/prompts/{prompt} 404",
      "POST /api/conversations/{id}/approvals/{call} 404",
      "PATCH /api/conversations/{id}/orders/{order} 404",
      "DELETE /api/mcp/{server}/login 404",
      "DELETE /api/conversations/{id}/orders/{order} 404",
    ]);
  });

  it("rejects a missing token, an unknown token, and another kind of credential", async () => {
    const kinds: Record<string, string>[] = [
      {},
      { authorization: "Bearer" },
      { authorization: `Bearer ${ada.token}x` },
      { authorization: `Bearer ${ada.entry.sha256}` },
      { authorization: `Basic ${Buffer.from(`ada:${ada.token}`).toString("base64")}` },
      { authorization: "Bearer a.b.c" },
      { cookie: `token=${ada.token}` },
    ];
    for (const operation of scoped())
      for (const headers of kinds) {
        const { status, text } = await send(operation, { token: null, headers });
        expect([operation.name, status, isProblem(text)]).toEqual([operation.name, 401, true]);
      }
  });

  it("shows nothing of another user's conversation, and changes nothing in it", async () => {
    const before = await exported(known);
    for (const operation of scoped()) {
      const { status, text } = await send(operation, { token: bob.token });
      // For this user, the id is a chat that has not begun, so its history is empty.
      const isEmpty = [204, 400, 404].includes(status) || (status === 200 && text === "[]");
      if (operation.path.includes("{id}")) expect([operation.name, isEmpty]).toEqual([operation.name, true]);
      expect(text).not.toContain(SECRET);
    }
    expect(await exported(known)).toBe(before);
  });

  it("rejects every path, query and header that does not match its schema", async () => {
    let tried = 0;
    for (const operation of scoped())
      for (const { in: where, name, schema, required } of operation.parameters) {
        const wrong = api.spoiltText(schema).filter((text) => where !== "path" || text !== "");
        for (const text of wrong) {
          const given = { [name]: text };
          const sent =
            where === "path"
              ? { values: { ...known, ...given } }
              : where === "query"
                ? { query: given }
                : { headers: given };
          const { status, text: told } = await send(operation, sent);
          expect([operation.name, name, text.slice(0, 20), status]).toEqual([
            operation.name,
            name,
            text.slice(0, 20),
            400,
          ]);
          expect(isProblem(told)).toBe(true);
          tried++;
        }
        if (where === "query" && required === true) {
          const bare = address(operation, known).split("?")[0] ?? "";
          const headers = { authorization: `Bearer ${ada.token}` };
          expect((await bench.fetch(bare, { headers })).status).toBe(400);
        }
      }
    expect(tried).toBeGreaterThan(50);
  });

  it("rejects a body that is not JSON, not sent as JSON, or wrong in any field", async () => {
    const before = await exported(known);
    let tried = 0;
    for (const operation of changing().filter(({ body }) => body !== null)) {
      const { name } = operation;
      for (const body of ["{", "", "null", "[]", "3", '"x"', "\ufffd", '{"a":1', new Uint8Array([0x7b, 0xff, 0x7d])])
        expect([name, body, (await send(operation, { body })).status]).toEqual([name, body, 400]);
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/xml", ""])
        expect([name, (await send(operation, { headers: { "content-type": type } })).status]).toEqual([name, 415]);
      for (const value of api.spoilt(operation.body ?? {})) {
        const body = JSON.stringify(value);
        const { status, text } = await send(operation, { body });
        expect([name, body.slice(0, 100), status]).toEqual([name, body.slice(0, 100), 400]);
        expect(isProblem(text)).toBe(true);
        tried++;
      }
    }
    expect(tried).toBeGreaterThan(50);
    expect(await exported(known)).toBe(before);
  });

  it("rejects a body that is too long, announced or not, of any type it accepts, and headers that are", async () => {
    const before = await exported(known);
    for (const operation of scoped()) {
      const { name } = operation;
      const types = [...(operation.body === null ? [] : ["application/json"]), ...operation.otherBodies];
      for (const given of types) {
        const isForm = given.startsWith("multipart/");
        const headers = { "content-type": isForm ? `${given}; boundary=x` : given };
        const start = isForm ? '--x\r\ncontent-disposition: form-data; name="message"\r\n\r\n' : '"';
        const body = new Uint8Array(Buffer.from(start + "x".repeat(tooMuch(operation.path))));
        for (const sent of [body, new Blob([body]).stream()])
          expect([name, given, (await send(operation, { headers, body: sent })).status]).toEqual([name, given, 413]);
      }
      for (const sent of [{ query: { q: "x".repeat(20_000) } }, { headers: { "x-long": "x".repeat(20_000) } }])
        expect([name, (await send(operation, sent)).status]).toEqual([name, 431]);
    }
    expect(await exported(known)).toBe(before);
  });

  it("may be called twice: reads change nothing, and a repeated key is processed once", async () => {
    const own = await converse(ada.token);
    const before = await exported(own);
    for (const operation of reading().filter(({ path }) => path !== "/metrics")) {
      const [first, second] = [await send(operation, { values: own }), await send(operation, { values: own })];
      expect([operation.name, second]).toEqual([operation.name, first]);
    }
    expect(await exported(own)).toBe(before);
    for (const operation of changing().toSorted((a, b) => rank(a) - rank(b))) {
      const { name, method, parameters } = operation;
      const hasKey = parameters.some((each) => each.name === "idempotency-key");
      const headers: Record<string, string> = hasKey ? { "idempotency-key": "once" } : {};
      const body = hasKey ? { body: JSON.stringify({ message: "Only once" }) } : {};
      const sent = { values: own, headers, ...body };
      const [first, second] = await Promise.all([send(operation, sent), send(operation, sent)]);
      const third = await send(operation, sent);
      if (hasKey) expect([name, second, third]).toEqual([name, first, first]);
      else if (method === "DELETE") expect([name, third.status]).toEqual([name, 404]);
      else expect([name, second.status, third.status]).toEqual([name, first.status, first.status]);
      if (hasKey) expect((await exported(own)).match(/"message":"Only once"/g)).toHaveLength(1);
    }
  });

  it("accepts no method that is not described", async () => {
    const paths = new Set(scoped().map(({ path }) => path));
    for (const path of paths) {
      const described = scoped().filter((operation) => operation.path === path);
      const [first] = described;
      const taken = new Set(described.map(({ method }) => method));
      if (first === undefined) continue;
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((each) => !taken.has(each)))
        expect([method, path, (await send({ ...first, method })).status]).toEqual([method, path, 405]);
    }
  });

  it("accepts any address without failing", async () => {
    const odd = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 40 }),
      fc.constantFrom("..", ".", "%", "%2e%2e", "a/b", "\0", "\ud800", "x".repeat(600), "__proto__", "' OR 1=1 --"),
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(), odd, odd, async (at, segment, asked) => {
        const all = scoped();
        const operation = all[at % all.length];
        if (operation === undefined) return;
        const value = segment.toWellFormed().replaceAll("\\", "%5c").replaceAll("#", "%23").replaceAll("?", "%3f");
        const names = ["id", "turn", "call", "n"];
        // Other tests read this conversation, so a change must not affect it.
        const isOdd = at % 2 === 0 || operation.method !== "GET";
        const values = {
          ...known,
          ...(isOdd ? Object.fromEntries(names.map((name) => [name, segment.toWellFormed()])) : {}),
          path: value,
        };
        const query = Object.fromEntries(
          operation.parameters.filter((each) => each.in === "query").map(({ name }) => [name, asked.toWellFormed()]),
        );
        const { status } = await send(operation, { values, query });
        expect([operation.name, segment, asked, status < 500]).toEqual([operation.name, segment, asked, true]);
      }),
      { numRuns: Math.min(runs, 400) },
    );
  });

  it("does not wait for slow clients, and serves the others meanwhile", async () => {
    const slow = scoped().flatMap((operation) => {
      const { name, method, body, otherBodies } = operation;
      const line = `${method} ${address(operation, known)} HTTP/1.1\r\nhost: 127.0.0.1\r\n`;
      const types = [...(body === null ? [] : ["application/json"]), ...otherBodies];
      const bodies = types.map((type) => {
        const sent = type.startsWith("multipart/") ? `${type}; boundary=x` : type;
        const headers = `authorization: Bearer ${ada.token}\r\ncontent-type: ${sent}\r\ncontent-length: 900000\r\n`;
        return { name: `${name} ${type}`, start: `${line}${headers}\r\n`, drip: " " };
      });
      return [{ name: `${name} headers`, start: `${line}x-a: `, drip: "a" }, ...bodies];
    });
    const all = slow.map(async ({ name, start, drip }) => [name, await trickle(start, drip)] as const);
    const headers = { authorization: `Bearer ${ada.token}` };
    expect((await bench.fetch("/api/meta", { headers })).status).toBe(200);
    for (const [name, told] of await Promise.all(all))
      expect([name, told.slice(0, 12)]).toEqual([name, "HTTP/1.1 408"]);
    expect((await bench.fetch("/api/meta", { headers })).status).toBe(200);
  });
});

/** Deleting comes last. */
const rank = ({ method }: Operation) => Number(method === "DELETE");

/** Sends the beginning of a request, then small pieces until the server ends it. Returns the server's response. */
async function trickle(start: string, drip: string): Promise<string> {
  const socket: Socket = connect(Number(new URL(bench.address).port), "127.0.0.1");
  let told = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    told += text;
    socket.destroy();
  });
  socket.on("error", () => undefined);
  socket.write(start);
  const dripping = setInterval(() => socket.write(drip), 100);
  await once(socket, "close");
  clearInterval(dripping);
  return told;
}
