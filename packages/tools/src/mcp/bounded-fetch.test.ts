import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { boundedFetch } from "./bounded-fetch.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Sends a piece this many times, or for ever. */
async function serve(type: string, piece: string, times: number): Promise<string> {
  const server = createServer((_, answer) => {
    answer.setHeader("content-type", type);
    let sent = 0;
    const send = () => {
      while (!answer.destroyed && sent++ < times) if (!answer.write(piece)) return void answer.once("drain", send);
      answer.end();
    };
    send();
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const bounded = boundedFetch(100_000);
const tooLarge = expect.objectContaining({ code: "mcp_too_large" });

it("an endless answer is aborted at the limit", async () => {
  const url = await serve("application/json", " ".repeat(10_000), Number.POSITIVE_INFINITY);
  await expect((await bounded(url)).text()).rejects.toEqual(tooLarge);
});

it("an endless event is aborted, but any number of events is accepted", async () => {
  const endless = await serve("text/event-stream", `data: ${"x".repeat(10_000)}\n`, Number.POSITIVE_INFINITY);
  await expect((await bounded(endless)).text()).rejects.toEqual(tooLarge);
  const many = await serve("text/event-stream; charset=utf-8", `data: ${"x".repeat(10_000)}\n\n`, 100);
  expect((await (await bounded(many)).text()).length).toBe(100 * 10_008);
});

it("an answer within the limit is passed on unchanged", async () => {
  const answer = await bounded(await serve("application/json", '{"a":1}', 1));
  expect([answer.status, answer.headers.get("content-type"), await answer.json()]).toEqual([
    200,
    "application/json",
    { a: 1 },
  ]);
});
