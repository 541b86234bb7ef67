/** Tests the commands that inspect and maintain conversations, with a conversation whose turns really ran. */
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { openEmbeddedStore } from "@cairn/store";
import { freePort } from "@cairn/testkit/store";
import { LOCAL_SCOPE, workspaceFolder } from "cairn-agent/process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CliBench } from "../test/cli-bench.ts";

let bench: CliBench;
let id: string;

beforeAll(async () => {
  bench = await CliBench.open();
  await bench.write("notes.md", "The bridge was built in 1897. It is 107 metres high.");
  const { stderr } = await bench.run(["chat", "-a", "notes.md"], {
    input: "How high is the bridge?\nWrite a report about the bridge\n",
  });
  id = /^Conversation (\S+)$/m.exec(stderr)?.[1] ?? "";
});

afterAll(() => bench[Symbol.asyncDispose]());

const json = async (...args: string[]) => {
  const { stdout } = await bench.run([...args, "--json"]);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
};

describe("standing orders", () => {
  it("orders lists, adds, corrects and deletes them", async () => {
    expect(await bench.run(["orders", id])).toMatchObject({ code: 0, stdout: "" });
    const [added] = await json("orders", id, "--add", "Always answer in French.");
    expect(added).toMatchObject({ kind: "language", text: "Always answer in French.", by: "person", path: null });
    const [corrected] = await json("orders", id, "--set", added.id, "--text", "Answer in Welsh.");
    expect(corrected).toMatchObject({ kind: "language", text: "Answer in Welsh." });
    expect((await bench.run(["orders", id])).stdout).toMatch(/^\w{16} {2}language {4}Answer in Welsh\.\n$/);
    expect(await bench.run(["orders", id, "--remove", corrected.id])).toMatchObject({ code: 0, stdout: "" });
    expect(await bench.run(["orders", id, "--remove", corrected.id])).toMatchObject({ code: 3 });
    expect(await bench.run(["orders", id, "--set", "x"])).toMatchObject({ code: 2 });
    expect(await bench.run(["orders", id, "--add", "x", "--kind", "mood"])).toMatchObject({ code: 2 });
  });
});

