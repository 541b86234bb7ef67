/** Tests a turn whose clock, listener, store and conversation misbehave. */
import { storeError } from "@cairn/store";
import { TurnBench } from "@cairn/testkit/turns";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { reactTools } from "../react/react-tools.ts";
import { type AnyTool, defineTool } from "../tool/tool.ts";

const TS = "2026-02-09T10:00:00Z";
const custom = (run: AnyTool["run"], options: Partial<AnyTool> = {}) =>
  defineTool({ id: "shop.do", description: "Does.", params: z.object({ n: z.number().optional() }), run, ...options });
const call = (n = 1) => ({ name: "shop__do", input: { n } });

describe("the world around a turn", () => {
  it("may set its clock back", async () => {
    await using bench = await TurnBench.open({ agent: { tools: [custom(async () => ({ ok: true }))] } });
    let now = Date.parse(TS);
    bench.simulator.script([{ reply: { calls: [call()] } }, { reply: { text: "Done." } }]);
    await bench.say("Go");
    expect(await bench.run({ now: () => (now -= 60_000) })).toMatchObject({ end: { text: "Done." } });
    expect(bench.simulator.requests.at(-1)?.request?.texts.join("\n")).toMatch(/^elapsed: \d+s$/m);
  });

  it.each(["load", "openStreams"])("may fail to %s: the conversation is released at once", async (method) => {
    await using bench = await TurnBench.open();
    await bench.say("Go");
    const store = new Proxy(bench.store, {
      get: (target, name) => {
        if (name === method) return () => Promise.reject(new Error("disk"));
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    await expect(bench.run({ store })).rejects.toThrow("disk");
    bench.simulator.script([{ reply: { text: "Done." } }]);
    expect(await bench.run()).toMatchObject({ end: { text: "Done." } });
  });

  it("may have a listener that throws", async () => {
    await using bench = await TurnBench.open({ agent: { tools: [custom(async () => ({ ok: true }))] } });
    bench.simulator.script([{ reply: { text: "Note.", calls: [call()] } }, { reply: { text: "Done." } }]);
    await bench.say("Go");
    const listener = () => {
      throw new Error("watcher");
    };
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    expect(await bench.run({ listener })).toMatchObject({ end: { text: "Done." } });
    expect(warn.mock.calls).toEqual([[new Error("watcher"), { detail: "The listener of a turn threw an error." }]]);
    warn.mockRestore();
  });

  it("may delete the conversation: the turn ends with an error and nothing keeps running", async () => {
    let aborted = false;
    const tool = custom(async (_: unknown, { signal }) => {
      await bench.store.deleteConversation(bench.key);
      while (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, 5));
      aborted = true;
      return { ok: true };
    });
    await using bench = await TurnBench.open({ agent: { tools: [tool] } });
    bench.simulator.script([{ reply: { calls: [call()] } }]);
    await expect(bench.turn("Go")).rejects.toMatchObject({ code: "not_found" });
    while (!aborted) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it("may take the conversation over while a tool runs: the first writer stops and writes nothing more", async () => {
    await using bench = await TurnBench.open({
      agent: {
        tools: [
          custom(async (_: unknown, { signal }) => {
            for (;;) {
              const taken = await bench.store.acquireLease(bench.key, "other", 60_000).catch(() => null);
              if (taken !== null) break;
              await new Promise((resolve) => setTimeout(resolve, 10));
            }
            while (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, 5));
            return { ok: true };
          }),
        ],
      },
    });
    bench.simulator.script([{ reply: { calls: [call()] } }]);
    await bench.say("Go");
    // A lease that nobody renews, as after a crash, because the timer stops with the process.
    const store = new Proxy(bench.store, {
      get: (target, name) => {
        if (name === "renewLease")
          return (...[key, token]: Parameters<typeof target.renewLease>) => target.renewLease(key, token, 1);
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    await expect(bench.run({ store, leaseMs: 30 })).rejects.toMatchObject({ code: "lease_lost" });
    const { state } = await bench.store.load(bench.key);
    expect(state.unsettled.size).toBe(1);
  });
});

describe("a store that takes longer to load a conversation than a lease lasts", () => {
  it("keeps the lease meanwhile, and nobody else takes the conversation over", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([{ reply: { text: "Hello." } }]);
    await bench.say("Go");
    const seen = { renewed: 0, taken: false };
    const store = new Proxy(bench.store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return (...given: readonly unknown[]) => {
          if (name === "renewLease") seen.renewed++;
          return name === "load" ? slowly(() => value.apply(target, given)) : value.apply(target, given);
        };
      },
    });
    const slowly = async (load: () => unknown) => {
      while (seen.renewed === 0 && !seen.taken) {
        seen.taken = await bench.store.acquireLease(bench.key, "other", 60_000).then(
          () => true,
          () => false,
        );
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return load();
    };
    expect(await bench.run({ store, leaseMs: 1_000 })).toMatchObject({ status: "ended" });
    expect(seen.taken).toBe(false);
  });
});

describe("a store that is temporarily unavailable", () => {
  it.each(["io", "busy", "full", "newer_version"] as const)(
    "with %s leaves the turn open, and the next run ends it",
    async (code) => {
      await using bench = await TurnBench.open({ agent: { tools: reactTools() } });
      bench.simulator.script([{ reply: { text: "Done." }, times: 2 }]);
      await bench.say("Go");
      const store = new Proxy(bench.store, {
        get: (target, name) => {
          if (name === "putBlob") return () => Promise.reject(storeError(code, "The blobs are away."));
          const value: unknown = Reflect.get(target, name);
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
      await expect(bench.run({ store })).rejects.toMatchObject({ code });
      expect((await bench.store.load(bench.key)).state.openTurn).not.toBeNull();
      expect(await bench.run()).toMatchObject({ status: "ended", end: { exit: "complete" } });
    },
  );
});
