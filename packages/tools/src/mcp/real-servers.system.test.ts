/**
 * Tests turns with the reference servers that the MCP project publishes, over standard streams and HTTP. `filesystem`
 * and `memory` do not support HTTP, so a bridge passes their messages on.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { defineTool, reactTools } from "@cairn/agent";
import { freePort } from "@cairn/testkit/store";
import { callOf, playTurn, TurnBench } from "@cairn/testkit/turns";
import { turnArtifacts } from "@cairn/timeline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { StdioOverHttp } from "../../test/stdio-over-http.ts";
import { connectMcp, type McpTools } from "./connect-mcp.ts";

const require = createRequire(import.meta.url);
const program = (name: string) =>
  join(dirname(require.resolve(`@modelcontextprotocol/server-${name}/package.json`)), "dist", "index.js");
const common = { allow: "all" as const, approval: "never" as const };

let folder: string;
let web: ChildProcess;
let mcp: McpTools;
let bench: TurnBench;
const pipes: StdioOverHttp[] = [];

async function startWeb(port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program("everything"), "streamableHttp"], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  child.on("error", (error) => console.error(error));
  for await (const [text] of onEach(child)) if (/listening/i.test(text)) break;
  child.stderr?.resume();
  return child;
}

async function* onEach(child: ChildProcess): AsyncGenerator<[string]> {
  while (child.stderr !== null) yield [String((await once(child.stderr, "data"))[0])];
}

async function stopWeb(): Promise<void> {
  const ended = once(web, "exit");
  web.kill("SIGKILL");
  await ended;
}

let port: number;

/**
 * Kills the server over HTTP as soon as another call of it reports progress, and starts it again when the client has
 * noticed that.
 */
const restart = defineTool({
  id: "ops.restart",
  description: "Restarts the server.",
  params: z.strictObject({}),
  run: async () => {
    await expect.poll(() => bench.signals.some(({ type }) => type === "progress")).toBe(true);
    await stopWeb();
    await expect.poll(() => mcp.status().find(({ server }) => server === "web")?.connected).toBe(false);
    web = await startWeb(port);
    return { ok: true, ret: "restarted" };
  },
});

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "cairn-mcp-real-")));
  await writeFile(join(folder, "note.txt"), "The bridge is 107 metres high.");
  port = await freePort();
  web = await startWeb(port);
  const run = (name: string, args: string[] = [], env = {}) => ({
    command: process.execPath,
    args: [program(name), ...args],
    env,
  });
  const node = (...given: Parameters<typeof run>) => ({ ...common, ...run(...given) });
  const piped = async (...given: Parameters<typeof run>) => {
    const pipe = new StdioOverHttp({ ...run(...given), stderr: "ignore" });
    pipes.push(pipe);
    return { ...common, url: await pipe.listen() };
  };
  mcp = await connectMcp({
    every: node("everything", ["stdio"]),
    files: node("filesystem", [folder]),
    memory: node("memory", [], { MEMORY_FILE_PATH: join(folder, "memory.jsonl") }),
    web: { ...common, url: `http://127.0.0.1:${port}/mcp` },
    webfiles: await piped("filesystem", [folder]),
    webmemory: await piped("memory", [], { MEMORY_FILE_PATH: join(folder, "web-memory.jsonl") }),
  });
  bench = await TurnBench.open({
    agent: { tools: [...reactTools([], mcp.followLink), restart], findTools: mcp.findTools },
  });
});

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await mcp.close();
  await Promise.all(pipes.map((pipe) => pipe.close()));
  await stopWeb();
  await rm(folder, { recursive: true });
});