describe("looking", () => {
  it("list names conversations with their titles", async () => {
    expect((await bench.run(["list"])).stdout).toMatch(new RegExp(`^${id} .* 2 turns {2}How high is the bridge\n`));
    expect(await json("list", "--limit", "1")).toMatchObject([{ title: "How high is the bridge", turns: 2 }]);
    expect(await bench.run(["list", "--limit", "0"])).toMatchObject({ code: 2 });
    const stderr =
      "No conversations of acme/a%2Fb/ada. For another user: cairn list --scope <tenant>/<project>/<user>\n";
    expect(await bench.run(["list", "--scope", "acme/a%2Fb/ada"])).toMatchObject({ code: 0, stdout: "", stderr });
  });

  it("show prints what was asked, attached, answered, cited and written", async () => {
    const { stdout } = await bench.run(["show", id]);
    for (const part of [
      "> How high is the bridge?",
      "attachments/notes.md",
      "107 metres",
      "[1] notes.md",
      "the-bridge.md",
    ])
      expect(stdout).toContain(part);
    const [info, first, second] = await json("show", id);
    expect(info).toMatchObject({ conversation: id });
    expect([first.exit, second.exit]).toEqual(["complete", "complete"]);
  });

  it("render rebuilds every request and proves that it is the one that was sent", async () => {
    const [last] = await json("render", id, "--request", "1");
    expect(last).toMatchObject({ request: 1, check: { same: true }, system: expect.stringContaining("You are Cairn") });
    const tools = last.tools.map(({ name }: { name: string }) => name);
    expect(tools).toContain("react.read");
    const { stdout } = await bench.run(["render", id, "--request", "2"]);
    expect((await bench.run(["render", id, "--request", "2", "--text"])).stdout).toBe(stdout);
    expect(stdout).toMatch(/^\[SYSTEM\]\nYou are Cairn[\s\S]*\[TOOLS\]\n\[[\s\S]*\[USER MESSAGE\][\s\S]*\[ANNOUNCE\]/);
    expect(stdout).toContain("=>[1]");
  });

  it("render without a number shows the next request, complete, with the last answer in it", async () => {
    const { code, stdout } = await bench.run(["render", id]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\[SYSTEM\]\nYou are Cairn[\s\S]*\[TOOLS\]\n\[[\s\S]*The report is in[\s\S]*SOURCES POOL/);
    expect(stdout).toMatch(/\[ANNOUNCE\]\n[\s\S]*iteration[\s\S]*$/i);
    const keyless = { CAIRN_MODEL: "anthropic:claude-sonnet-5" };
    expect(await bench.run(["render", id], { env: keyless })).toMatchObject({ code: 0 });
  });

  it("render reports a request that is not stored as it was sent", async () => {
    await using copy = await CliBench.open();
    await bench.run(["export", id, "-o", join(copy.folder, "c.cairn")]);
    await copy.run(["import", "c.cairn"]);
    const store = await openEmbeddedStore({ dir: join(copy.folder, ".cairn") });
    const { last_timeline_seq } = await store.getConversation({ ...LOCAL_SCOPE, conversation: "c" });
    const { token } = await store.acquireLease({ ...LOCAL_SCOPE, conversation: "c" }, "forger", 10_000);
    const events = await store.readEvents({ ...LOCAL_SCOPE, conversation: "c" }, { limit: 10_000 });
    const receipt = events.map(({ event }) => event).findLast(({ kind }) => kind === "model.receipt");
    if (receipt === undefined || "unknown" in receipt || receipt.kind !== "model.receipt")
      throw new Error("no receipt");
    const n = (receipt.body.n ?? 0) + 1;
    const forged = {
      ...receipt,
      body: { ...receipt.body, n, previous: n - 1, keep: 0, stable: 1, added: ["f".repeat(64)] },
    };
    await store.append({ ...LOCAL_SCOPE, conversation: "c" }, [forged], {
      lease: { token, expectedSeq: last_timeline_seq },
    });
    await store.close();
    const ran = await copy.run(["render", "c", "--request", String(n)]);
    expect(ran).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("the stored data differs from what was sent"),
    });
  });

  it("read gives a text by its path, a file as its bytes, and says when there is nothing", async () => {
    const [, first, second] = await json("show", id);
    const answer = await bench.run(["read", id, `ar:${first.turn_id}.assistant.completion`]);
    expect(answer.stdout).toContain("[[S:1]]");
    const linked = await bench.run(["read", id, `ar:${first.turn_id}.assistant.completion`, "--links"]);
    expect(linked.stdout).toBe(answer.stdout.replaceAll("[[S:1]]", "notes.md"));
    expect((await bench.run(["read", id, first.view.attachments[0].path])).stdout).toBe(
      await readFile(join(bench.folder, "notes.md"), "utf8"),
    );
    expect((await bench.run(["read", id, second.view.files[0].path])).stdout).toMatch(/^# The bridge\n/);
    expect(await json("read", id, "so:sources_pool[1]")).toMatchObject([{ path: "so:sources_pool[1]" }]);
    expect(await bench.run(["read", id, "fi:turn_1.files/none.md"])).toMatchObject({ code: 3 });
    expect(await bench.run(["read", id, "fi:../../etc/passwd"])).toMatchObject({ code: 2 });
  });

  it("a conversation that does not exist gives exit code 3", async () => {
    for (const args of [
      ["show", "x"],
      ["render", "x"],
      ["read", "x", "ar:a.b"],
      ["export", "x"],
      ["fork", "x", "y"],
    ])
      expect(await bench.run(args), args.join(" ")).toMatchObject({ code: 3, stdout: "" });
    expect((await json("show", "x"))[0]).toMatchObject({ error: { code: "not_found" } });
  });
});

describe("keeping", () => {
  it("an exported conversation that is imported again is the same conversation", async () => {
    await using other = await CliBench.open();
    const { stdout } = await bench.run(["export", id]);
    expect(await other.run(["import", "-", "--as", "again"], { input: stdout })).toMatchObject({
      code: 0,
      stdout: "again\n",
    });
    expect((await other.run(["show", "again"])).stdout).toBe((await bench.run(["show", id])).stdout);
    expect(await other.run(["import", "-", "--as", "again"], { input: stdout })).toMatchObject({ code: 2 });
    expect(await other.run(["import", "-", "--as", "cut"], { input: stdout.slice(0, -200) })).toMatchObject({
      code: 1,
    });
    expect(await other.run(["import", "none.cairn"])).toMatchObject({ code: 3 });
    const messages = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Which is the best tea?" },
      { role: "assistant", content: "Green tea." },
    ];
    const taken = await other.run(["import", "-", "--as", "tea"], { input: `\n ${JSON.stringify(messages)}` });
    expect(taken).toMatchObject({ code: 0, stdout: "tea\n" });
    expect(taken.stderr).toContain("messages[0]: instructions:");
    expect((await other.run(["show", "tea"])).stdout).toContain("Green tea.");
  });

  it("a fork goes its own way from the end of a turn", async () => {
    const [, first] = await json("show", id);
    expect(await bench.run(["fork", id, "branch", "--at", String(first.closed_seq)])).toMatchObject({
      stdout: "branch\n",
    });
    expect(await json("show", "branch")).toHaveLength(2);
    expect((await bench.run(["chat", "-c", "branch"], { input: "When was it built?\n" })).stdout).toContain("1897");
    expect(await json("show", id)).toHaveLength(3);
    expect(await bench.run(["delete", "branch"])).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
    expect(await bench.run(["delete", "branch", "--yes"])).toMatchObject({ code: 0 });
    expect(await bench.run(["show", "branch"])).toMatchObject({ code: 3 });
  });
});

