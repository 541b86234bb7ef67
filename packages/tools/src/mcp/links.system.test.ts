/** A real server that returns more and longer links than the conversation keeps. */
import { reactTools } from "@cairn/agent";
import { callOf, playTurn, TurnBench } from "@cairn/testkit/turns";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connectMcp, type McpTools } from "./connect-mcp.ts";

const SCRIPT = new URL("../../test/test-server.ts", import.meta.url).pathname;

let mcp: McpTools;
let bench: TurnBench;

beforeAll(async () => {
  mcp = await connectMcp({
    zoo: {
      command: process.execPath,
      args: ["--no-warnings", SCRIPT, "links"],
      allow: "all",
      approval: "never",
      connect_timeout_ms: 90_000,
    },
  });
  bench = await TurnBench.open({ agent: { tools: [...reactTools([], mcp.followLink), ...mcp.tools] } });
}, 120_000);

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await mcp.close();
});

it("a result has at most 100 links with texts of a limited length, and a notice names the others", async () => {
  const { contents } = await playTurn(bench, [callOf("mcp.zoo.many", {})]);
  const rows = [...(await bench.store.load(bench.key)).state.pool.rows()];
  expect(rows).toHaveLength(100);
  expect(rows[0]).toMatchObject({ title: "x".repeat(500), text: "x".repeat(4_000), mime: "x".repeat(200) });
  expect(rows[1]).toMatchObject({ title: "n0" });
  expect(contents("react.notice tc:T1.C1.notice")).toEqual([
    expect.objectContaining({
      code: "tool_call_warning.files_dropped",
      message: "Too many or too large to be kept: endless, n99.",
    }),
  ]);
}, 120_000);

it("a resource has at most 20 files, and a notice names the others", async () => {
  const { shown } = await playTurn(bench, [callOf("react.read", { paths: ["so:sources_pool[1]"] })]);
  expect(shown).toContain("20-f19");
  expect(shown).toContain("Too many or too large to be kept: f20, f21, f22, f23, f24.");
}, 120_000);

it("the error of a call contains the links that came with it", async () => {
  const { shown } = await playTurn(bench, [callOf("mcp.zoo.fails", {})]);
  expect(shown).toContain("mcp_tool_error: Log in first.");
  expect(shown).toContain("Link doc://login (login).");
}, 120_000);
