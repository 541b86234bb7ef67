/** Tests responses whose body cannot be completed. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { ServerBench } from "../test/server-bench.ts";

const BYTES = 300_000;

let bench: ServerBench;
let id = "";
let file = "";
beforeAll(async () => {
  bench = await ServerBench.open();
  id = await bench.converse();
  const data = Buffer.alloc(BYTES, "secret").toString("base64");
  const { turns } = await bench.say(id, "Keep this.", { attachments: [{ name: "a.bin", data }] });
  file = `/api/conversations/${id}/files/${turns[0].turn_id}/attachments/a.bin`;
  expect((await (await bench.fetch(file)).arrayBuffer()).byteLength).toBe(BYTES);
  await rm(join(bench.folder, ".cairn", "blobs"), { recursive: true });
});
afterAll(() => bench[Symbol.asyncDispose]());

it.each(["file", "export"])(
  "a response (%s) that cannot be read to its end is cut off, and only the log says why",
  async (what) => {
    const printed = vi.spyOn(console, "error");
    const path = what === "file" ? file : `/api/conversations/${id}/export`;
    const reading = fetch(`${bench.address}${path}`).then((response) => response.text());
    await expect(reading).rejects.toThrow();
    const lines = bench.log.map((line) => JSON.parse(line));
    const told = lines.filter(({ message, route }) => message === "A response was cut off." && route.includes(what));
    expect(told).toEqual([expect.objectContaining({ level: "error", request: expect.any(String) })]);
    expect(printed).not.toHaveBeenCalled();
  },
);
