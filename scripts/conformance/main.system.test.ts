/**
 * The conformance driver as other programs meet it: a process of its own, lines in and lines out.
 *
 * `fixtures/<area>.jsonl` contains requests, and `<area>.expected.jsonl` the expected responses: a key that is missing
 * in the expected object is not compared, lists are compared whole.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { readLines } from "./lines.ts";

interface Answer {
  readonly id: unknown;
  readonly ok: boolean;
  readonly out?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

const main = fileURLToPath(new URL("./main.ts", import.meta.url));
const fixtures = new URL("./fixtures/", import.meta.url);

class Driver {
  readonly #process = spawn(process.execPath, [main], { stdio: ["pipe", "pipe", "inherit"] });
  readonly #lines = readLines(this.#process.stdout);

  constructor() {
    // The code that reads the lines gets the error.
    this.#process.on("error", (error) => this.#process.stdout.destroy(error));
    // A driver that has ended accepts no more lines; the code that reads its lines reaches the end.
    this.#process.stdin.on("error", () => undefined);
  }

  write(text: string | Uint8Array): void {
    this.#process.stdin.write(text);
  }

  async nextLine(): Promise<string> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error("the driver ended before it answered");
    return value;
  }

  async answer(): Promise<Answer> {
    return JSON.parse(await this.nextLine());
  }

  async ask(line: string): Promise<Answer> {
    this.write(`${line}\n`);
    return this.answer();
  }

  /** Ends the input; returns the remaining output and the exit status. */
  async end(): Promise<{ rest: string[]; status: unknown }> {
    this.#process.stdin.end();
    const rest: string[] = [];
    for await (const line of this.#lines) rest.push(line);
    if (this.#process.exitCode === null) await once(this.#process, "exit");
    return { rest, status: this.#process.exitCode };
  }

  stop(): void {
    this.#process.kill();
  }
}

const running: Driver[] = [];

function start(): Driver {
  const driver = new Driver();
  running.push(driver);
  return driver;
}

afterEach(() => {
  for (const driver of running.splice(0)) driver.stop();
});

function readFixture<T>(name: string): T[] {
  const text = readFileSync(new URL(name, fixtures), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** The part of `actual` that has the keys of `expected`. */
function comparable(actual: unknown, expected: unknown): unknown {
  if (Array.isArray(expected) && Array.isArray(actual))
    return actual.map((item, index) => comparable(item, expected[index]));
  if (!isObject(expected) || !isObject(actual)) return actual;
  const named = Object.keys(expected).filter((key) => Object.hasOwn(actual, key));
  return Object.fromEntries(named.map((key) => [key, comparable(actual[key], expected[key])]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const areas = readdirSync(fixtures)
  .filter((name) => name.endsWith(".expected.jsonl"))
  .map((name) => name.replace(".expected.jsonl", ""));

describe.each(areas)("the requests in %s", (area) => {
  it("are answered as expected, in order, one line each", async () => {
    const requests = readFixture<{ id: string; op: string }>(`${area}.jsonl`);
    const expected = readFixture<Answer>(`${area}.expected.jsonl`);
    expect(expected.map(({ id }) => id)).toEqual(requests.map(({ id }) => id));
    const driver = start();
    driver.write(requests.map((request) => `${JSON.stringify(request)}\n`).join(""));
    const { rest, status } = await driver.end();
    const answers = rest.map((line): Answer => JSON.parse(line));
    expect(answers.map((answer, index) => comparable(answer, expected[index]))).toEqual(expected);
    expect(status).toBe(0);
  });
});

it("checkpoints stand where they are expected and nowhere else", async () => {
  const expected = new Map(readFixture<Answer>("timeline.expected.jsonl").map((answer) => [answer.id, answer]));
  const driver = start();
  for (const request of readFixture<{ id: string; op: string }>("timeline.jsonl")) {
    if (request.op !== "timeline.render") continue;
    const answer = await driver.ask(JSON.stringify(request));
    const messages = (expected.get(request.id)?.out as { messages: unknown } | undefined)?.messages;
    if (answer.ok)
      expect({ id: answer.id, messages: (answer.out as { messages: unknown }).messages }).toEqual({
        id: request.id,
        messages,
      });
  }
});

describe("a line the driver cannot use", () => {
  it.each([
    ["no JSON", "{", "bad_request"],
    ["a blank line", "", "bad_request"],
    ["spaces", "   ", "bad_request"],
    ["a list", "[]", "bad_request"],
    ["null", "null", "bad_request"],
    ["a number", "7", "bad_request"],
    ["no op", '{"id":"x"}', "bad_request"],
    ["an op that is no text", '{"id":"x","op":5}', "bad_request"],
    ["an unknown op", '{"id":"x","op":"nope","in":{}}', "unknown_op"],
    ["an op named like a built-in", '{"id":"x","op":"constructor","in":{}}', "unknown_op"],
    ["__proto__ as op", '{"id":"x","op":"__proto__","in":{}}', "unknown_op"],
    ["no input", '{"id":"x","op":"path.resolve"}', "bad_request"],
    ["null as input", '{"id":"x","op":"path.resolve","in":null}', "bad_request"],
    ["a list as input", '{"id":"x","op":"sources.merge","in":[]}', "bad_request"],
    ["a field of the wrong type", '{"id":"x","op":"path.resolve","in":{"path":5}}', "bad_request"],
    ["an unknown format", '{"id":"x","op":"citations.extract","in":{"text":"","format":"rtf"}}', "bad_request"],
  ])("%s gets one error line, and the driver goes on", async (_name, line, code) => {
    const driver = start();
    const answer = await driver.ask(line);
    expect(answer).toMatchObject({ ok: false, error: { code } });
    expect(answer.error?.message).toMatch(/\S/);
    expect(await driver.ask('{"id":"next","op":"path.resolve","in":{"path":"sk:x"}}')).toMatchObject({
      id: "next",
      ok: true,
    });
    expect(await driver.end()).toEqual({ rest: [], status: 0 });
  });
});

describe("the driver", () => {
  const extract = (id: string, text: string) =>
    JSON.stringify({ id, op: "citations.extract", in: { text, format: "markdown" } });

  it("answers each line before it reads the next", async () => {
    const driver = start();
    for (let id = 0; id < 20; id++)
      expect(await driver.ask(extract(`${id}`, `[[S:${id}]]`))).toEqual({ id: `${id}`, ok: true, out: { sids: [id] } });
    expect(await driver.end()).toEqual({ rest: [], status: 0 });
  });

  it("takes CRLF for the end of a line and a last line without one", async () => {
    const driver = start();
    driver.write(`${extract("a", "[[S:1]]")}\r\n${extract("b", "[[S:2]]")}`);
    const { rest, status } = await driver.end();
    expect(rest.map((line) => JSON.parse(line))).toMatchObject([
      { id: "a", out: { sids: [1] } },
      { id: "b", out: { sids: [2] } },
    ]);
    expect(status).toBe(0);
  });

  it("takes no other character for the end of a line", async () => {
    const driver = start();
    const text = "a\u2028b\u2029c\u0085d\v\f [[S:3]]";
    const replaced = JSON.stringify({ id: "u", op: "citations.replace", in: { text, pool: [], format: "markdown" } });
    expect(replaced).toContain("\u2028");
    expect(await driver.ask(replaced)).toEqual({ id: "u", ok: true, out: { text } });
    expect(await driver.end()).toEqual({ rest: [], status: 0 });
  });

  it("reads a character that is cut between two writes", async () => {
    const driver = start();
    const bytes = new TextEncoder().encode(`${extract("é😀", "[[S:4]]")}\n`);
    const cut = bytes.indexOf(0xf0) + 2;
    driver.write(bytes.slice(0, cut));
    await new Promise((resolve) => setTimeout(resolve, 50));
    driver.write(bytes.slice(cut));
    expect(await driver.answer()).toMatchObject({ id: "é😀", ok: true });
  });

  it("answers a line of five million characters", async () => {
    const driver = start();
    const text = `${"x".repeat(5_000_000)}[[S:5]]`;
    expect(await driver.ask(extract("big", text))).toEqual({ id: "big", ok: true, out: { sids: [5] } });
    const resolve = JSON.stringify({ id: "path", op: "path.resolve", in: { path: `fi:turn_1.files/${text}` } });
    expect(await driver.ask(resolve)).toMatchObject({ id: "path", ok: true });
    expect(await driver.end()).toEqual({ rest: [], status: 0 });
  });

  it("survives input nested a hundred thousand deep", async () => {
    const driver = start();
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    for (const line of [
      deep,
      `{"id":"m","op":"sources.merge","in":{"pool":[],"rows":[{"title":${deep}}]}}`,
      `{"id":"t","op":"timeline.render","in":{"payload":{"version":1,"blocks":[{"type":"x","meta":{"a":${deep}}}]}}}`,
      `{"id":"e","op":"envelope.unwrap","in":{"value":{"ok":true,"ret":${deep}},"builtin":true}}`,
    ])
      expect(typeof (await driver.ask(line)).ok).toBe("boolean");
    expect(await driver.ask(extract("after", "[[S:6]]"))).toMatchObject({ id: "after", ok: true });
    expect(await driver.end()).toEqual({ rest: [], status: 0 });
  });

  it("exits with 0 when there is no input at all", async () => {
    expect(await start().end()).toEqual({ rest: [], status: 0 });
  });

  it("gives back an id of any kind, null when there is none", async () => {
    const driver = start();
    expect(await driver.ask('{"id":7,"op":"path.resolve","in":{"path":"sk:x"}}')).toMatchObject({ id: 7, ok: true });
    expect(await driver.ask('{"op":"path.resolve","in":{"path":"sk:x"}}')).toMatchObject({ id: null, ok: true });
  });
});