describe("versions of a conversation", () => {
  it("share its turns, are one entry in the list, and are deleted alone or all together", async () => {
    await bench.run(["fork", id, "trunk"]);
    const [, first] = await json("show", "trunk");
    await bench.run(["fork", "trunk", "other", "--branch", "--at", String(first.closed_seq)]);
    await bench.run(["chat", "-c", "other"], { input: "When was it built?\n" });
    expect((await bench.run(["show", "other"])).stdout).toContain("version 2/2; the others: trunk\n");
    const listed = (await json("list")).map(({ conversation }: { conversation: string }) => conversation);
    expect([listed.includes("other"), listed.includes("trunk")]).toEqual([true, false]);
    expect(await json("list", "--branches", "other")).toMatchObject([
      { conversation: "trunk", listed: false },
      { conversation: "other", listed: true, forked_from: { conversation: "trunk", branch: true } },
    ]);
    expect(await bench.run(["delete", "trunk", "--yes", "--branch"])).toMatchObject({ code: 0 });
    expect(await json("show", "other")).toHaveLength(3);
    await bench.run(["fork", "other", "third", "--branch"]);
    expect(await bench.run(["delete", "other", "--yes"])).toMatchObject({ code: 0 });
    for (const name of ["other", "third"]) expect(await bench.run(["show", name])).toMatchObject({ code: 3 });
  });
});

describe("deleting many", () => {
  it("deletes inactive conversations of a tenant, or all of them, and needs a confirmation", async () => {
    const store = await openEmbeddedStore({ dir: join(bench.folder, ".cairn") });
    const folders = new Map<string, string>();
    for (const tenant of ["leaves", "leaves", "stays"]) {
      const key = { tenant, project: "p", user: "u", conversation: `c${Math.random()}` };
      await store.createConversation(key);
      folders.set(tenant, workspaceFolder(join(bench.folder, ".cairn"), key));
      await mkdir(workspaceFolder(join(bench.folder, ".cairn"), key), { recursive: true });
    }
    const left = () => [...folders].filter(([, folder]) => existsSync(folder)).map(([tenant]) => tenant);
    await store.close();
    expect(await bench.run(["retention", "--days", "0"])).toMatchObject({ code: 2 });
    expect(await bench.run(["retention", "--days", "x", "--yes"])).toMatchObject({ code: 2 });
    expect(await json("retention", "--days", "1", "--tenant", "leaves", "--yes")).toEqual([{ deleted: 0 }]);
    expect(await bench.run(["delete-tenant", "leaves"])).toMatchObject({ code: 2 });
    expect(await json("delete-tenant", "leaves", "--yes")).toEqual([{ tenant: "leaves", deleted: 2 }]);
    expect(left()).toEqual(["stays"]);
    expect(await json("retention", "--days", "0", "--tenant", "stays", "--yes")).toEqual([{ deleted: 1 }]);
    expect(left()).toEqual([]);
    expect(await json("gc", "--vacuum")).toMatchObject([{ blobs: expect.any(Number) }]);
    expect(await json("list")).not.toEqual([]);
  });
});

