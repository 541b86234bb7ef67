import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineAgent, type Model, reactTools } from "@cairn/agent";
import { type EmbeddedStore, openEmbeddedStore } from "@cairn/store";
import { makeEvent } from "@cairn/timeline";
import { expect, it } from "vitest";
import { LiveHub } from "../live/live-hub.ts";
import { createLog } from "../telemetry/log.ts";
import { Agents } from "./agents.ts";
import { createRunner } from "./turn-runner.ts";

const nothing = () => undefined;
const key = { tenant: "acme", project: "site", user: "ada", conversation: "c1" };

/** The model writes a file and then answers. */
function writer(): Model {
  let isDone = false;
  const usage = { input: 10, output: 10, cacheRead: 0, cacheWrite: 0 };
  return {
    id: "writer",
    provider: "automatic",
    contextTokens: 100_000,
    maxOutputTokens: 1_000,
    async *stream() {
      if (isDone) yield { type: "text", text: "Done." };
      else {
        yield { type: "call", index: 0, name: "react.write" };
        yield { type: "params", index: 0, text: '{"path":"files/a.md","channel":"canvas","content":"Hello"}' };
      }
      yield { type: "finish", reason: isDone ? "stop" : "calls", usage };
      isDone = true;
    },
  };
}

function withoutStreams(store: EmbeddedStore): EmbeddedStore {
  return new Proxy(store, {
    get: (target, name) => {
      if (name === "appendStream") return () => Promise.reject(new Error("postgres://ada:hunter2@db is full"));
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

it("the error of live text that could not be saved is in the log, without secrets", async () => {
  await using closing = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "cairn-runner-"));
  closing.defer(() => rm(folder, { recursive: true, force: true }));
  const store = closing.adopt(await openEmbeddedStore({ dir: folder }), (each) => each.close());
  await store.createConversation(key);
  const message = { key: "1", mode: "turn" as const, message: "Write it", attachments: [], ts: "2026-02-09T10:00:00Z" };
  await store.append(key, [makeEvent("input.received", message)]);
  const agent = defineAgent({ name: "writer", instructions: "Write.", model: writer(), tools: reactTools() });
  const live = closing.adopt(new LiveHub(store), (each) => each.close());
  const lines: string[] = [];
  const run = createRunner({
    store: withoutStreams(store),
    agents: Agents.of([{ agent, problems: [], [Symbol.asyncDispose]: async () => undefined }]),
    live,
    dataDir: folder,
    loadTokenizer: async () => (text) => text.length,
    telemetry: { turnDone: nothing, turnRefused: nothing, tokensUsed: nothing, dollarsSpent: nothing },
    tracing: null,
    log: createLog({ write: (line: string) => lines.push(line) > 0 }, Date.now),
  });
  expect(await run(key, new AbortController().signal)).toBe("ended");
  const said = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === "error");
  expect(said).toMatchObject([
    { message: expect.stringContaining("could not be saved"), error: "postgres://ada:[removed]@db is full", ...key },
  ]);
});
