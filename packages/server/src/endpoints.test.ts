/**
 * Every endpoint of the OpenAPI document against input nobody should send: malformed, oversized, unauthorised, of
 * another's, repeated and slow. The requests are made from the document itself, so that a new endpoint is tried too.
 */
import { connect } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newToken } from "./auth/tokens.ts";
import { ServerBench } from "./server-bench.ts";

type Schema = Readonly<Record<string, ReturnType<typeof JSON.parse>>>;

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly {
    readonly in: string;
    readonly name: string;
    readonly schema: Schema;
    readonly required?: boolean;
  }[];
  readonly body: Schema | null;
  readonly bodyTypes: readonly string[];
  readonly statuses: readonly number[];
}

const ada = newToken({ tenant: "acme", project: "site", user: "ada" });
const bob = newToken({ tenant: "other", project: "site", user: "bob" });
const SECRET = "the rent is 900 euros";
const OPEN = new Set(["/healthz", "/readyz"]);
/** Answers that any endpoint may give without saying so. */
const USUAL = [400, 401, 404, 413, 415];

let bench: ServerBench;
let document: Schema;
let operations: readonly Operation[];
let known: Readonly<Record<string, string>>;

beforeAll(async () => {
  bench = await ServerBench.open({ server: { tokens: JSON.stringify([ada.entry, bob.entry]), uploadMb: 1 } });
  document = JSON.parse(await (await bench.fetch("/openapi.json")).text());
  operations = Object.entries<Schema>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Schema>(methods).map(([method, operation]): Operation => {
      const content: Readonly<Record<string, Schema>> = operation.requestBody?.content ?? {};
      return {
        ...{ method, path, parameters: operation.parameters ?? [], bodyTypes: Object.keys(content) },
        body: content["application/json"]?.schema ?? null,
        statuses: Object.keys(operation.responses).map(Number),
      };
    }),
  );
  known = await converse(ada.token);
});
afterAll(() => bench[Symbol.asyncDispose]());

/** A conversation of somebody's, with a turn and a file in it. */
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
    if (turns[0]?.exit) return { id, turn, call: "tc_1", n: "1", path: turns[0].attachments[0].physical_path };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function resolve(schema: Schema): Schema {
  const { $ref: ref } = schema;
  return typeof ref === "string" ? document.components.schemas[ref.split("/").at(-1) ?? ""] : schema;
}

/** A value that fits a schema. */
function sample(given: Schema): unknown {
  const schema = resolve(given);
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.const !== undefined) return schema.const;
  const [option] = schema.anyOf ?? schema.oneOf ?? [];
  if (option !== undefined) return sample(option);
  switch (schema.type) {
    case "string":
      return schema.format === "base64" || schema.contentEncoding === "base64" ? "aGk=" : "text";
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    case "boolean":
      return true;
    case "array":
      return schema.minItems === undefined ? [] : [sample(schema.items)];
    default: {
      const wanted = Object.entries<Schema>(schema.properties ?? {}).filter(([name]) =>
        (schema.required ?? []).includes(name),
      );
      return Object.fromEntries(wanted.map(([name, each]) => [name, sample(each)]));
    }
  }
}