describe("reference servers", () => {
  it("offer their tools without a problem, in a fixed order", async () => {
    expect(mcp.problems).toEqual([]);
    const ids = mcp.tools.map(({ id }) => id);
    expect(ids).toEqual(
      expect.arrayContaining([
        "mcp.every.echo",
        "mcp.files.read_text_file",
        "mcp.web.echo",
        "mcp.webmemory.open_nodes",
      ]),
    );
    const again = await mcp.findTools(bench.key, new AbortController().signal);
    expect(again.map(({ id }) => id)).toEqual(ids);
  });

  it("answer calls in one turn: files, a graph of memories, pictures and structured content", async () => {
    const entity = { name: "Bridge", entityType: "building", observations: ["107 metres high"] };
    const { shown } = await playTurn(bench, [
      callOf("mcp.files.read_text_file", { path: join(folder, "note.txt") }),
      callOf("mcp.memory.create_entities", { entities: [entity] }),
      callOf("mcp.memory.search_nodes", { query: "metres" }),
      callOf("mcp.every.get-structured-content", { location: "New York" }),
      callOf("mcp.every.get-tiny-image", {}),
    ]);
    expect(shown).toContain("The bridge is 107 metres high.");
    expect(shown).toContain('"entityType":"building"');
    expect(shown.match(/"temperature":/g)).toHaveLength(1);
    expect(shown).toContain("1-image.png");
  });

  it("write and read over HTTP: a file, and a graph of memories", async () => {
    const entity = { name: "Tunnel", entityType: "building", observations: ["9 kilometres long"] };
    const path = join(folder, "written.txt");
    const { shown } = await playTurn(bench, [
      callOf("mcp.webfiles.write_file", { path, content: "The tunnel is 9 kilometres long." }),
      callOf("mcp.webfiles.read_text_file", { path }),
      callOf("mcp.webmemory.create_entities", { entities: [entity] }),
      callOf("mcp.webmemory.open_nodes", { names: ["Tunnel"] }),
    ]);
    expect(shown).toContain("Successfully wrote to");
    expect(shown).toContain('content":"The tunnel is 9 kilometres long."');
    expect(shown.match(/9 kilometres long"\]/g)?.length).toBeGreaterThanOrEqual(2);
    expect(await readFile(path, "utf8")).toBe("The tunnel is 9 kilometres long.");
    expect(await readFile(join(folder, "web-memory.jsonl"), "utf8")).toContain("9 kilometres long");
    expect(mcp.status().filter(({ server, connected }) => server.startsWith("web") && connected)).toHaveLength(3);
  });

  it.each(["every", "web"])(
    "of %s return links, which are sources that react.read follows once and an answer can cite",
    async (server) => {
      const { shown: links } = await playTurn(bench, [callOf(`mcp.${server}.get-resource-links`, { count: 2 })]);
      const [, sid = ""] = [...links.matchAll(/Link \[S:(\d+)\] demo:\/\/\S*text/g)].at(-1) ?? [];
      const read = callOf("react.read", { paths: [`so:sources_pool[${sid}]`] });
      bench.simulator.script([{ reply: read }, { reply: { text: `So it says [[S:${sid}]].` } }]);
      await bench.turn("What does it say?");
      expect(bench.simulator.requests.at(-1)?.bytes).toContain("This is a plaintext resource");
      const { state } = await bench.store.load(bench.key);
      expect(turnArtifacts(state, state.turnIds.at(-1) ?? "")?.citations).toEqual([
        expect.objectContaining({
          sid: Number(sid),
          source_type: "mcp",
          mcp_server: server,
          content: expect.stringContaining("This is a plaintext resource"),
        }),
      ]);
    },
  );

  it("report an error of a tool as the error of the call", async () => {
    const { shown } = await playTurn(bench, [callOf("mcp.files.read_text_file", { path: "/etc/passwd" })]);
    expect(shown).toContain("mcp_tool_error");
    expect(shown).not.toContain("root:");
  });
});

it("a server that crashes during a call and returns is used again in the same turn; a safe call is repeated", async () => {
  const slow = callOf("mcp.web.trigger-long-running-operation", { duration: 2, steps: 2 });
  const { shown } = await playTurn(bench, [
    { calls: [...(slow.calls ?? []), ...(callOf("ops.restart", {}).calls ?? [])] },
    callOf("mcp.web.echo", { message: "back again" }),
  ]);
  expect(shown).toContain("Long running operation completed");
  expect(shown).toContain("Echo: back again");
});