describe("the whole data folder", () => {
  it("is backed up into a folder that opens like it, and never over another", async () => {
    const ran = await bench.run(["backup", "copy", "--json"]);
    expect(ran).toMatchObject({ code: 0, stdout: `${JSON.stringify({ folder: join(bench.folder, "copy") })}\n` });
    const env = { CAIRN_DATA_DIR: "copy" };
    expect((await bench.run(["show", id], { env })).stdout).toBe((await bench.run(["show", id])).stdout);
    expect(await bench.run(["backup", "copy"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("not empty"),
    });
  });

  it("is cleaned of data that nothing refers to, and the command says how much it removed", async () => {
    expect(JSON.parse((await bench.run(["gc", "--json"])).stdout)).toMatchObject({ blobs: 0, bytes: 0 });
    expect((await bench.run(["gc"])).stdout).toBe(
      "Removed 0 files (0 B) and 0 unfinished imports, forks and temporary files\n",
    );
  });
});

/** The tools have tests of their own (`doctor/check-tools.system.test.ts`). */
const NO_TOOLS = { CAIRN_SEARCH: "none", CAIRN_SANDBOX: "none" };

describe("doctor", () => {
  it("reports no problem for a working installation", async () => {
    expect(await bench.run(["doctor"], { env: NO_TOOLS })).toMatchObject({
      code: 0,
      stdout: expect.not.stringContaining("✗"),
    });
  });

  it.each([
    [{ CAIRN_MODEL: "google:gemini-3" }, "GOOGLE_GENERATIVE_AI_API_KEY"],
    [{ CAIRN_DATABASE_URL: "mysql://x" }, "CAIRN_DATABASE_URL"],
    [{ CAIRN_BLOBS_URL: "s3://x" }, "CAIRN_BLOBS_URL needs CAIRN_DATABASE_URL"],
  ])("with %j it says what to do", async (env, named) => {
    const ran = await bench.run(["doctor", "--json"], { env: { ...NO_TOOLS, ...env } });
    const found = ran.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(ran.code).toBe(1);
    expect(found.find(({ ok }) => !ok)).toMatchObject({
      message: expect.stringContaining(named),
      fix: expect.any(String),
    });
  });

  it("names the setting if PostgreSQL cannot be reached", async () => {
    const env = { ...NO_TOOLS, CAIRN_DATABASE_URL: `postgres://a:b@127.0.0.1:${await freePort()}/c` };
    const { stdout } = await bench.run(["doctor"], { env });
    expect(stdout).toContain("→ Start PostgreSQL, or correct CAIRN_DATABASE_URL.");
  });

  it("names the variables it recognised, so that a mistyped one is noticed", async () => {
    const { stdout } = await bench.run(["doctor"], { env: { ...NO_TOOLS, CAIRN_PROT: "8080", CAIRN_HOST: "" } });
    expect(stdout).toMatch(/^✓ configuration: read; set: CAIRN_SEARCH, CAIRN_SANDBOX$/m);
  });

  it("is suggested when the data folder is a file, and says so", async () => {
    const env = { ...NO_TOOLS, CAIRN_DATA_DIR: await bench.write("a-file", "") };
    expect(await bench.run(["chat"], { env, input: "Hello\n" })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/data folder.*\nRun cairn doctor to find out what to do\.\n$/),
    });
    expect(await bench.run(["doctor"], { env })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("✗ data folder:"),
    });
  });

  it("--repair rebuilds what the journal gives, and the check without it suggests it", async () => {
    await using hurt = await CliBench.open();
    await hurt.run(["chat"], { input: "Hello\n" });
    const { DatabaseSync } = await import("node:sqlite");
    const db = new DatabaseSync(join(hurt.folder, ".cairn", "cairn.db"));
    db.exec("DELETE FROM paths");
    db.close();
    const run = (...args: readonly string[]) => hurt.run(["doctor", ...args], { env: NO_TOOLS });
    expect(await run()).toMatchObject({ code: 1, stdout: expect.stringContaining("doctor --repair") });
    expect(await run("--repair")).toMatchObject({ code: 0 });
    expect(await run()).toMatchObject({ code: 0 });
  });

  it("reports a damaged database, and does not crash on it", async () => {
    await using broken = await CliBench.open();
    const { mkdir } = await import("node:fs/promises");
    await mkdir(join(broken.folder, ".cairn"));
    await broken.write(".cairn/cairn.db", "this is not a database, not at all, and never was one".repeat(50));
    expect(await broken.run(["doctor"], { env: NO_TOOLS })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("✗ database:"),
    });
  });
});

describe("the command", () => {
  it("lists its commands, explains each, and knows its version", async () => {
    const { stdout } = await bench.run([]);
    const names = [...stdout.matchAll(/^ {2}([\w-]+) /gm)].map(([, name]) => name ?? "");
    expect(names).toEqual([
      ...["serve", "worker", "token", "chat", "mcp", "list", "show", "render", "read", "orders", "export"],
      ...["import", "fork", "delete", "quarantine", "retention", "delete-tenant", "backup", "migrate-store", "gc"],
      "doctor",
    ]);
    for (const name of names) expect((await bench.run([name, "--help"])).stdout).toMatch(new RegExp(`^cairn ${name}`));
    expect((await bench.run(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    for (const name of ["constructor", "__proto__", "serve!"]) expect((await bench.run([name])).code).toBe(2);
  });

  it("started by an older Node runs the pinned one instead, exit code and streams included", async () => {
    const older = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.1.0"})';
    const ran = await bench.spawn(["show", "x"], { node: ["--import", older] });
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining("cairn:") });
    const alone = await bench.spawn(["show", "x"], { node: ["--import", older], env: { CAIRN_PINNED_NODE: "tried" } });
    expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining("needs 24 or newer") });
  });
});
