/** Tests the limits of an import over HTTP of messages of another system. */
import { MAX_ATTACHMENTS, MAX_IMPORTED_FILES, MAX_MESSAGE_CHARS } from "@cairn/api";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ServerBench } from "../test/server-bench.ts";

let bench: ServerBench;
beforeAll(async () => {
  bench = await ServerBench.open();
});
afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
});

const file = { type: "file", url: "data:text/plain,x", mediaType: "text/plain", filename: "x.txt" };
const user = (...parts: object[]) => ({ role: "user", parts });
const image = { type: "image", source: { type: "base64", media_type: "text/plain", data: "eA==" } };
const use = { type: "tool_use", id: "c", name: "look", input: {} };
const results = { type: "tool_result", tool_use_id: "c", content: Array(MAX_IMPORTED_FILES + 1).fill(image) };

it.each([
  ["too many messages", Array(10_001).fill({ role: "user", content: "Hi" }), "bad_request"],
  ["a text that is too long", [{ role: "user", content: "a".repeat(MAX_MESSAGE_CHARS + 1) }], "too_large"],
  ["an answer that is too long", [{ role: "assistant", content: "a".repeat(MAX_MESSAGE_CHARS + 1) }], "too_large"],
  ["a message with too many attachments", [user(...Array(MAX_ATTACHMENTS + 1).fill(file))], "too_large"],
  [
    "too many files",
    [
      { role: "assistant", content: [use] },
      { role: "user", content: [results] },
    ],
    "too_large",
  ],
  ["a call that is longer than a line", [tool("a".repeat(8_000_000))], "too_large"],
])("an import with %s is refused", async (_, messages, code) => {
  expect(await bench.post("/api/import/messages", { messages })).toMatchObject({ error: { code } });
  expect((await bench.get("/api/conversations")).conversations).toEqual([]);
});

function tool(text: string) {
  const part = { type: "tool-look", toolCallId: "c", state: "output-available", input: { text }, output: "Seen." };
  return { role: "assistant", parts: [part] };
}

it("an import within the limits is accepted", async () => {
  const messages = [user({ type: "text", text: "a".repeat(MAX_MESSAGE_CHARS) }, ...Array(MAX_ATTACHMENTS).fill(file))];
  expect(await bench.post("/api/import/messages", { messages })).toMatchObject({ turns: 1, losses: [] });
});
