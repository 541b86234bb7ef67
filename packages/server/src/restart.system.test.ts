/** Tests the data that a server leaves when it stops, and how the next server continues with it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { defineAgent, reactTools, resolveModel } from "@cairn/agent";
import { childEnv } from "@cairn/testkit/child-env";
import { ModelSimulator, type Step } from "@cairn/testkit/models";
import { describe, expect, it } from "vitest";
import { readFrames, type SentFrame, type ServerBenchOptions } from "../test/server-bench.ts";
import { serveSimulated } from "../test/simulated-server.ts";

const countTokens = (text: string) => Math.ceil(text.length / 4);
const closed = ({ event }: SentFrame) => event === "turn.closed";
const SLOW: Step = { reply: { text: "Slow words. ".repeat(100), pieceSize: 12, delayMs: 50 } };

async function simulated(steps: readonly Step[], options: Partial<ServerBenchOptions> = {}) {
  const simulator = await ModelSimulator.start({ countTokens });
  simulator.script(steps);
  const env = { ANTHROPIC_API_KEY: "test", ANTHROPIC_BASE_URL: simulator.baseUrl };
  const model = await resolveModel("anthropic:claude-sonnet-5", env);
  const agent = defineAgent({ name: "test", instructions: "You help.", model, tools: reactTools() });
  return serveSimulated(simulator, { agents: [agent], ...options });
}

describe("a server that stops", () => {
  it("leaves an unfinished turn for the next start, which continues it", async () => {
    await using at = await simulated([
      { reply: { text: "First I plan.", calls: [{ name: "react__plan", input: { mode: "new", steps: ["a"] } }] } },
      SLOW,
      { reply: { text: "Done after all." } },
    ]);
    const { bench } = at;
    const id = await bench.converse();
    const { turn_id } = await bench.post(`/api/conversations/${id}/turns`, { message: "Speak" });
    await bench.until(id, ({ event, data }) => event === "stream.delta" && data.text.startsWith("Slow"));
    await bench.restart();
    await bench.until(id, closed);
    const { turns } = await bench.get(`/api/conversations/${id}`);
    expect(turns).toMatchObject([
      { turn_id, rounds: [{ tool_id: "react.plan", status: "ok" }], completion: { text: "Done after all." } },
    ]);
    expect(at.simulator.remaining).toEqual([]);
  });

  it("waits for turns that end in time, accepts no more meanwhile, and says so", async () => {
    const text = "Not long now. ".repeat(10).trim();
    await using at = await simulated([{ reply: { text, pieceSize: 8, delayMs: 30 } }], {
      server: { drainSeconds: 30 },
    });
    const { bench } = at;
    const id = await bench.converse();
    await bench.post(`/api/conversations/${id}/turns`, { message: "Speak" });
    // A request is still answered on a connection that was open when the server began to stop.
    const frames: SentFrame[] = [];
    const response = await bench.fetch(`/api/conversations/${id}/events`);
    const reading = (async () => {
      if (response.body !== null) for await (const frame of readFrames(response.body)) frames.push(frame);
    })();
    await bench.until(id, ({ event }) => event === "stream.delta");
    const restarting = bench.restart();
    await reading;
    expect(frames.some(closed)).toBe(true);
    await restarting;
    const { turns } = await bench.get(`/api/conversations/${id}`);
    expect(turns).toMatchObject([{ exit: "complete", completion: { text } }]);
  });

  it("finds waiting messages, in their order", async () => {
    await using at = await simulated([SLOW, { reply: { text: "Answer." }, times: 3 }]);
    const { bench } = at;
    const id = await bench.converse();
    for (const message of ["One", "Two", "Three"]) await bench.post(`/api/conversations/${id}/turns`, { message });
    await bench.until(id, ({ event }) => event === "stream.delta");
    await bench.restart();
    let ended = 0;
    await bench.until(id, (frame) => closed(frame) && ++ended === 3);
    const { turns, pending } = await bench.get(`/api/conversations/${id}`);
    expect(turns).toMatchObject(["One", "Two", "Three"].map((text) => ({ prompt: { text }, exit: "complete" })));
    expect(pending).toEqual([]);
  });
});

describe("two servers on one data folder", () => {
  it("never run a turn twice, and each reports what the other does", async () => {
    await using at = await simulated([{ reply: { text: "Once." }, times: 6 }]);
    const { bench } = at;
    const other = await bench.another();
    try {
      const ids = await Promise.all([1, 2, 3].map(() => bench.converse()));
      await Promise.all(
        ids.flatMap((id, n) =>
          [bench.address, other.address].map((address) =>
            fetch(`${address}/api/conversations/${id}/turns`, {
              method: "POST",
              headers: { "content-type": "application/json" },
              body: JSON.stringify({ message: `${address} ${n}` }),
            }),
          ),
        ),
      );
      for (const id of ids)
        for (const address of [bench.address, other.address]) {
          let ended = 0;
          for await (const frame of bench.follow(id, 0, address)) if (closed(frame) && ++ended === 2) break;
        }
      for (const id of ids) expect((await bench.get(`/api/conversations/${id}`)).turns).toHaveLength(2);
      expect(at.simulator.requests).toHaveLength(6);
    } finally {
      await other.stop();
    }
  });

  it("take over from each other: when one dies in the middle of a turn, the other continues it", async () => {
    await using simulator = await ModelSimulator.start({ countTokens });
    const isDecision: Step["when"] = ({ toolNames }) => toolNames.length > 0;
    simulator.script([
      { ...SLOW, when: isDecision },
      { when: isDecision, reply: { text: "The other one finished it." } },
      // The built-in agent also asks for a title.
      { reply: { text: "A title" }, times: 5 },
    ]);
    const folder = await mkdtemp(join(tmpdir(), "cairn-takeover-"));
    const env = {
      CAIRN_MODEL: "anthropic:claude-sonnet-5",
      ANTHROPIC_API_KEY: "t",
      ANTHROPIC_BASE_URL: simulator.baseUrl,
    };
    const [first, second] = await Promise.all([startChild(folder, env), startChild(folder, env)]);
    try {
      const send = async (address: string, path: string, body: object) => {
        const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
        return JSON.parse(await (await fetch(`${address}${path}`, init)).text());
      };
      const { conversation_id: id } = await send(first.address, "/api/conversations", {});
      await send(first.address, `/api/conversations/${id}/turns`, { message: "Speak" });
      const response = await fetch(`${second.address}/api/conversations/${id}/events`);
      let killed = false;
      let text = "";
      if (response.body !== null)
        for await (const frame of readFrames(response.body)) {
          if (frame.event === "stream.delta" && !killed) killed = first.child.kill("SIGKILL");
          if (frame.event === "block.appended" && frame.data.body.block.type === "assistant.completion")
            text = frame.data.body.block.text;
          if (closed(frame)) break;
        }
      expect(killed).toBe(true);
      expect(text).toBe("The other one finished it.");
    } finally {
      for (const { child } of [first, second]) {
        const gone = child.exitCode === null && child.signalCode === null ? once(child, "exit") : null;
        child.kill("SIGTERM");
        await gone;
      }
      await rm(folder, { recursive: true, force: true });
    }
  });
});

/** A separate process that runs `cairn serve`. */
async function startChild(folder: string, env: Readonly<Record<string, string>>) {
  const bin = fileURLToPath(new URL("../../cli/bin/cairn.mjs", import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [bin, "serve", "--port", "0", "--json"], {
    cwd: folder,
    env: {
      ...childEnv(),
      ...env,
      CAIRN_DRAIN_SECONDS: "0",
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  if (child.stdout === null) throw new Error("no output");
  const ended = once(child, "exit").then(([code, signal]) => Promise.reject(new Error(`It ended: ${code ?? signal}`)));
  const [line] = await Promise.race([once(createInterface(child.stdout), "line"), ended]);
  return { child, address: String(JSON.parse(String(line)).address) };
}
