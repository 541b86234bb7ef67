/** Tests what the audit log contains, and what it does not contain. */
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineAgent, defineTool, resolveModel } from "@cairn/agent";
import { ModelSimulator } from "@cairn/testkit/models";
import { mountSmallDisk, whyNoMounts } from "@cairn/testkit/store";
import { CairnError } from "@cairn/timeline";
import { type AuditLine, openAudit, readSettings } from "cairn-agent/process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type CallTarget, type DescribedCall, describedCalls, TokenHolder } from "../../test/described-calls.ts";
import { ServerBench } from "../../test/server-bench.ts";
import { startServer } from "../serve.ts";

/** Endpoints that start a turn come after endpoints that a running turn would block, and deleting comes last. */
const LAST = ["POST /api/conversations/{id}/turns", "POST /api/chat", "DELETE /api/conversations/{id}"];
const rank = ({ method, route }: DescribedCall) => LAST.indexOf(`${method} ${route}`);

/** The line of a message names the turn that the message begins; another line names the turn of its request. */
function turnOf({ method, route }: DescribedCall, status: number, { turn }: CallTarget): unknown {
  if (route.includes("{turn}")) return turn;
  const isMessage = method === "POST" && (/\/(?:turns|branch)$/.test(route) || route === "/api/chat");
  return isMessage && status < 300 ? expect.stringMatching(/^turn_/) : null;
}

describe("the audit log of a server", () => {
  let bench: ServerBench;
  let file: string;
  let target: CallTarget;
  const { holders, list } = TokenHolder.make([{ tenant: "acme", project: "site", user: "ada" }], () => bench);
  const [ada] = holders;
  if (ada === undefined) throw new Error("There is nobody.");

  const lines = async (): Promise<AuditLine[]> =>
    (await readFile(file, "utf8"))
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));

  beforeAll(async () => {
    const rates = { CAIRN_USER_REQUESTS: "10000", CAIRN_TENANT_REQUESTS: "10000" };
    bench = await ServerBench.open({ settings: { CAIRN_TOKENS: list, CAIRN_AUDIT: "audit.jsonl", ...rates } });
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
        tenant: "acme",
        project: "site",
        user: "ada",
        via: "token",
        subject: "ada",
        status,
        method: call.method,
        route: call.route,
        credential: expect.stringMatching(/^[0-9a-f]{16}$/),
        conversation: /\{id\}|chat/.test(call.route) ? target.conversation : null,
        created: status === 201 ? expect.stringMatching(/^conv_/) : null,
        turn: turnOf(call, status, target),
        consent: null,
      });
      const isRefused = /\/mcp\/\{|\/approvals\/|\/orders\/\{/.test(call.route);
      if (call.method !== "GET") expect([call.route, status < 300]).toEqual([call.route, !isRefused]);
    }
  });

  it("contains neither messages nor tokens, and only its owner can read it", async () => {
    const text = await readFile(file, "utf8");
    expect(text).not.toMatch(/Zanzibar|secret|Hello|Renamed/);
    expect(text).not.toContain(ada.token);
    expect((await stat(file)).mode & 0o077).toBe(0);
  });

  it("contains rejected callers, and requests for things that were not found", async () => {
    const wrong = { authorization: "Bearer cairn_nobody" };
    const path = `/api/conversations/${target.conversation}`;
    const denied = await bench.fetch(path, { method: "DELETE", headers: wrong });
    const line = (await lines()).find(({ request }) => request === denied.headers.get("x-request-id"));
    expect(line).toMatchObject({
      tenant: null,
      via: null,
      subject: null,
      credential: null,
      route: null,
      status: 401,
    });
    const { requestId } = await ada.send({ method: "GET", path: "/api/conversations/none", type: null, body: null });
    expect((await lines()).find(({ request }) => request === requestId)).toMatchObject({
      subject: "ada",
      conversation: "none",
      status: 404,
    });
  });

  it("has a line for the first of many unknown callers, and none for each of the others", async () => {
    const before = (await lines()).length;
    const ask = () => bench.fetch("/api/conversations", { headers: { authorization: "Bearer cairn_nobody" } });
    const asked = await Promise.all(Array.from({ length: 300 }, ask));
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await lines()).length - before).toBeLessThanOrEqual(1);
  });

  it("keeps lines of concurrent calls apart, and continues in a new file when the old one is moved away", async () => {
    const before = (await lines()).length;
    const asked = { method: "GET", path: "/api/conversations", type: null, body: null };
    const sent = await Promise.all(Array.from({ length: 50 }, () => ada.send(asked)));
    const added = (await lines()).slice(before).map(({ request }) => request);
    expect(added.toSorted()).toEqual(sent.map(({ requestId }) => requestId).toSorted());
    await rename(file, `${file}.1`);
    const { requestId } = await ada.send(asked);
    expect((await lines()).map(({ request }) => request)).toEqual([requestId]);
  });

  it("contains the chat that was created, and who approved which call, for every way to approve", async () => {
    const order = defineTool({
      id: "shop.order",
      description: "Orders.",
      params: z.object({}),
      approval: "always",
      run: async () => ({ ok: true, ret: "done" }),
    });
    await using simulator = await ModelSimulator.start({ countTokens: (text) => text.length });
    const calls = [{ name: "shop__order", input: {} }];
    simulator.script([
      ...[{ reply: { calls } }, { reply: { text: "Ordered." } }],
      ...[{ reply: { calls } }, { reply: { text: "Not ordered." } }],
    ]);
    const env = { ANTHROPIC_API_KEY: "test", ANTHROPIC_BASE_URL: simulator.baseUrl };
    const model = await resolveModel("anthropic:claude-sonnet-5", env);
    const agents = [defineAgent({ name: "clerk", instructions: "You help.", model, tools: [order] })];
    await using shop = await ServerBench.open({ agents, settings: { CAIRN_AUDIT: "audit.jsonl" } });
    const found = async (requestId: string | null) => {
      const text = await readFile(join(shop.folder, "audit.jsonl"), "utf8");
      const all: AuditLine[] = text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      return all.find(({ request }) => request === requestId);
    };
    const send = async (path: string, body: unknown) => {
      const headers = { "content-type": "application/json" };
      const answer = await shop.fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
      await answer.text();
      return found(answer.headers.get("x-request-id"));
    };
    const waiting = async (id: string) => {
      await shop.until(id, ({ event, data }) => event === "status" && data.status === "waiting");
      const { approvals } = await shop.get(`/api/conversations/${id}`);
      return approvals[0];
    };
    const said = { id: "m1", role: "user", parts: [{ type: "text", text: "Order it" }] };
    const begun = await send("/api/chat", { id: "chat-1", messages: [said] });
    expect(begun).toMatchObject({ conversation: "chat-1", created: "chat-1", turn: expect.stringMatching(/^turn_/) });
    const { call_id: first, hash } = await waiting("chat-1");
    const approval = { id: `${first}:${hash}`, approved: true };
    const parts = [{ type: "dynamic-tool", state: "approval-responded", approval }];
    const agreed = await send("/api/chat", { id: "chat-1", messages: [said, { id: "m2", role: "assistant", parts }] });
    expect(agreed).toMatchObject({ created: null, turn: begun?.turn, consent: { [first]: true } });

    await send("/api/conversations/chat-1/turns", { message: "Once more" });
    const { call_id: second } = await waiting("chat-1");
    const refused = await send(`/api/conversations/chat-1/approvals/${second}`, { approve: false });
    expect(refused).toMatchObject({ status: 202, consent: { [second]: false } });
  });

  it("withholds a response that it cannot record", async () => {
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

  it("prevents the start of a server that cannot write the log", async () => {
    const settings = readSettings(null, { CAIRN_AUDIT: "missing/audit.jsonl", CAIRN_PORT: "0" }, bench.folder);
    const starting = startServer({ settings, env: {}, logTo: { write: () => true } });
    await expect(starting).rejects.toMatchObject({
      code: "bad_setting",
      message: expect.stringContaining("CAIRN_AUDIT"),
    });
  });
});

