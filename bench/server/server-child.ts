/**
 * The measured process: the server with a model that answers at once, alone or with the default limits for two tenants,
 * or, for comparison, only the same HTTP framework with an event stream. Tells its parent where it listens, and what
 * memory it takes after collecting garbage when asked.
 */
import { once } from "node:events";
import type { Server } from "node:http";
import { startServer } from "@cairn/server";
import { createAdaptorServer } from "@hono/node-server";
import { loadSettings } from "cairn-agent/process";
import { Hono } from "hono";
import { instantAgent } from "./instant-model.ts";
import { LoopTime } from "./loop-time.ts";
import { TOKEN_LIST } from "./two-tenants.ts";

const [kind, folder = "."] = process.argv.slice(2);

const loop = new LoopTime();
const address = kind === "bare" ? await startBare() : await startCairn();
process.on("message", (message) => {
  if (message === "memory") process.send?.(memoryAfterCollection());
  if (message === "wait") process.send?.(loop.report());
  if (message === "work") process.send?.({ work: process.cpuUsage() });
});
process.send?.({ address });

async function startCairn(): Promise<string> {
  const own = kind === "tenants" ? { CAIRN_TOKENS: TOKEN_LIST } : { CAIRN_CONCURRENCY: "64", CAIRN_QUEUE: "10000" };
  const env = { CAIRN_PORT: "0", CAIRN_DATA_DIR: folder, ...own };
  const settings = { ...(await loadSettings({ cwd: folder, env })), agents: [instantAgent] };
  const server = await startServer({ settings, env, logTo: { write: () => true }, logLevel: "error" });
  return server.address;
}

/** An event stream that says nothing, and a request that is answered at once. */
async function startBare(): Promise<string> {
  const app = new Hono();
  app.post("/echo", async (context) => context.json(await context.req.json()));
  app.get("/events", () => {
    const stream = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(": hello\n\n")),
    });
    return new Response(stream, { headers: { "content-type": "text/event-stream" } });
  });
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const taken = server.address();
  return `http://127.0.0.1:${typeof taken === "object" && taken !== null ? taken.port : 0}`;
}

function memoryAfterCollection() {
  // Collects as V8 does when memory is short: reserved memory is released too.
  for (let times = 0; times < 3; times++) globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
  const { rss, heapUsed } = process.memoryUsage();
  return { rss, heap: heapUsed };
}