function address(
  { path, parameters }: Operation,
  values: Readonly<Record<string, string>>,
  query: Record<string, string> = {},
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
  readonly token?: string;
  readonly values?: Readonly<Record<string, string>>;
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** Sends it and reads the beginning of the answer: a stream goes on for ever. */
async function send(operation: Operation, { token, values = known, query, headers = {}, body }: Sent) {
  const leave = new AbortController();
  const withBody =
    operation.method === "get"
      ? {}
      : { body: body ?? (operation.body === null ? "" : JSON.stringify(sample(operation.body))) };
  const response = await bench.fetch(address(operation, values, query), {
    method: operation.method.toUpperCase(),
    headers: {
      ...(operation.body === null ? {} : { "content-type": "application/json" }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    signal: leave.signal,
    ...withBody,
  });
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const text = isStream ? "" : await response.text();
  leave.abort();
  return { status: response.status, text };
}

function isProblem(text: string): boolean {
  const { error } = JSON.parse(text);
  return typeof error.code === "string" && typeof error.message === "string" && error.message !== "";
}

const scoped = () => operations.filter(({ path }) => !OPEN.has(path));
const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

describe("every endpoint of the document", () => {
  it("is there, and there are as many as are written down", () => {
    expect(operations.length).toBeGreaterThan(25);
    expect(document.openapi).toBe("3.1.0");
  });

  it("asks for a token", async () => {
    for (const operation of scoped()) {
      const { status, text } = await send(operation, {});
      expect([nameOf(operation), status]).toEqual([nameOf(operation), 401]);
      expect(isProblem(text)).toBe(true);
    }
  });

  it("shows nothing of another's conversation, and does nothing to it", async () => {
    const before = await (
      await bench.fetch(`/api/conversations/${known.id}/export`, { headers: { authorization: `Bearer ${ada.token}` } })
    ).text();
    for (const operation of scoped()) {
      const { status, text } = await send(operation, { token: bob.token });
      if (operation.path.includes("{id}"))
        expect([nameOf(operation), [204, 400, 404].includes(status)]).toEqual([nameOf(operation), true]);
      expect(text).not.toContain(SECRET);
    }
    const after = await (
      await bench.fetch(`/api/conversations/${known.id}/export`, { headers: { authorization: `Bearer ${ada.token}` } })
    ).text();
    expect(after).toBe(before);
  });

  it("answers what it takes, and its own again, as it says it does", async () => {
    const own = await converse(ada.token);
    // What removes the conversation comes last.
    const ordered = scoped().toSorted(
      (left, right) => Number(left.method === "delete") - Number(right.method === "delete"),
    );
    for (const operation of ordered)
      for (let repeated = 0; repeated < 2; repeated++) {
        const { status } = await send(operation, { token: ada.token, values: own });
        expect([nameOf(operation), [...operation.statuses, ...USUAL].includes(status), status < 500]).toEqual([
          nameOf(operation),
          true,
          true,
        ]);
      }
  });

  it("refuses what is not JSON, or not sent as JSON, or has a field of another type", async () => {
    for (const operation of scoped().filter(({ body }) => body !== null)) {
      const token = ada.token;
      for (const body of ["{", "", "null", "[]", "3", '"x"', "\ufffd", '{"__proto__":1}'.slice(0, -1)]) {
        const { status, text } = await send(operation, { token, body });
        expect([nameOf(operation), body, [400, 404].includes(status)]).toEqual([nameOf(operation), body, true]);
        expect(isProblem(text)).toBe(true);
      }
      const bytes = Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]);
      expect((await send(operation, { token, body: bytes })).status).toBe(400);
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/xml"])
        expect((await send(operation, { token, headers: { "content-type": type } })).status).toBe(415);
      const fits = sample(operation.body ?? {});
      const fields = Object.keys(resolve(operation.body ?? {}).properties ?? {});
      for (const field of fields)
        for (const value of [null, -1.5, { a: 1 }, [[]], "\0", "x".repeat(600_000)]) {
          const body = JSON.stringify({ ...(typeof fits === "object" ? fits : {}), [field]: value });
          const { status } = await send(operation, { token, body });
          expect([nameOf(operation), field, status < 500]).toEqual([nameOf(operation), field, true]);
        }
    }
  });

  it("refuses more than a request may bring", async () => {
    const large = JSON.stringify({ message: "x".repeat(2_000_000) });
    for (const operation of scoped().filter(({ body }) => body !== null)) {
      const { status } = await send(operation, { token: ada.token, body: large });
      expect([nameOf(operation), status]).toEqual([nameOf(operation), 413]);
    }
    const turns = operations.find(({ path }) => path.endsWith("/turns"));
    if (turns === undefined) throw new Error("no turns");
    const form = new FormData();
    form.append("message", "Hello");
    form.append("attachments", new Blob([new Uint8Array(1_200_000)]), "big.bin");
    const headers = { authorization: `Bearer ${ada.token}` };
    const answered = await bench.fetch(address(turns, known), { method: "POST", headers, body: form });
    expect(answered.status).toBe(413);
    const broken = { ...headers, "content-type": "multipart/form-data; boundary=x" };
    expect(
      (await bench.fetch(address(turns, known), { method: "POST", headers: broken, body: "--x\r\nnonsense" })).status,
    ).toBe(400);
  });

  it("takes any address without breaking", async () => {
    const odd = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.constantFrom(
        "..",
        ".",
        "%",
        "%2e%2e",
        "a/b",
        "\0",
        "\ud800",
        "x".repeat(600),
        "__proto__",
        "' OR 1=1 --",
        "<script>",
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(), odd, odd, async (at, segment, asked) => {
        const all = scoped().filter(({ method }) => method === "get");
        const operation = all[at % all.length];
        if (operation === undefined) return;
        const value = segment.toWellFormed().replaceAll("\\", "%5c").replaceAll("#", "%23").replaceAll("?", "%3f");
        const names = ["id", "turn", "call", "n"];
        const values = {
          ...known,
          ...(at % 2 === 0 ? Object.fromEntries(names.map((name) => [name, segment.toWellFormed()])) : {}),
          path: value,
        };
        const query = Object.fromEntries(
          operation.parameters.filter((each) => each.in === "query").map(({ name }) => [name, asked.toWellFormed()]),
        );
        const { status } = await send(operation, { token: ada.token, values, query });
        expect([nameOf(operation), segment, asked, status < 500]).toEqual([nameOf(operation), segment, asked, true]);
      }),
      { numRuns: 150 },
    );
  });
});

describe("slow input", () => {
  it("keeps nobody else waiting", async () => {
    const { port } = new URL(bench.address);
    const starts = [
      "GET /api/meta HTTP/1.1\r\nHo",
      `POST /api/chat HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${ada.token}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"id":`,
    ];
    const sockets = Array.from({ length: 60 }, (_, index) => {
      const socket = connect(Number(port), "127.0.0.1");
      socket.on("error", () => undefined);
      socket.write(starts[index % 2] ?? "");
      return socket;
    });
    const headers = { authorization: `Bearer ${ada.token}` };
    expect((await bench.fetch("/api/meta", { headers })).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
});