const noMounts = whyNoMounts();

describe("the audit log in a file", () => {
  const line: AuditLine = {
    time: "2026-01-01T00:00:00.000Z",
    request: "r",
    tenant: "acme",
    project: "site",
    user: "ada",
    via: "token",
    subject: "ada",
    credential: "0",
    method: "GET",
    route: "/api/conversations",
    conversation: null,
    turn: null,
    consent: null,
    created: null,
    status: 200,
  };
  const whole = async (path: string) =>
    (await readFile(path, "utf8")).split("\n").filter((each) => {
      try {
        return JSON.parse(each) !== null;
      } catch {
        return false;
      }
    }).length;

  it("starts a new line after an incomplete one that a crash has left", async () => {
    const folder = await mkdtemp(join(tmpdir(), "cairn-audit-"));
    const path = join(folder, "audit.jsonl");
    await writeFile(path, `${JSON.stringify(line)}\n{"time":"2026-01-0`);
    const audit = await openAudit(path, process.stdout);
    for (let n = 0; n < 2; n++) await audit.write(line);
    expect(await whole(path)).toBe(3);
    expect((await readFile(path, "utf8")).split("\n")).toHaveLength(5);
    await rm(folder, { recursive: true });
  });

  it.skipIf(noMounts !== null)(
    `loses no line after one that failed because the disk was full${noMounts === null ? "" : ` (${noMounts})`}`,
    async () => {
      const disk = mountSmallDisk("64k");
      try {
        const path = join(disk.folder, "audit.jsonl");
        const audit = await openAudit(path, process.stdout);
        let kept = 0;
        const failure = await (async () => {
          for (;;) await audit.write(line).then(() => kept++);
        })().catch((error: unknown) => error);
        expect(failure).toMatchObject({ code: "ENOSPC" });
        disk.resize("128k");
        for (let n = 0; n < 3; n++) await audit.write(line);
        expect(await whole(path)).toBe(kept + 3);
      } finally {
        disk.unmount();
      }
    },
  );
});

describe("the audit log on standard output", () => {
  it("has the same lines, and a line that cannot be written is an error", async () => {
    const who = { tenant: "acme", project: "site", user: "ada", via: "token", subject: "ada", credential: "0" };
    const about = { conversation: "a\nb", turn: null, consent: null, created: null };
    const what = { method: "GET", route: "/api/conversations", ...about, status: 200 };
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
