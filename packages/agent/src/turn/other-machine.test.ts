/**
 * Tests two machines that work on one conversation in turn. Each has its own folder, and no machine may use an outdated
 * file.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { callOf, TurnBench } from "@cairn/testkit/turns";
import { type JsonObject, makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { reactTools } from "../react/react-tools.ts";
import { answerApproval } from "../tool/consent.ts";
import { defineTool } from "../tool/tool.ts";
import { openStoreWorkspace } from "../workspace/store-workspace.ts";

/** A call that waits for a person, so that its turn can continue on any machine. */
const handOver = defineTool({
  id: "test.hand_over",
  description: "Waits.",
  params: z.object({}),
  approval: "always",
  run: async () => ({ ok: true, ret: "handed over" }),
});
const echo = defineTool({
  id: "test.echo",
  description: "Says what it is given.",
  params: z.object({ text: z.string() }),
  run: async ({ text }) => ({ ok: true, ret: { said: text } }),
});

class TwoMachines implements AsyncDisposable {
  readonly bench: TurnBench;

  private constructor(bench: TurnBench) {
    this.bench = bench;
  }

  static async open(): Promise<TwoMachines> {
    return new TwoMachines(await TurnBench.open({ agent: { tools: [...reactTools(), handOver, echo] } }));
  }

  folder(machine: string): string {
    return join(this.bench.folder, `out of ${machine}`);
  }

  /** Makes the calls as decisions of the conversation's turn on one machine; returns the result of the last one. */
  async work(machine: string, ...calls: readonly (readonly [tool: string, params: JsonObject])[]): Promise<string> {
    const { bench } = this;
    for (const asked of (await bench.store.load(bench.key)).state.approvalsRequested.values())
      await bench.append(
        makeEvent("approval.given", answerApproval(bench.key, asked, { approve: true, ts: "2026-02-09T10:00:00Z" })),
      );
    bench.simulator.script(
      [...calls, ["test.hand_over", {}] as const].map(([tool, params]) => ({ reply: callOf(tool, params) })),
    );
    const workspace = await openStoreWorkspace(bench.store, bench.key, this.folder(machine));
    expect(await bench.run({ workspace })).toEqual({ status: "waiting", turnId: "turn_1" });
    const { state } = await bench.store.load(bench.key);
    const results = state.window.filter(({ block }) => block.path?.startsWith("tc:") && block.path.endsWith(".result"));
    return results.at(-1)?.block.text ?? "";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.bench[Symbol.asyncDispose]();
  }
}

const A = "turn_1/files/a.md";
const change = (from: string, to: string) => ({ path: A, patch: `@@ -1 +1 @@\n-${from}\n+${to}\n` });

describe("a turn that continues on another machine", () => {
  it("patches, reads, refers to and searches the latest version, wherever it was written", async () => {
    await using two = await TwoMachines.open();
    await two.bench.say("Go on.");
    await two.work("east", ["react.write", { path: A, content: "one\n" }]);
    await two.work("west", ["react.patch", change("one", "two")]);
    expect(await two.work("east", ["test.echo", { text: "ref:fi:turn_1.files/a.md" }])).toContain("two");
    expect(await two.work("east", ["react.search_files", { text: "two" }])).toContain("turn_1/files/a.md");
    await two.work("east", ["react.patch", change("two", "three")]);
    await two.work("west", ["react.patch", change("three", "four")]);
    const found = await two.bench.store.findByPath(two.bench.key, "fi:turn_1.files/a.md");
    expect(found).toMatchObject({ version: 4, artifact: { text: "four\n" } });
    await two.work("east", ["react.read", { paths: ["fi:turn_1.files/a.md"] }]);
    expect((await two.bench.blocks()).findLast(({ path }) => path === "fi:turn_1.files/a.md")?.text).toBe("four\n");
  });

  it("ignores files of a process that died before its call settled, once another process has written", async () => {
    await using two = await TwoMachines.open();
    await two.bench.say("Go on.");
    await two.work("east", ["react.write", { path: A, content: "one\n" }]);
    await writeFile(join(two.folder("east"), A), "never settled\n");
    await two.work("west", ["react.patch", change("one", "two")]);
    await two.work("east", ["react.patch", change("two", "three")]);
    const found = await two.bench.store.findByPath(two.bench.key, "fi:turn_1.files/a.md");
    expect(found).toMatchObject({ version: 3, artifact: { text: "three\n" } });
  });
});
