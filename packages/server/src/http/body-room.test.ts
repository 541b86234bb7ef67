/** Tests many large bodies at once, over real connections. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ServerBench } from "../../test/server-bench.ts";

const UPLOAD = 4_000_000;
/** The counted bytes of an upload, without the first megabyte, which is free. */
const COUNTED = UPLOAD - 1_000_000;
const AT_ONCE = Math.floor((8 * UPLOAD) / COUNTED);

let bench: ServerBench;
beforeAll(async () => {
  bench = await ServerBench.open({ server: { uploadMb: UPLOAD / 1_000_000 } });
});
afterAll(() => bench[Symbol.asyncDispose]());

/** Sends nearly all of a form, and then nothing more. */
async function sendNearlyAll(path: string, type = "multipart/form-data; boundary=x"): Promise<Socket> {
  const { hostname, port } = new URL(bench.address);
  const socket = connect(Number(port), hostname);
  // An upload without free memory gets an error, and its connection is closed.
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: ${type}\r\ncontent-length: ${UPLOAD + 10}\r\n\r\n`,
  );
  socket.write(Buffer.alloc(UPLOAD));
  return socket;
}

/** Each upload goes to its own conversation, so that no conversation has too many messages. */
async function newPath(): Promise<string> {
  return `/api/conversations/${(await bench.post("/api/conversations", {})).conversation_id}/turns`;
}

async function upload(): Promise<Response> {
  const form = new FormData();
  form.set("message", "Here.");
  form.set("attachments", new Blob([Buffer.alloc(UPLOAD - 1_000)]), "a.bin");
  return bench.fetch(await newPath(), { method: "POST", body: form });
}

it("many large bodies at once are rejected beyond a limit, short messages are accepted, and later all bodies are accepted again", async () => {
  const path = await newPath();
  const senders: Socket[] = [];
  for (let nth = 0; nth < AT_ONCE; nth++) senders.push(await sendNearlyAll(path));
  // Earlier data may still be on its way. Then this upload gets memory, and an earlier one may not.
  const told = async () => {
    senders.push(await sendNearlyAll(path));
    const response = await upload();
    return [response.status, response.headers.has("retry-after"), (await response.json()).error?.message];
  };
  await expect.poll(told).toEqual([429, true, expect.stringContaining("bytes of uploads")]);
  expect(await bench.post(path, { message: "Short." })).toMatchObject({ seq: expect.any(Number) });
  for (const sender of senders) sender.destroy();
  await expect.poll(async () => (await upload()).status).toBe(202);
});

it("imports whose line does not end are rejected beyond the same limit, and a file of short lines is not", async () => {
  const type = "application/x-ndjson";
  const senders: Socket[] = [];
  const told: string[] = [];
  const start = async () => {
    const sender = await sendNearlyAll("/api/import", type);
    sender.on("data", (data) => told.push(String(data)));
    senders.push(sender);
  };
  for (let nth = 0; nth < AT_ONCE; nth++) await start();
  await expect
    .poll(async () => {
      await start();
      return told.find((response) => response.startsWith("HTTP/1.1 429"));
    })
    .toMatch(/"limit":"uploads"/);
  const body = "{}\n".repeat(UPLOAD / 3);
  const short = await bench.fetch("/api/import", { method: "POST", headers: { "content-type": type }, body });
  expect(short.status).toBe(422);
  for (const sender of senders) sender.destroy();
  await expect.poll(async () => (await upload()).status).toBe(202);
});
