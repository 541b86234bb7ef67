import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ServerBench } from "../../test/server-bench.ts";

let bench: ServerBench;
beforeAll(async () => {
  bench = await ServerBench.open();
});
afterAll(() => bench[Symbol.asyncDispose]());

/** Number of answers that arrive before the client or the server closes the connection. */
async function pipeline(count: number, close: "close" | "keep-alive"): Promise<number> {
  const { port } = new URL(bench.address);
  const socket = connect(Number(port), "127.0.0.1");
  let text = "";
  socket.setEncoding("latin1").on("data", (data) => {
    text += data;
  });
  // The server may close the connection while it is written to.
  socket.on("error", () => undefined);
  const head = (connection: string) => `GET /api/meta HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: ${connection}\r\n\r\n`;
  socket.write(head("keep-alive").repeat(count - 1) + head(close));
  await new Promise((resolve) => socket.on("close", resolve));
  return text.split("HTTP/1.1 200").length - 1;
}

it("a few requests that do not wait for their answers are all answered", async () => {
  expect(await pipeline(10, "close")).toBe(10);
});

it("a connection with many requests that do not wait for their answers is closed, and others are served", async () => {
  expect(await pipeline(1_000, "keep-alive")).toBeLessThanOrEqual(10);
  expect((await bench.fetch("/api/meta")).status).toBe(200);
});
