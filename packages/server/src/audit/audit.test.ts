/** What the audit log has of what was done, and what it has not. */
import { mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { CairnError } from "@cairn/timeline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSettings } from "../config/settings.ts";
import { type CallTarget, type DescribedCall, describedCalls, TokenHolder } from "../described-calls.ts";
import { startServer } from "../serve.ts";
import { ServerBench } from "../server-bench.ts";
import { type AuditLine, openAudit } from "./audit-log.ts";

/** Deleting comes last, and nothing that makes a turn run before what a turn keeps from being done. */
const LAST = ["POST /api/conversations/{id}/turns", "POST /api/chat", "DELETE /api/conversations/{id}"];
const rank = ({ method, route }: DescribedCall) => LAST.indexOf(`${method} ${route}`);

describe("the audit log of a server", () => {
  let bench: ServerBench;
  let file: string;
  let target: CallTarget;
  const { holders, list } = TokenHolder.make(["acme"], () => bench);
  const [ada] = holders;
  if (ada === undefined) throw new Error("There is nobody.");

  const lines = async (): Promise<AuditLine[]> =>
    (await readFile(file, "utf8"))
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));

  beforeAll(async () => {
    bench = await ServerBench.open({ settings: { CAIRN_TOKENS: list, CAIRN_AUDIT: "audit.jsonl" } });
    file = join(bench.folder, "audit.jsonl");
    target = await ada.converse("Zanzibar");
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  it("has exactly one line for each call of each endpoint that changes or reads something", async () => {
    const calls = [...(await describedCalls(bench, target))].sort((a, b) => rank(a) - rank(b));
    expect(calls.length).toBeGreaterThan(20);
    for (const call of calls) {
      const { status, requestId } = await ada.send(call);
      const found = (await lines()).filter(({ request }) => request === requestId);
      const isWatched = call.route.startsWith("/api/") && call.route !== "/api/meta";
      expect([call.method, call.route, found.length]).toEqual([call.method, call.route, isWatched ? 1 : 0]);
      if (!isWatched) continue;
      expect(found[0]).toMatchObject({
        ...{ tenant: "acme", project: "site", user: "ada", via: "token", subject: "ada", status },
        ...{ method: call.method, route: call.route, credential: expect.stringMatching(/^[0-9a-f]{16}$/) },
        conversation: /\{id\}|chat/.test(call.route) ? target.conversation : null,
        created: status === 201 ? expect.stringMatching(/^conv_/) : null,
      });
      const isRefused = call.route.includes("/approvals/");
      if (call.method !== "GET") expect([call.route, status < 300]).toEqual([call.route, !isRefused]);
    }
  });

  it("holds neither what was said nor a token, and only its owner reads it", async () => {
    const text = await readFile(file, "utf8");
    expect(text).not.toMatch(/Zanzibar|secret|Hello|Renamed/);
    expect(text).not.toContain(ada.token);
    expect((await stat(file)).mode & 0o077).toBe(0);
  });

  it("has who was turned away, and what nobody was found for", async () => {
    const wrong = { authorization: "Bearer cairn_nobody" };
    const path = `/api/conversations/${target.conversation}`;
    const denied = await bench.fetch(path, { method: "DELETE", headers: wrong });
    const line = (await lines()).find(({ request }) => request === denied.headers.get("x-request-id"));
    expect(line).toMatchObject({
      ...{ tenant: null, via: null, subject: null, credential: null, route: null },
      status: 401,
    });
    const { requestId } = await ada.send({ method: "GET", path: "/api/conversations/none", type: null, body: null });
    expect((await lines()).find(({ request }) => request === requestId)).toMatchObject({
      ...{ subject: "ada", conversation: "none", status: 404 },
    });
  });

  it("keeps lines of calls made at once apart, and goes on in a new file when the old one is moved away", async () => {
    const before = (await lines()).length;
    const asked = { method: "GET", path: "/api/conversations", type: null, body: null };
    const sent = await Promise.all(Array.from({ length: 50 }, () => ada.send(asked)));
    const added = (await lines()).slice(before).map(({ request }) => request);
    expect(added.toSorted()).toEqual(sent.map(({ requestId }) => requestId).toSorted());
    await rename(file, `${file}.1`);
    const { requestId } = await ada.send(asked);
    expect((await lines()).map(({ request }) => request)).toEqual([requestId]);
  });

  it("withholds the answer it cannot write down", async () => {
    await rm(file);
    await mkdir(file);
    const asked = { method: "GET", path: "/api/conversations", type: null, body: null };
    const { status, text } = await ada.send(asked);
    expect([status, JSON.parse(text).error.code]).toEqual([500, "audit_failed"]);
    expect(text).not.toContain("Zanzibar");
    expect(bench.log.join("")).toContain("The audit log could not be written.");
    await rm(file, { recursive: true });
    expect((await ada.send(asked)).status).toBe(200);
  });

  it("stops a start that could not write it", async () => {
    const settings = readSettings(null, { CAIRN_AUDIT: "missing/audit.jsonl", CAIRN_PORT: "0" }, bench.folder);
    const starting = startServer({ settings, env: {}, logTo: { write: () => true } });
    await expect(starting).rejects.toMatchObject({
      code: "bad_setting",
      message: expect.stringContaining("CAIRN_AUDIT"),
    });
  });
});

describe("the audit log on standard output", () => {
  it("is the same lines, and a line that is not taken is an error", async () => {
    const who = { tenant: "acme", project: "site", user: "ada", via: "token", subject: "ada", credential: "0" };
    const what = { method: "GET", route: "/api/conversations", conversation: "a\nb", created: null, status: 200 };
    const line: AuditLine = { time: "2026-01-01T00:00:00.000Z", request: "r", ...who, ...what };
    const written: string[] = [];
    let failure: Error | null = null;
    const write = (text: string, done: unknown) => {
      written.push(text);
      if (typeof done === "function") done(failure);
      return true;
    };
    const audit = await openAudit("stdout", { write });
    await audit.write(line);
    expect(written).toEqual([`${JSON.stringify(line)}\n`]);
    failure = new CairnError("io", "The pipe is closed.");
    await expect(audit.write(line)).rejects.toThrow("The pipe is closed.");
  });
});
