/** Tests an application whose agent has the tools of an MCP server. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { Application } from "../../test/open-application.ts";
import { agent } from "../define/agent.ts";
import { scriptedModel } from "../testing/scripted-model.ts";

describe("`mcp` of an agent", () => {
  it("takes an ordinary .mcp.json with variables of the environment; its tools need approval", async () => {
    const folder = await mkdtemp(join(tmpdir(), "cairn-mcp-"));
    const script = fileURLToPath(new URL("../../../tools/test/test-server.ts", import.meta.url));
    const zoo = { type: "stdio", command: `\${NODE}`, args: ["--no-warnings", script, "serve"] };
    await writeFile(join(folder, ".mcp.json"), JSON.stringify({ mcpServers: { zoo } }));
    const model = scriptedModel([{ call: "mcp.zoo.count", input: {} }, { say: "One." }]);
    const clerk = agent({ name: "clerk", model, instructions: "Help.", mcp: join(folder, ".mcp.json") });
    await using app = await Application.open([clerk], { env: { NODE: process.execPath } });
    const run = await app.cairn.conversation("c1").send("Count");
    for await (const part of run) if (part.type === "approval") await part.approve();
    expect(await run.result).toMatchObject({ exit: "complete", text: "One." });
    await rm(folder, { recursive: true });
  });
});
