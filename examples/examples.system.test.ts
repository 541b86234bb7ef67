/** Tests that the examples run, and that they print what the documents say. */
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openEmbeddedStore } from "@cairn/store";
import { ModelSimulator } from "@cairn/testkit/models";
import { LOCAL_SCOPE } from "cairn-agent/process";
import { afterAll, expect, it } from "vitest";

const root = new URL("../", import.meta.url);

/** Where examples keep their data. */
const scratch = mkdtempSync(join(tmpdir(), "cairn-examples-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function run(example: string): string {
  const env = { ...process.env, TMPDIR: scratch };
  const file = fileURLToPath(new URL(example, root));
  return execFileSync(process.execPath, [file], { encoding: "utf8", env, cwd: mkdtempSync(join(scratch, "cwd-")) });
}

function read(file: string): string {
  return readFileSync(new URL(file, root), "utf8");
}

/** The fenced block behind the comment `<!-- marker -->`. */
function fenced(document: string, marker: string): string {
  const start = document.indexOf(`<!-- ${marker} -->`);
  if (start < 0) throw new Error(`the document has no block marked "${marker}"`);
  const [, block] = /```\w*\n([\s\S]*?)\n```/.exec(document.slice(start)) ?? [];
  if (block === undefined) throw new Error(`nothing fenced follows the mark "${marker}"`);
  return block;
}

it("the worked example prints what the newcomer's page shows", () => {
  const shown = fenced(read("docs/timeline.md"), "output of examples/first-timeline.ts");
  expect(run("examples/first-timeline.ts").trim()).toBe(shown.trim());
});

it("the example of what stays in view prints what its page shows", () => {
  const shown = fenced(read("docs/memory.md"), "output of examples/memory.ts");
  expect(run("examples/memory.ts").trim()).toBe(shown.trim());
});

it("the example of both lowerings is the program of its page, and prints what the page shows", () => {
  const document = read("docs/wire.md");
  expect(fenced(document, "examples/wire.ts")).toBe(read("examples/wire.ts").trimEnd());
  expect(run("examples/wire.ts").trim()).toBe(fenced(document, "output of examples/wire.ts").trim());
});

it("the code in the README is the example that is compiled and run", () => {
  const document = read("README.md");
  expect(fenced(document, "examples/readme.ts")).toBe(read("examples/readme.ts").trimEnd());
  expect(run("examples/readme.ts").trim()).toBe(fenced(document, "output of examples/readme.ts").trim());
});

it("the agent near the top of the README is the example that is run, in at most twelve lines after the imports", () => {
  const document = read("README.md");
  const source = read("examples/hello.ts").trimEnd();
  expect(fenced(document, "examples/hello.ts")).toBe(source);
  expect(run("examples/hello.ts").trim()).toBe(fenced(document, "output of examples/hello.ts").trim());
  const lines = source.split("\n");
  const body = lines.slice(lines.findLastIndex((line) => line.startsWith("import ")) + 1).filter((line) => line !== "");
  expect(body.length).toBeLessThanOrEqual(12);
});

it("the support agent asks for approval, and refuses another tenant's order by scope", () => {
  const document = read("docs/library.md");
  expect(fenced(document, "examples/support.ts")).toBe(read("examples/support.ts").trimEnd());
  expect(run("examples/support.ts").trim()).toBe(fenced(document, "output of examples/support.ts").trim());
});

it("the test of an agent in the guide passes", () => {
  expect(fenced(read("docs/library.md"), "examples/testing.ts")).toBe(read("examples/testing.ts").trimEnd());
  expect(run("examples/testing.ts")).toContain("pass 1");
});

it("the tests of the project that `npm create` makes pass", () => {
  expect(run("create/template/agent.test.ts")).toContain("pass 2");
});

it("a batch of 200 that is killed at about 60 goes on: 200 results, and no settled call runs again", async () => {
  expect(fenced(read("docs/library.md"), "examples/batch.ts")).toBe(read("examples/batch.ts").trimEnd());
  const folder = mkdtempSync(join(scratch, "batch-"));
  const calls = join(folder, "calls.txt");
  const args = [fileURLToPath(new URL("examples/batch.ts", root)), folder];
  const made = () => (existsSync(calls) ? readFileSync(calls, "utf8").trimEnd().split("\n") : []);
  const first = spawn(process.execPath, args, { stdio: "ignore" });
  const ended = once(first, "exit");
  await expect.poll(() => made().length, { interval: 5 }).toBeGreaterThanOrEqual(60);
  first.kill("SIGKILL");
  expect(await ended).toEqual([null, "SIGKILL"]);
  expect(made().length).toBeLessThan(200);
  const settled = await settledCalls(folder);
  expect(settled.size).toBeGreaterThan(0);
  const unsettled = made().filter((id) => !settled.has(id));
  expect(execFileSync(process.execPath, args, { encoding: "utf8" })).toBe("200 results\n");
  expect(new Set(made()).size).toBe(200);
  // Only calls without an outcome in the journal at the time of the kill may be made again.
  const repeated = made().filter((id, at, all) => all.indexOf(id) !== at);
  expect(repeated.filter((id) => settled.has(id))).toEqual([]);
  // Each such call is made again at most once, and no call that was first made after the kill is repeated.
  expect(repeated.length).toBeLessThanOrEqual(unsettled.length);
  expect(repeated.filter((id) => !unsettled.includes(id))).toEqual([]);
});

/** The conversations of a batch in whose journal a call has its outcome. */
async function settledCalls(folder: string): Promise<ReadonlySet<string>> {
  const store = await openEmbeddedStore({ dir: folder });
  const settled = new Set<string>();
  try {
    const { items } = await store.listConversations(LOCAL_SCOPE, { limit: 200 });
    for (const { conversation } of items)
      for (const { event } of await store.readEvents({ ...LOCAL_SCOPE, conversation }))
        if (event.kind === "call.settled") settled.add(conversation);
  } finally {
    await store.close();
  }
  return settled;
}

it.each(["first-timeline.ts", "memory.ts", "readme.ts"])("%s prints the same each time", (example) => {
  expect(run(`examples/${example}`)).toBe(run(`examples/${example}`));
});

it("the agent in the guide is the example that is compiled and run", () => {
  const document = read("docs/agent.md");
  expect(fenced(document, "examples/agent.ts")).toBe(read("examples/agent.ts").trimEnd());
  expect(run("examples/agent.ts").trim()).toBe(fenced(document, "output of examples/agent.ts").trim());
});

it("the agent that searches a folder is the example that is compiled and run", () => {
  const document = read("docs/tools-web.md");
  expect(fenced(document, "examples/search-folder.ts")).toBe(read("examples/search-folder.ts").trimEnd());
  expect(run("examples/search-folder.ts").trim()).toBe(fenced(document, "output of examples/search-folder.ts").trim());
});

it("the agent that writes a report is the example that is compiled and run", () => {
  const document = read("docs/tools.md");
  expect(fenced(document, "examples/report.ts")).toBe(read("examples/report.ts").trimEnd());
  expect(run("examples/report.ts").trim()).toBe(fenced(document, "output of examples/report.ts").trim());
});

it("the same agent works with a provider's model", async () => {
  await using simulator = await ModelSimulator.start({ countTokens: (text) => Math.ceil(text.length / 4) });
  simulator.script([
    { reply: { calls: [{ id: "toolu_1", name: "shop__order", input: { what: "tea" } }] } },
    { reply: { text: "Tea in ten minutes." } },
  ]);
  const { CAIRN_MODEL: _, ...rest } = process.env;
  const env = { ...rest, TMPDIR: scratch, ANTHROPIC_API_KEY: "test", ANTHROPIC_BASE_URL: simulator.baseUrl };
  const example = fileURLToPath(new URL("examples/agent-provider.ts", root));
  const { stdout } = await promisify(execFile)(process.execPath, [example], { env });
  expect(stdout).toBe("waiting\nMay I? { what: 'tea' }\nTea in ten minutes.\n");
  expect(simulator.requests.map(({ status }) => status)).toEqual([200, 200]);
});

it("a turn whose process is killed is finished by the next one, which makes no settled call again", () => {
  expect(run("examples/resume.ts").trim().split("\n")).toEqual([
    ...["sending to Alan", "sending to Grace", "the first life ended with SIGKILL", '{"sent":"Alan"}'],
    expect.stringContaining('"code":"tool_interrupted"'),
    "Alan has his letter; ask Grace.",
  ]);
});
