/** Tests several processes of an application on one PostgreSQL. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres, whyNoPostgres } from "@cairn/testkit/store";
import { expect, it } from "vitest";
import { z } from "zod";
import { brief } from "../../test/open-application.ts";
import { createCairn } from "../create-cairn.ts";
import { agent } from "../define/agent.ts";
import { tool } from "../define/tool.ts";
import { scriptedModel } from "../testing/scripted-model.ts";

const missing = whyNoPostgres();

it.skipIf(missing !== null)(
  `one process sends and approves, and another runs the turn${missing === null ? "" : ` (skipped: ${missing})`}`,
  async () => {
    await using closing = new AsyncDisposableStack();
    const postgres = closing.adopt(await startPostgres({ sync: false }), (each) => each.close());
    const folder = await mkdtemp(join(tmpdir(), "cairn-application-"));
    closing.defer(() => rm(folder, { recursive: true, force: true }));
    const store = await postgres.createDatabase();
    const pay = tool({
      name: "pay",
      description: "Pays.",
      input: z.object({ cents: z.number() }),
      approval: true,
      run: ({ cents }, { scope }) => `${scope.user} paid ${cents}`,
    });
    const model = scriptedModel([{ call: "pay", input: { cents: 7 } }, { say: "Paid." }]);
    const shop = agent({ name: "shop", model, instructions: "Sell.", tools: [pay] });
    await using front = await createCairn({ agents: [shop], store, folder, concurrency: 0 });
    const run = await front.conversation("c1", { tenant: "acme", user: "ada" }).send("Pay 7", { id: "1" });
    await using worker = await createCairn({ agents: [shop], store, folder });
    const lines: string[] = [];
    for await (const part of run) {
      lines.push(...brief([part]));
      if (part.type === "approval") await part.approve();
    }
    expect(lines).toEqual(["approval pay", "tool pay running", "tool pay done", "text Paid."]);
    const there = worker.conversation("c1", { tenant: "acme", user: "ada" });
    expect((await (await there.send("Pay 7", { id: "1" })).result).text).toBe("Paid.");
  },
);
