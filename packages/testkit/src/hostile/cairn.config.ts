/**
 * The configuration of the server under attack: one agent that does what a message says, and the offline model, which
 * reads every PDF in view. On request over its IPC channel, the process reports how long its event loop was blocked and
 * how much memory it used.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { defineAgent, type Model, offlineModel, reactTools } from "@cairn/agent";
import { connectMcp, parseMcpConfig } from "@cairn/tools/mcp";

const TICK_MS = 5;
const loop = monitorEventLoopDelay({ resolution: TICK_MS });
loop.enable();
/**
 * Maximum processor time that this thread used between two ticks: a busy machine delays ticks, but does not change
 * this.
 */
let workMs = 0;
let before = cpuMs();
setInterval(() => {
  const now = cpuMs();
  workMs = Math.max(workMs, now - before);
  before = now;
}, TICK_MS).unref();

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

process.on("message", () => {
  const peak = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? 0);
  // The kernel resets the peak after each report, so a report contains the peak since the previous one.
  writeFileSync("/proc/self/clear_refs", "5");
  const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
  const [rssMb, heapUsedMb, heapMb, externalMb, buffersMb] = [rss, heapUsed, heapTotal, external, arrayBuffers].map(
    (bytes) => Math.round(bytes / 2 ** 20),
  );
  const memory = { rssMb, heapUsedMb, heapMb, externalMb, buffersMb };
  process.send?.({ delayMs: loop.max / 1e6, workMs, peakMb: peak / 1_024, memory });
  loop.reset();
  workMs = 0;
});

/** Makes the call that the last message requests, then answers. */
const obedient: Model = {
  id: "obedient",
  provider: "automatic",
  contextTokens: 100_000,
  maxOutputTokens: 4_000,
  async *stream({ view }) {
    const texts = [...view].map((message) => (message.type === "text" ? message.text : ""));
    const asked = texts.slice(0, view.stableLength).findLastIndex((text) => text.includes("Please call "));
    const [, name = "", params = "{}"] = /Please call (\S+) (\{.*?\}) now/.exec(texts[asked] ?? "") ?? [];
    const [path = ""] =
      texts
        .join("\n")
        .match(/fi:turn_\w+\.user\.attachments\/[\w.]+/g)
        ?.slice(-1) ?? [];
    const isDone = texts.slice(asked + 1).some((text) => text.includes(name));
    if (isDone) yield { type: "text", text: "done" };
    else {
      yield { type: "call", index: 0, name };
      yield { type: "params", index: 0, text: params.replace("THE_FILE", path) };
    }
    const usage = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0 };
    yield { type: "finish", reason: isDone ? "stop" : "calls", usage };
  },
};

const server = {
  command: process.execPath,
  args: [fileURLToPath(new URL("./hostile-mcp.ts", import.meta.url))],
  env: { HOSTILE_FILES: process.env.HOSTILE_FILES ?? "" },
  allow: "all",
  approval: "never",
};
const mcp = await connectMcp(Object.fromEntries(parseMcpConfig({ hostile: server })));

export default [
  defineAgent({
    name: "obedient",
    instructions: "Do what is asked.",
    model: obedient,
    tools: [...reactTools([]), ...mcp.tools],
  }),
  defineAgent({ name: "reader", instructions: "Answer.", model: offlineModel(), tools: reactTools([]) }),
];
